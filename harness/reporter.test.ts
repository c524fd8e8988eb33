import { describe, expect, test } from 'vitest';
import { moduleIds } from './discover.ts';
import { judgeRecordings } from './judgement.ts';
import { rateInterval } from './report.ts';
import { loadReporters } from './reporter.ts';
import { changedRecording } from './testing/sample-recording.ts';
import { META, sampleRecordings, sampleReport } from './testing/sample-report.ts';

const report = await sampleReport();
const reporters = await loadReporters();
const rendered = new Map(
  await Promise.all(reporters.map(async (r) => [r.id, await r.render(report, { color: false })] as const)),
);

describe('every reporter of the folder', () => {
  test('is found by its file name', async () => {
    expect(reporters.map((reporter) => reporter.id)).toEqual(await moduleIds(`${import.meta.dirname}/reporters`));
  });

  for (const reporter of reporters) {
    test(`${reporter.id} names the scenario and why it is red, without colour codes`, () => {
      const text = rendered.get(reporter.id)!;
      expect(text).toContain('wlan-change/rename');
      expect(text).toContain('result-schema');
      expect(text).not.toContain('\u001b');
    });

    test(`${reporter.id} renders the same bytes again`, async () => {
      expect(await reporter.render(report, { color: false })).toBe(rendered.get(reporter.id));
    });
  }
});

describe('the page', () => {
  const page = rendered.get('html')!;

  test('asks the network for nothing', () => {
    expect(page.replaceAll('http://www.w3.org/', '')).not.toMatch(
      /src\s*=|href\s*=\s*["']?(?!["']?#)|@import|url\((?!#)|https?:\/\//,
    );
  });

  test('escapes what agents and subjects say', () => {
    expect(page.match(/<script/g)).toHaveLength(1); // the filter's own
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&lt;b&gt;another&lt;/b&gt;');
  });

  test('puts the failure before the passes and draws every plot beside its table', () => {
    expect(page.indexOf('class="failed"')).toBeLessThan(page.indexOf('class="passed"'));
    expect(page.match(/<svg/g)?.length).toBe(4);
    expect(page.match(/<figure/g)?.length).toBe(4);
    expect(page).toContain('prefers-color-scheme: dark');
  });

  test('stays small', () => {
    expect(page.length).toBeLessThan(200_000);
  });

  test('of 200 runs, each of ten messages with the longest texts that are shown, is below 4 MB', async () => {
    const long = JSON.stringify({ items: Array.from({ length: 40 }, (_, id) => ({ id, name: 'The port is down.' })) });
    const recordings = Array.from({ length: 200 }, (_, run) =>
      changedRecording((r) => {
        r.run = run;
        r.seed = 1 + run;
        const call = r.transcript.find((message) => message.kind === 'call')!;
        r.transcript = Array.from({ length: 10 }, (__, n) => ({ ...call, n, sent: { query: long }, received: long }));
      }),
    );
    const wide = await judgeRecordings({ recordings, baseline: undefined, meta: { ...META, runs: 200 } });
    const html = await reporters.find(({ id }) => id === 'html')!.render(wide, { color: false });
    expect(Buffer.byteLength(html)).toBeLessThan(4e6);
    expect(Buffer.byteLength(html)).toBeGreaterThan(2e6); // the texts are really there
  });
});

describe('a rate', () => {
  test('of none or all has the interval of the rule of three, counting scenarios', () => {
    expect(rateInterval([0, 0, 0], 30, [0, 0])).toEqual([0, 0.1]);
    expect(rateInterval([1, 1], 30, [1, 1])).toEqual([0.9, 1]);
    expect(rateInterval([1, 1], 2, null)).toEqual([0, 1]);
    expect(rateInterval([0, 1], 30, [0.2, 0.6])).toEqual([0.2, 0.6]);
    expect(rateInterval([], 0, null)).toBeNull();
  });

  test('stands so in the report, in the table and for a pull request', () => {
    const idle = report.suites.find((row) => row.agent === 'noop' && row.suite === 'all')!;
    expect(idle.passed).toBe(0);
    expect(idle.solvedInterval).toEqual([0, 1]); // one scenario says next to nothing
    expect(rendered.get('markdown')).toContain('| noop | all | 0/1 (0–100 %) |');
  });
});

test('colour is used on request only', async () => {
  const terminal = reporters.find((reporter) => reporter.id === 'terminal')!;
  expect(await terminal.render(report, { color: true })).toContain('\u001b[31m');
});

test('grading the stored evidence again gives the same report', async () => {
  const stored = JSON.parse(JSON.stringify(sampleRecordings())) as ReturnType<typeof sampleRecordings>;
  const again = await judgeRecordings({ recordings: stored, baseline: undefined, meta: META });
  expect(JSON.stringify(again)).toBe(JSON.stringify(report));
});
