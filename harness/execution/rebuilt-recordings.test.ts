/**
 * The tampering corpus: a stored run is edited in one place, and its digests are made again as somebody would who knows of
 * them. `regrade` names file and field, or grades the edited run as it graded the intact one.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import type { Recording } from '../recording/recording.ts';
import { DIGESTS_FILE, digestLines } from '../recording/recording-digests.ts';
import { lineOf } from '../recording/run-journal.ts';
import type { Report, ReportMeta } from '../reporting/run-report.ts';
import { ledgerEntry } from '../test/sample-recording.ts';
import { META } from '../test/sample-report.ts';
import { scenarioRecording, scenarioText, writeScenario } from '../test/sample-scenario.ts';
import { judgeRecordings, writeReports } from './judgement.ts';

const root = await mkdtemp(join(tmpdir(), 'tampering-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const IDS = ['wlan-change/one', 'wlan-change/two'];
const FOLDER = join(root, 'reports/runs/2026-03-01-120000');
const RECORDINGS = join(FOLDER, 'recordings.jsonl');
let intact: { recordings: Recording[]; grades: Report['grades'] };

interface StoredMeta {
  meta: ReportMeta;
  grades: { metrics: Record<string, number> }[];
}

beforeAll(async () => {
  const digests = await Promise.all(IDS.map(async (id) => [id, (await writeScenario(root, id)).digest] as const));
  const recordings = await Promise.all(
    IDS.flatMap((id) => [0, 1].map((run) => scenarioRecording(id, undefined, { run, seed: run + 1 }))),
  );
  const meta = {
    ...META,
    ...{ agents: ['retrieval'], transports: ['http' as const], selected: IDS, runs: 2 },
    scenarios: Object.fromEntries(digests),
  };
  await writeReports(FOLDER, await judgeRecordings({ recordings, baseline: undefined, meta }), recordings);
  const { exit, stdout } = await regrade();
  expect(exit).toBe(4); // there is no baseline here
  intact = { recordings, grades: (JSON.parse(stdout) as Report).grades };
  expect(intact.grades.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed']);
});

async function regrade(): Promise<{ exit: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const exit = await main(['regrade', FOLDER, '--json'], {
    root,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) } as never,
    color: false,
    env: {},
  });
  return { exit, stdout, stderr };
}

interface Edit {
  /** What somebody did to the run folder. */
  name: string;
  recordings?: (all: Recording[]) => Recording[] | undefined;
  report?: (stored: StoredMeta) => void;
  /** Of the refusal: line and field. Without it the grades are those of the intact run. */
  refused?: RegExp;
}

/** Changes the first recording. */
const first = (change: (recording: Recording) => void): NonNullable<Edit['recordings']> => {
  return (all) => {
    change(all[0]!);
    return undefined;
  };
};
const at = (line: number, field: string): RegExp =>
  new RegExp(`recordings\\.jsonl:${line}: .*\`${field.replaceAll(/[[\].()]/g, '\\$&')}`);

