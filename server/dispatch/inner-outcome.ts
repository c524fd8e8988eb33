/**
 * Some platforms answer with success and say in the body that they refuse: where their documents state it (`x-svc-outcome`), and in
 * the parts of a 207.
 */
import { plainName } from '../catalog/plain-name.ts';
import type { Tool } from '../catalog/tool.ts';

/** The code and the words of the refusal; undefined where there is none. Without a code at its place nothing went wrong. */
export function innerRefusal(
  where: Tool['innerOutcome'],
  answer: unknown,
): { code: string; message: string } | undefined {
  if (!where) return undefined;
  const code = at(answer, where.status);
  if (code === undefined || String(code) === String(where.ok)) return undefined;
  const message = at(answer, where.message);
  return { code: String(code), message: typeof message === 'string' ? message : '' };
}

function at(data: unknown, path: string): unknown {
  let found = data;
  for (const step of path.split('.'))
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
  return found;
}

const MULTI_STATUS = 207;
const DEEPEST = 5;
/** Plain names of the field that holds the status of a part. */
const STATUS = new Set(['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'responsecode', 'code']);

export interface FailedParts {
  failed: number;
  /** Of how many. */
  parts: number;
}

/** How many parts of a request failed, where its answer has a status for each (RFC 4918, 13); undefined where none did. */
export function failedParts(status: number, answer: unknown): FailedParts | undefined {
  const parts = status === MULTI_STATUS ? statusesIn(answer, 0) : [];
  const failed = parts.filter((part) => part >= 400).length;
  return failed === 0 ? undefined : { failed, parts: parts.length };
}

/** Of every object inside of the answer that has one; what is below such an object belongs to its part. */
function statusesIn(value: unknown, depth: number): number[] {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => {
    const own = statusOf(inner);
    return own === undefined ? statusesIn(inner, depth + 1) : [own];
  });
}

function statusOf(part: unknown): number | undefined {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined;
  const named = Object.entries(part).filter(([name]) => STATUS.has(plainName(name)));
  return named.map(([, value]) => httpStatus(value)).find((status) => status !== undefined);
}

/** A number, its digits, or a status line such as `HTTP/1.1 409 Conflict`. */
function httpStatus(value: unknown): number | undefined {
  const [, digits] = /^(?:HTTP\/\S+ )?([1-5]\d\d)\b/i.exec(String(value)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
