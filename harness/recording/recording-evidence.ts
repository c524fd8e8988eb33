/**
 * Whether the parts of a recording agree with each other and with the plan of its campaign. Values in, values out: an edit that
 * changes one part and not the others is found without running anything.
 */
import { isDeepStrictEqual } from 'node:util';
import { got } from '../harness-errors.ts';
import { identityKey, identityOf, inShard, type Plan } from './campaign-plan.ts';
import type { LedgerEntry, Recording } from './recording.ts';
import { firstForged } from './transcript.ts';

export interface EvidenceProblem {
  /** Below the recording, such as `ledger[0].capability`. */
  field: string;
  expected: string;
  got: string;
}

export interface Campaign extends Plan {
  fixtures: readonly { bundle: string; version: number; digest: string }[];
}

/** What is wrong with one recording by itself and beside its plan. */
export function evidenceProblems(recording: Recording, plan: Campaign): EvidenceProblem[] {
  return [
    ...planProblems(recording, plan),
    ...transcriptProblems(recording),
    ...ledgerProblems(recording),
    ...modelProblems(recording),
  ];
}

function planProblems(recording: Recording, plan: Campaign): EvidenceProblem[] {
  const { task, fixture, subject, agent, transport, run, seed } = recording;
  const known = plan.fixtures.find(({ bundle }) => bundle === fixture.bundle);
  return [
    ...(inShard(plan.selected, plan.shard).includes(task.id)
      ? []
      : [{ field: 'task.id', expected: 'a scenario of the plan', got: got(task.id) }]),
    ...equal('task.digest', plan.scenarios[task.id], task.digest),
    ...(plan.agents.includes(agent) ? [] : [{ field: 'agent', expected: plan.agents.join(', '), got: got(agent) }]),
    ...(plan.transports.includes(transport)
      ? []
      : [{ field: 'transport', expected: plan.transports.join(', '), got: got(transport) }]),
    ...(run < plan.runs ? [] : [{ field: 'run', expected: `below ${plan.runs}`, got: got(run) }]),
    ...equal('seed', plan.seed + run, seed),
    ...equal('subject.name', plan.subject, subject.name),
    ...equal('subject.settings', plan.settings, subject.settings),
    ...equal('fixture', known, fixture),
  ];
}

function transcriptProblems({ transcript, timings, ledger, outcome }: Recording): EvidenceProblem[] {
  const numbers = new Set(ledger.map(({ seq }) => seq));
  const seen = new Set<number>();
  const problems = equal('timings.messages', transcript.length, timings.messages.length);
  if (outcome === 'absent') problems.push(...equal('transcript', 0, transcript.length));
  for (const [i, message] of transcript.entries()) {
    problems.push(...equal(`transcript[${i}].n`, i + 1, message.n));
    for (const seq of message.calls ?? []) {
      const field = `transcript[${i}].calls`;
      if (!numbers.has(seq)) problems.push({ field, expected: 'calls of the ledger', got: got(seq) });
      if (seen.has(seq)) problems.push({ field, expected: 'each call once', got: got(seq) });
      seen.add(seq);
    }
  }
  return problems;
}

function ledgerProblems({ ledger, timings }: Recording): EvidenceProblem[] {
  const problems = ledger.flatMap((entry, i) => [
    ...equal(`ledger[${i}].seq`, i + 1, entry.seq),
    ...capabilityProblems(entry, `ledger[${i}]`),
    ...(isOfTemplate(entry)
      ? []
      : [{ field: `ledger[${i}].template`, expected: `a template of ${entry.path}`, got: got(entry.template) }]),
  ]);
  const logins = timings.logins.flatMap((entry, i) => [
    ...equal(`timings.logins[${i}].capability`, 'auth', entry.capability),
    ...(CHANGES.has(entry.method)
      ? [{ field: `timings.logins[${i}].method`, expected: 'GET or POST', got: got(entry.method) }]
      : []),
  ]);
  return [...problems, ...logins];
}

const CHANGES = new Set(['PUT', 'PATCH', 'DELETE']);

function capabilityProblems({ method, capability }: LedgerEntry, at: string): EvidenceProblem[] {
  const field = `${at}.capability`;
  // Logins are recorded with the timings, because they depend on the runs before.
  if (capability === 'auth') return [{ field, expected: 'no login', got: got(capability) }];
  if (!CHANGES.has(method) || capability === 'write' || capability === 'destructive') return [];
  return [{ field, expected: `write or destructive for ${method}`, got: got(capability) }];
}

function isOfTemplate({ template, path }: LedgerEntry): boolean {
  if (template === null) return true;
  const [wanted, actual] = [template.split('/'), path.split('/')];
  return wanted.length === actual.length && wanted.every((part, i) => part.includes('{') || part === actual[i]);
}

/** A model's answers are keyed by what it was asked. */
function modelProblems({ model, run }: Recording): EvidenceProblem[] {
  const forged = model === undefined ? undefined : firstForged(model, run);
  return forged === undefined
    ? []
    : [{ field: `model.exchanges[${forged}].key`, expected: 'the key of its request', got: 'another' }];
}

const equal = (field: string, expected: unknown, actual: unknown): EvidenceProblem[] =>
  isDeepStrictEqual(expected, actual) ? [] : [{ field, expected: got(expected), got: got(actual) }];

/** Position of each recording whose run is there before it. */
export function duplicates(recordings: readonly Recording[]): { at: number; first: number; run: string }[] {
  const seen = new Map<string, number>();
  return recordings.flatMap((recording, at) => {
    const run = identityKey(identityOf(recording));
    const first = seen.get(run);
    if (first !== undefined) return [{ at, first, run }];
    seen.set(run, at);
    return [];
  });
}
