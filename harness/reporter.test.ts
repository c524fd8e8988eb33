import { describe, expect, test } from 'vitest';
import { moduleIds } from './discover.ts';
import { judgeRecordings } from './judgement.ts';
import { loadReporters } from './reporter.ts';
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
