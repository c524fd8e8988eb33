/** The question at a terminal about a list of requests that a person approves as a whole. */
import type { ExactRequest, RequestDigests } from './exact-request.ts';
import { type Question, wholePart } from './question.ts';

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