const EDITS: Edit[] = [
  {
    name: 'expected calls emptied',
    recordings: first((r) => (r.task.api_calls = [])),
    refused: at(1, 'task.api_calls'),
  },
  {
    name: 'forbidden calls emptied',
    recordings: first((r) => (r.task.must_not_call = [])),
    refused: at(1, 'task.must_not_call'),
  },
  { name: 'end state emptied', recordings: first((r) => (r.task.end_state = [])), refused: at(1, 'task.end_state') },
  {
    name: 'result schema that accepts anything',
    recordings: first((r) => (r.task.result_schema = { type: 'object', properties: {} })),
    refused: at(1, 'task.result_schema'),
  },
  {
    name: 'approval added',
    recordings: first((r) => r.task.approvals.push('DELETE /network-config/v1alpha1/wlan-ssids/guest')),
    refused: at(1, 'task.approvals'),
  },
  {
    name: 'call noted as a diagnostic',
    recordings: first((r) => (r.task.classify = { 'PATCH /network-config/v1alpha1/wlan-ssids/{ssid}': 'diagnostic' })),
    refused: at(1, 'task.classify'),
  },
  { name: 'intent changed', recordings: first((r) => (r.task.intent = 'Do nothing.')), refused: at(1, 'task.') },
  { name: 'fact replaced', recordings: first((r) => (r.task.facts['text'] = 'easy')), refused: at(1, 'task.') },
  { name: 'facts emptied', recordings: first((r) => (r.task.facts = {})), refused: at(1, 'task.') },
  { name: 'refusal allowed', recordings: first((r) => (r.task.refusal = 'right')), refused: at(1, 'task.refusal') },
  { name: 'stated body dropped', recordings: first((r) => (r.task.bodies = {})), refused: at(1, 'task.bodies') },
  {
    name: 'hash of the stated body replaced',
    recordings: first((r) => {
      for (const body of Object.values(r.task.bodies)) body.hash = 'sha256:00';
    }),
    refused: at(1, 'task.bodies'),
  },
  {
    name: 'side effect declared',
    recordings: first((r) => r.task.side_effects.push({ resource: 'sites' })),
    refused: at(1, 'task.side_effects'),
  },
  { name: 'write gate opened', recordings: first((r) => (r.task.write_gate = 'destructive')), refused: at(1, 'task.') },
  {
    name: 'expected tools replaced',
    recordings: first((r) => (r.task.expected_tools = [])),
    refused: at(1, 'task.expected_tools'),
  },
  {
    name: 'reads allowed that the scenario does not allow',
    recordings: first((r) => r.task.allowed_reads.push('GET /network-config/v1alpha1/wlan-ssids')),
    refused: at(1, 'task.allowed_reads'),
  },
  {
    name: 'scenario digest swapped for that of another scenario',
    recordings: (all) => {
      all[0]!.task.digest = all[2]!.task.digest;
      return undefined;
    },
    refused: at(1, 'task.digest'),
  },
  {
    name: 'scenario digest that no commit holds, in the plan too',
    recordings: first((r) => (r.task.digest = 'sha256:00')),
    report: ({ meta }) => (meta.scenarios[IDS[0]!] = 'sha256:00'),
    refused: /`task\.digest` should be the digest of a version of .*got sha256:00/,
  },
  { name: 'run that is there twice', recordings: (all) => [...all, all[0]!], refused: at(5, 'run') },
  {
    name: 'failed run overwritten with a copy of a good one',
    recordings: (all) => [all[0]!, { ...all[0]!, run: 1 }, all[2]!, all[3]!],
    refused: at(2, 'seed'),
  },
  {
    name: 'copy of a good run with the seed of the failed one',
    recordings: (all) => [all[0]!, { ...all[0]!, run: 1, seed: 2 }, all[2]!, all[3]!],
    refused: at(2, 'task.'),
  },
  { name: 'seed changed', recordings: first((r) => (r.seed = 7)), refused: at(1, 'seed') },
  {
    name: 'seed changed in the recordings and in the plan',
    recordings: (all) => all.map((r) => ({ ...r, seed: r.seed + 6 })),
    report: ({ meta }) => (meta.seed = 7),
    refused: at(1, 'task.'),
  },
  {
    name: 'object of the task replaced by another in all its fields',
    recordings: (all) => {
      const text = JSON.stringify(all[0]!).replaceAll('guest', 'staff');
      return [JSON.parse(text) as Recording, ...all.slice(1)];
    },
    refused: at(1, 'task (slot wlan.ssid)'),
  },
  {
    name: 'invented value replaced in all its fields',
    recordings: (all) => {
      const { text: description } = all[0]!.final as { text: string };
      const text = JSON.stringify(all[0]!).replaceAll(description, 'easy');
      return [JSON.parse(text) as Recording, ...all.slice(1)];
    },
    refused: at(1, 'task.intent'),
  },
  {
    name: 'DELETE that the ledger calls a read',
    recordings: first((r) => r.ledger.push(forbidden({ capability: 'read' }))),
    refused: at(1, 'ledger[1].capability'),
  },
  {
    name: 'DELETE that the ledger calls a poll',
    recordings: first((r) => r.ledger.push(forbidden({ capability: 'poll' }))),
    refused: at(1, 'ledger[1].capability'),
  },
  {
    name: 'DELETE among the logins',
    recordings: first((r) => r.timings.logins.push(forbidden({ capability: 'auth' }))),
    refused: at(1, 'timings.logins[1].method'),
  },
  {
    name: 'write that the ledger calls a login',
    recordings: first((r) => (r.ledger[0]!.capability = 'auth')),
    refused: at(1, 'ledger[0].capability'),
  },
  {
    name: 'ledger entry dropped while the transcript shows the call',
    recordings: first((r) => (r.ledger = [])),
    refused: at(1, 'transcript[3].calls'),
  },
  {
    name: 'ledger entry dropped in the middle',
    recordings: first((r) => r.ledger.push(ledgerEntry({ seq: 3, method: 'GET', path: '/x' }))),
    refused: at(1, 'ledger[1].seq'),
  },
  {
    name: 'path of a call that is not of its template',
    recordings: first((r) => (r.ledger[0]!.path = '/network-config/v1alpha1/guests/guest')),
    refused: at(1, 'ledger[0].template'),
  },
  {
    name: 'message dropped from the transcript',
    recordings: first((r) => r.transcript.splice(2, 1)),
    refused: at(1, 'timings.messages'),
  },
  {
    name: 'message dropped, and its times',
    recordings: first((r) => {
      r.transcript.splice(2, 1);
      r.timings.messages.splice(2, 1);
    }),
    refused: at(1, 'transcript[2].n'),
  },
  { name: 'gates closed', recordings: first((r) => (r.gates = 'closed')), refused: at(1, 'gates') },
  { name: 'run declared absent', recordings: first((r) => (r.outcome = 'absent')), refused: at(1, 'outcome') },
  {
    name: 'fixture digest swapped',
    recordings: first((r) => (r.fixture.digest = 'sha256:11')),
    refused: at(1, 'fixture'),
  },
  {
    name: 'setting changed',
    recordings: first((r) => (r.subject.settings = { mode: 'direct' })),
    refused: at(1, 'subject.settings'),
  },
  { name: 'run of another agent', recordings: first((r) => (r.agent = 'oracle')), refused: at(1, 'agent') },
  {
    name: 'version of the recording',
    recordings: first((r) => ((r as { version: number }).version = 1)),
    refused: /recordings\.jsonl:1: should be a recording of version/,
  },
  {
    name: 'field that no recording has',
    recordings: first((r) => ((r as unknown as Record<string, unknown>)['passed'] = true)),
    refused: /recordings\.jsonl:1: should be a recording of version/,
  },
  {
    name: 'scenario left out of the plan',
    report: ({ meta }) => (meta.selected = [IDS[1]!]),
    refused: at(1, 'task.id'),
  },
  { name: 'grades of the report', report: ({ grades }) => (grades[0]!.metrics['task_success'] = 0) },
  { name: 'token counts of the report', report: ({ grades }) => (grades[0]!.metrics['token_usage'] = 1) },
  { name: 'standard error of the agent', recordings: first((r) => (r.agentStderr = 'all went well')) },
];

