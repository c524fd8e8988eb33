/** The question about a list of requests that a person approves as a whole. */
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import type { ExactRequest, RequestDigests } from './exact-request.ts';
import { type Question, questionParts } from './question.ts';

/** In as many parts as it needs, with the digests of its requests one by one. */
export interface ListQuestion {
  question: Question;
  single: readonly string[];
}

interface QuestionSources {
  digests: RequestDigests;
  config: Pick<Config, 'approvalMaxCharacters'>;
}

/** Throws APPROVAL_TOO_LARGE where one request alone does not fit. */
export function listQuestion(
  requests: readonly ExactRequest[],
  about: string,
  { digests, config }: QuestionSources,
): ListQuestion {
  const digest = digests.of(requests);
  const parts = questionParts(requests, digest, config.approvalMaxCharacters, about);
  if ('characters' in parts)
    throw new RouterError(
      'APPROVAL_TOO_LARGE',
      `request ${parts.request} of ${requests.length} should be shown in at most ${parts.limit} characters, got ${parts.characters}`,
    );
  return { question: { subject: about, digest, parts }, single: requests.map((request) => digests.of([request])) };
}
