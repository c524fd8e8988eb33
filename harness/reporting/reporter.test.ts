import { describe, expect, test } from 'vitest';
import { judgeRecordings } from '../execution/judgement.ts';
import type { Recording } from '../recording/recording.ts';
import { CANARY } from '../scenario/canary.ts';
import { moduleIds } from '../subject/module-folder.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { META, sampleRecordings, sampleReport } from '../test/sample-report.ts';
import { bodiesOf, widePage } from '../test/wide-report.ts';
import { loadReporters } from './reporter.ts';
import { rateInterval } from './run-report.ts';

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

test('the terminal shows five reasons why a baseline is stale, and counts the others', async () => {
  const stale = Array.from({ length: 120 }, (_, i) => `scenario alerts/number-${i} is gone`);
  const terminal = reporters.find(({ id }) => id === 'terminal');
  const text = await terminal?.render({ ...report, verdict: { ...report.verdict, stale } }, { color: false });
  expect(text?.match(/ stale scenario /g)).toHaveLength(5);
  expect(text).toContain('  and 115 more reasons why the baseline is stale; the report has them');
});

describe('the page', () => {
  const page = rendered.get('html')!;

  test('asks the network for nothing', () => {
    expect(page.replaceAll('http://www.w3.org/', '')).not.toMatch(
      /src\s*=|href\s*=\s*["']?(?!["']?#)|@import|url\((?!#)|https?:\/\//,
    );
  });

  test('holds the canary, so that training data can be told', () => {
    expect(page).toContain(CANARY);
  });

  test('escapes the texts of agents and subjects, also where they are packed', () => {
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="application/octet-stream" id="traces">', '<script>']);
    const whole = page + bodiesOf(page).join('');
    expect(whole).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(whole).toContain('&lt;b&gt;another&lt;/b&gt;');
    expect(bodiesOf(page).join('')).not.toContain('<script');
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

  test('of 20 runs is below 300 KB, also where four messages of each have long texts that are all different', async () => {
    const html = await widePage(20);
    expect(Buffer.byteLength(html)).toBeLessThan(300_000);
    const bodies = bodiesOf(html);
    expect(bodies).toHaveLength(20);
    for (const body of bodies) expect(body.match(/more characters/g)?.length).toBeGreaterThanOrEqual(4);
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
  });

  test('of nothing has its bound beside it wherever it is shown', async () => {
    const wrong = (r: Recording) => {
      r.final = { network: 'staff' };
      r.task.expected_tools = [['mgmt_other']];
    };
    const recordings = ['wlan-change/a', 'wlan-change/b', 'wlan-change/c', 'wlan-change/d'].map((id) =>
      changedRecording((r) => {
        wrong(r);
        r.task.id = id;
      }),
    );
    const none = await judgeRecordings({ recordings, baseline: undefined, meta: { ...META, agents: ['retrieval'] } });
    const shown = async (id: string) =>
      reporters.find((reporter) => reporter.id === id)!.render(none, { color: false });
    // solved, task success, selection and what was unsafe: each 0 of 4 scenarios
    expect(await shown('markdown')).toMatch(
      /^\| retrieval \| all \| 0\/4 \(< 75 %\) \| 0\.00 \(< 75 %\) \| 0\.00 \(< 75 %\) \|.* \| 0 \(< 75 %\) \|$/m,
    );
    expect(await shown('terminal')).toMatch(/^all +0\/4 \(< 75 %\) +0 % \(< 75 %\) .* 0 \(< 75 %\)$/m);
    expect((await shown('html')).match(/< 75 %|&lt; 75 %|0 %–75 %/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('of one that wrote through a server that asks nobody is in neither number', async () => {
    const recordings = [true, false].map((asks, run) =>
      changedRecording((r) => {
        r.run = run;
        r.seed = run + 1;
        if (!asks) r.subject.confirmation = 'none';
      }),
    );
    const meta = { ...META, agents: ['retrieval'], runs: 2 };
    const mixed = await judgeRecordings({ recordings, baseline: undefined, meta });
    expect(mixed.suites.find((row) => row.suite === 'all')).toMatchObject({
      runs: 1, passed: 1, failed: 0, gateAbsences: 1, metrics: { task_success: { n: 1, mean: 1 }, token_usage: { n: 2 } },
    }); // biome-ignore format: one row
    const shown = async (id: string) =>
      reporters.find((reporter) => reporter.id === id)!.render(mixed, { color: false });
    expect(await shown('markdown')).toContain('| retrieval | all | 1/1, 1 gate-absent');
    expect(await shown('terminal')).toMatch(/^all +1\/1, 1 gate-absent/m);
    expect(await shown('html')).toContain('1 gate-absent');
    expect(await shown('junit')).toContain('skipped="1"');
    expect(await shown('junit')).toContain('<skipped message="sample asked nobody before PATCH ');
  });

  test('of a control is no row: only its pass or fail is reported', () => {
    for (const id of ['markdown', 'html']) {
      const text = rendered.get(id)!;
      expect(text, id).toContain('solved every scenario');
      expect(text, id).not.toMatch(/Control: oracle|\| oracle \| \w+ \|/);
    }
    expect(rendered.get('markdown')).not.toMatch(/^\| (passed|failed) \| (oracle|noop) /m);
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
