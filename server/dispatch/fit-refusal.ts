/** A refusal, and one of arguments in few words: what is wrong and how to put it right, never a schema. */
import type { ErrorCode } from '../errors.ts';
import { shortText } from './shorten.ts';

/** The answer of a refused call. */
export interface Refusal {
  ok: false;
  status: number;
  code: string;
  /** Our own code, where several share the one on the wire. */
  reason?: ErrorCode;
  message: string;
  tool: string;
  platform: string | null;
  hint?: string;
  [more: string]: unknown;
}

/** Characters of the whole refusal as JSON. */
export const ARGUMENT_REFUSAL_LIMIT = 600;
const MOST_PROBLEMS = 3;
/** Fields and the lengths they are cut to, one after the other, until the refusal fits. */
const CUTS = [
  ['got', 80],
  ['message', 160],
  ['expected', 120],
  ['got', 24],
  ['next_action', 80],
  ['pointer', 60],
  ['message', 24],
  ['expected', 24],
  ['tool', 24],
] as const;
const SHORT_FIELDS = [
  'ok',
  'status',
  'code',
  'reason',
  'message',
  'tool',
  'platform',
  'hint',
  'pointer',
  'expected',
  'got',
];

/** The same refusal within the limit: further problems go first, then long texts are cut, each with its mark. */
export function fitRefusal(refusal: Refusal): Refusal {
  const { problems, schema: _schema, ...fitted } = refusal as Refusal & { problems?: unknown[]; schema?: unknown };
  for (let count = Math.min(MOST_PROBLEMS, problems?.length ?? 0); count > 0; count--) {
    const whole = { ...fitted, problems: problems?.slice(0, count) };
    if (fits(whole)) return whole;
  }
  // The three fields say the same.
  if (!fits(fitted) && typeof fitted['pointer'] === 'string')
    fitted.message = `\`${fitted['pointer'] || '/'}\` is not valid`;
  for (const [field, max] of CUTS) {
    const text = fitted[field];
    if (!fits(fitted) && typeof text === 'string') fitted[field] = shortText(text, max);
  }
  if (fits(fitted)) return fitted;
  const bare = Object.fromEntries(Object.entries(fitted).filter(([name]) => SHORT_FIELDS.includes(name))) as Refusal;
  return fits(bare)
    ? bare
    : { ...bare, message: 'the arguments are not valid', pointer: '', expected: '', got: '', tool: '' };
}

const fits = (refusal: object) => JSON.stringify(refusal).length <= ARGUMENT_REFUSAL_LIMIT;