function forbidden(changes: Partial<Recording['ledger'][number]>): Recording['ledger'][number] {
  const path = '/network-config/v1alpha1/wlan-ssids/staff';
  return ledgerEntry({
    seq: 2,
    method: 'DELETE',
    path,
    template: '/network-config/v1alpha1/wlan-ssids/{ssid}',
    ...changes,
  });
}

/** Applies the edit; `digests` says whether they are made again. */
async function tampered({ recordings, report }: Edit, digests: 'made again' | 'left'): Promise<() => Promise<void>> {
  const files = [RECORDINGS, join(FOLDER, DIGESTS_FILE), join(FOLDER, 'report.json')];
  const before = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
  const copy = structuredClone(intact.recordings);
  const changed = recordings?.(copy) ?? copy;
  await writeFile(RECORDINGS, changed.map(lineOf).join(''));
  if (digests === 'made again') await writeFile(join(FOLDER, DIGESTS_FILE), digestLines(changed));
  const stored = JSON.parse(before[2]![1]) as StoredMeta;
  report?.(stored);
  await writeFile(join(FOLDER, 'report.json'), JSON.stringify(stored));
  return async () => {
    for (const [file, text] of before) await writeFile(file, text);
  };
}

describe('a stored run that somebody edited', () => {
  test('is edited in 45 ways, as docs/benchmark-methodology.md says', () => expect(EDITS).toHaveLength(45));

  test.each(EDITS)('$name', async (edit) => {
    const restore = await tampered(edit, 'made again');
    try {
      const { exit, stdout, stderr } = await regrade();
      if (edit.refused === undefined) {
        expect({ exit, stderr }).toEqual({ exit: 4, stderr: '' });
        expect((JSON.parse(stdout) as Report).grades).toEqual(intact.grades);
      } else {
        expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
        expect(stderr).toMatch(/^RECORDING_INVALID: /);
        expect(stderr).toMatch(edit.refused);
      }
    } finally {
      await restore();
    }
  });
});

