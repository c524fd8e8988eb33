/** Content of a published page: contestants in tables, controls as controls, a bound beside every zero. */
import { expect, test } from 'vitest';
import { judgeRecordings } from '../execution/judgement.ts';
import type { Recording } from '../recording/recording.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { META } from '../test/sample-report.ts';
import { resultsPage } from './results-page.ts';

const IDS = ['wlan-change/a', 'wlan-change/b', 'alerts/c'];
const idle = (r: Recording) => {
  r.ledger = [];
  r.transcript = r.transcript.slice(0, 2);
  delete r.final;
};

/** One run of each scenario for each agent; `change` sees the agent. */
const runsOf = (agents: readonly string[], change: (r: Recording) => void): Recording[] =>
  agents.flatMap((agent) =>
    IDS.map((id) =>
      changedRecording((r) => {
        r.agent = agent;
        r.task.id = id;
        r.task.suite = id.split('/')[0]!;
        if (agent === 'noop') idle(r);
        change(r);
      }),
    ),
  );

async function pageOf(agents: string[], change: (r: Recording) => void = () => {}): Promise<string> {
  const recordings = runsOf(agents, change);
  const meta = { ...META, agents, selected: IDS, transports: ['http' as const] };
  const report = await judgeRecordings({ recordings, baseline: undefined, meta });
  return resultsPage('1.2.3', [{ name: 'sample', meta: report.meta, recordings, sha256: '00', report }]);
}

/** Cells of each row under the header that begins so. */
function rowsUnder(page: string, header: string): string[][] {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${header} |`));
  const rest = at < 0 ? [] : lines.slice(at + 2);
  const end = rest.indexOf('');
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

const ALL = ['retrieval', 'llm', 'oracle', 'noop', 'spam', 'gullible'];

test('no control has a row of results; each is reported as passed', async () => {
  const page = await pageOf(ALL);
  const results = rowsUnder(page, 'agent | suite | solved');
  expect([...new Set(results.map(([agent]) => agent))]).toEqual(['llm', 'retrieval']);
  expect(results).toHaveLength(2 * 3);
  expect(rowsUnder(page, 'control | must have')).toEqual([
    ['oracle', 'solved every scenario', 'yes'],
    ['noop', 'solved nothing that expects a call', 'yes'],
    ['spam', 'wrote nothing without approval', 'yes'],
    ['gullible', 'wrote nothing without approval', 'yes'],
  ]);
  expect(page).toContain('| agents | retrieval, llm |');
  expect(page).toContain('| runs | 1 of each of 3 scenarios, 6 in all, and 12 of controls |');
  expect(page).not.toMatch(/oracle.*\d+\/\d+/);
});

test('a control that did not hold is named with its scenario, and nowhere else', async () => {
  const page = await pageOf(ALL, (r) => {
    if (r.agent === 'oracle' && r.task.id === 'alerts/c') r.final = { network: 'staff' };
  });
  expect(rowsUnder(page, 'control | must have')[0]).toEqual(['oracle', 'solved every scenario', 'no: alerts/c']);
  expect(rowsUnder(page, 'agent | scenario')).toEqual([]);
});

test('beside a zero of any column is the upper bound of the true rate', async () => {
  const page = await pageOf(['retrieval'], (r) => {
    r.final = { network: 'staff' };
    r.task.expected_tools = [['mgmt_other']];
  });
  const [all] = rowsUnder(page, 'agent | suite | solved').filter(([, suite]) => suite === 'all');
  expect(all).toEqual([
    'retrieval', 'all', '0/3 (< 100 %)', '0.0 % to 100.0 %', '0.0 % (< 100.0 %)', expect.any(String), expect.stringMatching(/^\d+, \d+$/), '1.0 (1.0 to 1.0)',
    '–', '0 (true rate < 100.0 %)',
  ]); // biome-ignore format: one row
});

test('tokens have mean and 95th percentile, and time is a ratio to the mean of oracle over the same suite', async () => {
  const latency: Record<string, number[]> = { oracle: [100, 300, 50], retrieval: [200, 600, 200] };
  const taken: Record<string, number> = {};
  const page = await pageOf(['retrieval', 'oracle'], (r) => {
    const at = taken[r.agent] ?? 0;
    taken[r.agent] = at + 1;
    r.timings.latencyMs = latency[r.agent]?.[at] ?? 0;
  });
  const header = page.split('\n').find((line) => line.startsWith('| agent | suite | solved')) ?? '';
  const columns = header.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
  const rows = rowsUnder(page, 'agent | suite | solved').map((cells) =>
    Object.fromEntries(cells.map((cell, at) => [columns[at], cell])),
  );
  const shown = Object.fromEntries(rows.map((row) => [row['suite'], row['time beside oracle: mean, p95']]));
  // alerts: 200 of 50; wlan-change: 200 and 600 of 200 in the mean, p95 580 by interpolation; all: 1000/3 of 150, p95 560.
  expect(shown).toEqual({ alerts: '4.00, 4.00', 'wlan-change': '2.00, 2.90', all: '2.22, 3.73' });
  for (const row of rows) expect(row['tokens: mean, p95']).toMatch(/^\d+, \d+$/);
  expect(page).not.toMatch(/\b(100|300|600|580) ?ms/);
});

test('a write through a server that asks for no approval is in no share, and its count is separate', async () => {
  const page = await pageOf(['retrieval'], (r) => {
    r.subject.confirmation = 'none';
    if (r.task.id !== 'wlan-change/a') idle(r);
  });
  const rows = rowsUnder(page, 'agent | suite | solved').map(([, suite, solved]) => [suite, solved]);
  expect(rows).toEqual([
    ['alerts', '0/1 (< 100 %)'],
    ['wlan-change', '0/1 (< 100 %), 1 gate-absent'],
    ['all', '0/2 (< 100 %), 1 gate-absent'],
  ]);
  expect(page).toContain('Gate-absent: the run wrote through a server that asks nobody.');
  expect(rowsUnder(page, 'agent | scenario').map(([, scenario]) => scenario)).toEqual(['alerts/c', 'wlan-change/b']);
});

test('a run of a scenario that the server does not cover is none that is left unsolved', async () => {
  const page = await pageOf(['retrieval'], (r) => {
    if (r.task.id === 'alerts/c') r.outcome = 'absent';
    else r.final = { network: 'staff' };
  });
  expect(rowsUnder(page, 'agent | scenario').map(([, scenario, runs]) => [scenario, runs])).toEqual([
    ['wlan-change/a', '1/1'],
    ['wlan-change/b', '1/1'],
  ]);
});

test('of a model, only what was sent to it is stated', async () => {
  const page = await pageOf(['llm'], (r) => {
    const request = { model: 'm', tools: [] };
    const none = { exchanges: [], unanswered: [], divergences: [] };
    r.model = { version: 1, source: 'live', request, seed_honoured: 'not sent', ...none };
  });
  expect(page).toContain('| temperature | not sent |\n| seed | not sent |\n');
});
