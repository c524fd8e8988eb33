/**
 * The recordings of a stored run, with their tasks made again from the scenario files, or a refusal that names file, line and
 * field. A recording says what happened; what it should have been comes from the scenario and never from the recording.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { jsonIn } from '../agents/llm/json-in.ts';
import { got, HarnessError } from '../harness-errors.ts';
import type { Recording } from '../recording/recording.ts';
import { DIGESTS_FILE, digestOf } from '../recording/recording-digests.ts';
import { duplicates, type EvidenceProblem, evidenceProblems } from '../recording/recording-evidence.ts';
import { MARKER } from '../recording/redact-recording.ts';
import { RECORDINGS_FILE } from '../recording/run-folder.ts';
import type { ReportMeta } from '../reporting/run-report.ts';
import { gatesOf, type Scenario } from '../scenario/scenario.ts';
import { loadSubject } from '../subject/subject.ts';
import { rebuildTask } from './rebuilt-task.ts';
import { type FindScenario, openScenarioHistory } from './scenario-history.ts';

export interface StoredRecordings {
  folder: string;
  recordings: readonly Recording[];
  meta: ReportMeta;
}

/** Problems that a refusal prints; the count says how many there are. */
const SHOWN = 10;

export async function assertUntampered(stored: StoredRecordings, root: string): Promise<Recording[]> {
  const { folder, recordings, meta } = stored;
  const file = join(relative(root, folder), RECORDINGS_FILE);
  const problems: string[] = [];
  const add = (at: number, { field, expected, got: actual }: EvidenceProblem) =>
    problems.push(`${file}:${at + 1}: \`${field}\` should be ${expected}, got ${actual}`);
  for (const { at, first, run } of duplicates(recordings)) {
    add(at, { field: 'run', expected: `of another run than line ${first + 1}`, got: run });
  }
  const confirmation = await confirmationOf(meta.subject);
  const find = openScenarioHistory(root);
  const rebuilt: Recording[] = [];
  for (const [at, recording] of recordings.entries()) {
    for (const problem of [...evidenceProblems(recording, meta), ...answerProblems(recording)]) add(at, problem);
    if (confirmation !== undefined && recording.subject.confirmation !== confirmation) {
      add(at, { field: 'subject.confirmation', expected: confirmation, got: recording.subject.confirmation });
    }
    const made = await rebuiltRecording(recording, meta, find);
    if ('problem' in made) add(at, made.problem);
    else rebuilt.push(made.recording);
  }
  for (const problem of differingTasks(recordings)) add(problem.at, problem);
  if (problems.length === 0) problems.push(...(await digestProblems(stored, file)));
  if (problems.length === 0) return rebuilt;
  const shown = [...new Set(problems)];
  const more = shown.length > SHOWN ? [`and ${shown.length - SHOWN} more`] : [];
  throw new HarnessError('RECORDING_INVALID', [...shown.slice(0, SHOWN), ...more].join('\n'), {
    remedy: 'restore the run folder as the harness wrote it, or run again',
  });
}

type Made = { recording: Recording } | { problem: EvidenceProblem };

async function rebuiltRecording(recording: Recording, { wording }: ReportMeta, find: FindScenario): Promise<Made> {
  const { task } = recording;
  const scenario = await find(task.id, task.file, task.digest);
  if (scenario === undefined) {
    const expected = `the digest of a version of ${task.file} in this working tree or its history`;
    return { problem: { field: 'task.digest', expected, got: task.digest } };
  }
  const gates = gatesOf(scenario);
  if (recording.gates !== gates) return { problem: { field: 'gates', expected: gates, got: recording.gates } };
  const absent = (scenario.absent ?? []).includes(recording.subject.name);
  if (absent !== (recording.outcome === 'absent')) {
    const expected = absent ? 'absent, as the scenario says' : 'a run: the scenario covers the subject';
    return { problem: { field: 'outcome', expected, got: recording.outcome } };
  }
  const made = await rebuildTask(inWords(scenario, wording), recording);
  return 'problem' in made ? made : { recording: { ...recording, task: made.task } };
}

function inWords(scenario: Scenario, wording: number): Scenario {
  const intent = scenario.paraphrases?.[wording - 1];
  return wording === 0 || intent === undefined ? scenario : { ...scenario, intent };
}

/** The last answer of a model is the answer of its run. */
function answerProblems({ model, final }: Recording): EvidenceProblem[] {
  const last = model?.exchanges.at(-1)?.answer.message.content ?? '';
  // A value that is drawn at random has one name in the transcript of the model and another in the answer.
  if (model === undefined || final === undefined || MARKER.test(last)) return [];
  const said = jsonIn(last) ?? last;
  return isDeepStrictEqual(said, final) ? [] : [{ field: 'final', expected: got(said), got: got(final) }];
}

/** A seed draws the same objects for every agent and over every transport. */
function differingTasks(recordings: readonly Recording[]): (EvidenceProblem & { at: number })[] {
  const first = new Map<string, { text: string; at: number }>();
  return recordings.flatMap(({ task, seed, subject, fixture }, at) => {
    const key = `${task.id} ${seed} ${subject.name} ${fixture.digest}`;
    const text = JSON.stringify(task);
    const known = first.get(key);
    if (known === undefined) first.set(key, { text, at });
    if (known === undefined || known.text === text) return [];
    return [{ at, field: 'task', expected: `that of line ${known.at + 1}, which has the same seed`, got: 'another' }];
  });
}

/** Of a published version, the digest of the whole was checked when it was read. */
async function digestProblems({ folder, recordings }: StoredRecordings, file: string): Promise<string[]> {
  const here = await readFile(join(folder, RECORDINGS_FILE)).then(
    () => true,
    () => false,
  );
  if (!here) return [];
  const text = await readFile(join(folder, DIGESTS_FILE), 'utf8').catch(() => '');
  const digests = text.split('\n').filter((line) => line !== '');
  if (digests.length !== recordings.length) {
    return [`${file}: should have ${digests.length} recordings, as ${DIGESTS_FILE} says, got ${recordings.length}`];
  }
  return recordings.flatMap((recording, at) => {
    const digest = digestOf(recording);
    return digest === digests[at]
      ? []
      : [`${file}:${at + 1}: should have the digest ${digests[at]} of ${DIGESTS_FILE}, got ${digest}`];
  });
}

/** Undefined for a subject that is no longer in this working tree. */
async function confirmationOf(subject: string): Promise<string | undefined> {
  return loadSubject(subject).then(
    ({ confirmation }) => confirmation,
    () => undefined,
  );
}