/** Edits that agree with everything else in the recording: only the digests beside the recordings find them. */
const CONSISTENT: Edit[] = [
  { name: 'final answer replaced', recordings: first((r) => (r.final = { ssid: 'guest', description: 'other' })) },
  { name: 'end state replaced', recordings: first((r) => (r.endState[0]!.items = [{ ssid: 'guest' }])) },
  { name: 'outcome of a timeout', recordings: first((r) => (r.outcome = 'timeout')) },
  { name: 'text of a tool result shortened', recordings: first((r) => (r.transcript[3]!.received = [''])) },
  { name: 'answer of the approver', recordings: first((r) => (r.transcript[2]!.received = { action: 'decline' })) },
  { name: 'hash of a body', recordings: first((r) => (r.ledger[0]!.bodyHash = 'sha256:bb')) },
  {
    name: 'call dropped from ledger and transcript',
    recordings: first((r) => {
      r.ledger = [];
      r.transcript[3]!.calls = [];
    }),
  },
];

test.each(CONSISTENT)('$name: found by the digest of the line', async (edit) => {
  const restore = await tampered(edit, 'left');
  const { exit, stderr } = await regrade();
  await restore();
  expect(exit).toBe(2);
  expect(stderr).toMatch(/recordings\.jsonl:1: should have the digest [0-9a-f]{64} of recordings\.sha256/);
});

test('a run without digests is refused', async () => {
  const restore = await tampered({ name: 'none' }, 'left');
  await rm(join(FOLDER, DIGESTS_FILE));
  const { stderr } = await regrade();
  await restore();
  expect(stderr).toContain('should have 0 recordings, as recordings.sha256 says, got 4');
});

test('a scenario that changed since is taken from the history of the file', async () => {
  const { simpleGit } = await import('simple-git');
  const git = simpleGit(root);
  await git.init();
  await git.addConfig('user.email', 'test@example.invalid');
  await git.addConfig('user.name', 'test');
  await git.add(['scenarios']).commit('scenarios');
  await writeScenario(root, IDS[0]!, scenarioText(IDS[0]!).replace('must_not_call: [DELETE /**,', 'must_not_call: ['));
  const { exit, stdout } = await regrade();
  await writeScenario(root, IDS[0]!);
  expect(exit).toBe(4);
  expect((JSON.parse(stdout) as Report).grades).toEqual(intact.grades);
});
