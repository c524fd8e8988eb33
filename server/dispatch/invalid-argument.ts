/** Describes an invalid argument briefly: pointer, expected value, actual value, and the nearest valid one. */
import type { ErrorObject } from 'ajv';
import { CONTROL_ARGUMENTS } from '../catalog/request-parts.ts';
import type { JsonSchema } from '../catalog/tool.ts';
import { problemOf } from '../config/schema-check.ts';
import { nearest } from '../nearest.ts';
import { isSecretName, MASK, redactText } from '../telemetry/redact.ts';
import { type Refused, refuse, type Subject } from './envelope.ts';

const NAMES_SHOWN = 8;
const NEAR_SHOWN = 5;

/** The pointer is a JSON pointer into the arguments. */
export interface ArgumentProblem {
  pointer: string;
  expected: string;
  got: string;
  /** The name that was probably meant, where this one is not known. */
  instead?: string;
}

/** The one field to correct, and up to three more in short. */
export function refuseArgument(
  subject: Subject,
  first: ArgumentProblem,
  others: readonly ArgumentProblem[] = [],
): Refused {
  const { pointer, expected, got, instead } = first;
  const at = pointer || '/';
  return refuse('ARGUMENTS_INVALID', subject, `\`${at}\` ${expected}, got ${got}`, {
    pointer,
    expected,
    got,
    next_action:
      instead === undefined ? `call again with ${at} corrected` : `call again with ${instead} in place of ${at}`,
    ...(others.length > 0 ? { problems: others.map((other) => `${other.pointer || '/'} ${other.expected}`) } : {}),
  });
}

/** A problem fit for a message: secret values masked, valid names next to wrong ones, no schema. */
export function argumentProblem(error: ErrorObject, secrets: ReadonlySet<string> = new Set()): ArgumentProblem {
  const { pointer, expected, got } = problemOf(error);
  const parent = (error.parentSchema ?? {}) as JsonSchema;
  const secret =
    parent['writeOnly'] === true ||
    parent['format'] === 'password' ||
    pointer.split('/').some((name) => secrets.has(name) || isSecretName(name));
  return {
    pointer,
    ...(namesInstead(error) ?? { expected }),
    got: secret && got !== 'nothing' ? MASK : redactText(got),
  };
}

/** For a rule that lists names or values: the nearest of them, and their number. */
function namesInstead(error: ErrorObject): Pick<ArgumentProblem, 'expected' | 'instead'> | undefined {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'enum') return { expected: oneOf(params['allowedValues'] as readonly unknown[], error.data) };
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof unknown !== 'string') return undefined;
  const parent = error.parentSchema as { properties?: object } | undefined;
  const given = Object.keys((error.data as object | undefined) ?? {});
  const known = Object.keys(parent?.properties ?? {});
  if (known.includes('arguments') && (CONTROL_ARGUMENTS as readonly string[]).includes(unknown))
    return { expected: 'belongs inside of /arguments' };
  const near = nearest(unknown, known);
  const [best] = near.filter((name) => !given.includes(name));
  if (near.length > 0)
    return { expected: `is not known here; did you mean ${near.join(', ')}?`, ...(best ? { instead: best } : {}) };
  return { expected: known.length === 0 ? 'is not known here' : `is not known here; known are ${some(known)}` };
}

function oneOf(values: readonly unknown[], given: unknown): string {
  const texts = values.map((value) => JSON.stringify(value));
  if (texts.length <= NAMES_SHOWN) return `should be one of [${texts.join(',')}]`;
  const near = nearest(String(given), values.map(String), NEAR_SHOWN).map((value) => JSON.stringify(value));
  const shown = near.length > 0 ? near : texts.slice(0, NEAR_SHOWN);
  return `should be one of ${texts.length} values, for example ${shown.join(', ')}`;
}

const some = (names: readonly string[]) =>
  names.length <= NAMES_SHOWN
    ? names.join(', ')
    : `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more`;
