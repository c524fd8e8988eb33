/** The question at a terminal about a list of requests that a person approves as a whole, and what is on record of it. */
import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Call } from './dispatch-call.ts';
import type { ExactRequest, RequestDigests } from './exact-request.ts';
import { type Question, wholePart } from './question.ts';
import type { WriteQuota } from './write-quota.ts';

/** With the digests of its requests one by one. */
export interface ListQuestion {
  question: Question;
  single: readonly string[];
}

/** In one part, however long: a terminal has room. */
export function listQuestion(
  requests: readonly ExactRequest[],
  about: string,
  { digests }: { digests: RequestDigests },
): ListQuestion {
  const digest = digests.of(requests);
  const parts = [wholePart(requests, digest, about)];
  return { question: { subject: about, digest, parts }, single: requests.map((request) => digests.of([request])) };
}

export interface AskedList {
  requests: readonly ExactRequest[];
  about: string;
  caller: Pick<Call, 'principal' | 'access'>;
  /** Nobody is asked where the operator said yes to all before. */
  isAsked: boolean;
  answer: (list: ListQuestion) => Promise<boolean>;
}

interface ListRecord {
  digests: RequestDigests;
  audit?: AuditLog;
  quota?: WriteQuota;
}

/**
 * The answer of a person. The question is on record before it is put, and the answer before anything is sent: what cannot be recorded
 * is not sent. Throws WRITE_QUOTA_USED_UP before it asks.
 */
export async function askAboutList({ requests, about, caller, isAsked, answer }: AskedList, options: ListRecord) {
  await options.quota?.mustHaveLeftForAll(caller, requests);
  const list = listQuestion(requests, about, options);
  const { principal } = caller;
  const tool = [...new Set(requests.map(({ tool: { name } }) => name))].join(', ').slice(0, LONGEST_TOOLS);
  const asked = { kind: 'approval', id: randomUUID(), digest: list.question.digest, tool, principal } as const;
  const record = (event: 'asked' | 'approved' | 'declined') => {
    const by = event === 'asked' ? {} : ({ operator: principal, where: 'terminal' } as const);
    if (isAsked) options.audit?.record({ ...asked, event, ...by });
  };
  record('asked');
  // Where this throws, nobody answered: there is no terminal, say.
  const agreed = await answer(list);
  record(agreed ? 'approved' : 'declined');
  return agreed;
}

const LONGEST_TOOLS = 300;
