/** Why the runs say nothing of the server: no call of it reached the fake API, the fake API took none, or no answer can be read. */
import { jsonIn } from '../agents/surface/answer.ts';
import type { Recording } from '../recording/recording.ts';
import { READ_TASKS, SENT_CHANGES, type TryResult } from './try-result.ts';

const REFUSED = [401, 403];
/** The fake's answer where the path begins with no place of it. */
const NO_PLACE = 'UNKNOWN_PLACE';

/**
 * Of all runs of a try. `isKnown` says whether tools of the server could be matched with operations. Undefined where a call
 * was taken, and where nothing was played.
 */
export function unreachedReason(
  recordings: readonly Pick<Recording, 'ledger' | 'transcript'>[],
  isKnown: boolean,
): string | undefined {
  if (recordings.length === 0) return undefined;
  const calls = recordings.flatMap(({ ledger }) => ledger);
  const [first] = calls;
  if (first === undefined) {
    if (!isKnown && !recordings.some(({ transcript }) => transcript.some(({ kind }) => kind === 'call')))
      return 'no tool of the server was called: the agents need one for each operation, whose name or description says which';
    if (recordings.some(({ transcript }) => transcript.some(({ received }) => textOf(received).includes(NO_PLACE))))
      return 'every call of the server left out the path of the address: it has to keep what {{api}} has behind host and port';
    const toolless = isKnown ? '' : ', or a tool whose name or description says which operation it performs';
    return `no call of the server reached the fake API: give it the address by {{api}} or SVC_API_URL${toolless}`;
  }
  if (calls.every(({ template }) => template === null)) {
    return `every call of the server went to a path that the document does not have, the first was ${first.method} ${first.path}: the paths of the document begin at {{api}}`;
  }
  if (calls.every(({ template, status }) => template === null || REFUSED.includes(status))) {
    return 'the fake API refused the credential of every call: give the server {{token}} or SVC_API_TOKEN, to be sent as the document asks';
  }
  return undefined;
}

/** What the runs do not say, and why, where calls of the server were taken. */
export function unmeasured(
  recordings: readonly Pick<Recording, 'ledger' | 'transcript'>[],
  operationOf: (tool: string) => string | undefined,
): TryResult['notApplicable'] {
  const { tools, isAll } = unreadTools(recordings);
  const waiting = waitingTools(recordings, operationOf);
  return [
    {
      measure: isAll ? READ_TASKS : 'scenarios that need these tools',
      tools,
      reason: 'did not answer with JSON once, and the agents read nothing else',
    },
    {
      measure: SENT_CHANGES,
      tools: waiting,
      reason:
        'answered without a request to the API: the agents follow no confirmation but a question to the person and an argument confirm or dry_run',
    },
  ].flatMap(({ measure, tools: own, reason }) =>
    own.length === 0 ? [] : [{ measure, reason: `${own.join(', ')} ${reason}` }],
  );
}

/** The tools that read the API and never answered with JSON, which is all that the agents read; `isAll` where every one is such. */
export function unreadTools(recordings: readonly Pick<Recording, 'ledger' | 'transcript'>[]): {
  tools: string[];
  isAll: boolean;
} {
  const holds = new Map<string, boolean>();
  for (const { ledger, transcript } of recordings) {
    const taken = new Set(
      ledger.filter(({ method, status }) => method === 'GET' && status < 300).map(({ seq }) => seq),
    );
    for (const { kind, tool, isError, received, calls = [] } of transcript) {
      if (kind !== 'call' || tool === undefined || isError === true || !calls.some((seq) => taken.has(seq))) continue;
      const { json } = jsonIn(textOf(received));
      holds.set(tool, holds.get(tool) === true || (typeof json === 'object' && json !== null));
    }
  }
  const tools = [...holds].flatMap(([tool, isRead]) => (isRead ? [] : [tool]));
  return { tools, isAll: tools.length > 0 && tools.length === holds.size };
}

/** The tools of changes that answered without an error and never sent a request, though nobody was asked: they wait for a second step. */
export function waitingTools(
  recordings: readonly Pick<Recording, 'transcript'>[],
  operationOf: (tool: string) => string | undefined,
): string[] {
  const sent = new Map<string, boolean>();
  for (const { transcript } of recordings) {
    if (transcript.some(({ kind }) => kind === 'elicitation')) continue;
    for (const { kind, tool, isError, calls = [] } of transcript) {
      const operation = kind === 'call' && tool !== undefined && isError !== true ? operationOf(tool) : undefined;
      if (tool === undefined || operation === undefined || /^(GET|HEAD) /.test(operation)) continue;
      sent.set(tool, sent.get(tool) === true || calls.length > 0);
    }
  }
  return [...sent].flatMap(([tool, isSent]) => (isSent ? [] : [tool]));
}

const textOf = (received: unknown): string =>
  Array.isArray(received) ? received.filter((text) => typeof text === 'string').join('\n') : String(received);
