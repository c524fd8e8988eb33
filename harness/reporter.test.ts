import { describe, expect, test } from 'vitest';
import { moduleIds } from './discover.ts';
import { judgeRecordings } from './judgement.ts';
import type { ReportMeta } from './report.ts';
import { loadReporters } from './reporter.ts';
import { changedRecording, sampleRecording } from './testing/sample-recording.ts';

const META: Omit<ReportMeta, 'fixtures' | 'methodology' | 'node'> = {
  startedAt: '2026-03-02T09:00:00.000Z',
  elapsedMs: 1_234,
  command: 'npm run harness -- run',
  subject: 'sample',
  agents: ['retrieval', 'oracle', 'noop'],
  transports: ['http', 'stdio'],
  seed: 1,
  runs: 1,
  wording: 0,
  commit: 'abc',
  scenarios: { 'wlan-change/rename': 'sha256:01' },
  selected: ['wlan-change/rename'],
  caveats: ['citations not checked: no git history here'],
};

const failing = changedRecording((r) => {
  r.final = { ssid: '<script>alert(1)</script>' };
  r.task.intent = 'Give | the "guest" network <b>another</b> description.';
  r.transport = 'stdio';
});
const oracle = changedRecording((r) => {
  r.agent = 'oracle';
});
const idle = changedRecording((r) => {
  r.agent = 'noop';
  r.transcript = r.transcript.slice(0, 2);
  r.ledger = [];
  delete r.final;
});
const report = await judgeRecordings({
  recordings: [sampleRecording(), failing, oracle, idle],
  baseline: undefined,
  meta: META,
});
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
    expect(page.replaceAll('http://www.w3.org/', '')).not.toMatch(/(src|href)\s*=|@import|url\((?!#)|https?:\/\//);
  });

  test('escapes what agents and subjects say', () => {
    expect(page).not.toContain('<script>');
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
  const stored = [sampleRecording(), failing, oracle, idle].map(
    (recording) => JSON.parse(JSON.stringify(recording)) as typeof failing,
  );
  const again = await judgeRecordings({ recordings: stored, baseline: undefined, meta: META });
  expect(JSON.stringify(again)).toBe(JSON.stringify(report));
});
