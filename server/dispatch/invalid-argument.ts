/** Describes an invalid argument briefly: pointer, expected value, actual value, and the nearest valid one. */
import type { ErrorObject } from 'ajv';
import { isObject } from '../catalog/platform-document.ts';
import { CONTROL_ARGUMENTS } from '../catalog/request-parts.ts';
import { bodyFields } from '../catalog/request-schema.ts';
import type { JsonSchema } from '../catalog/tool.ts';
import { problemOf } from '../config/schema-check.ts';
import { isKin, isSlipOf, nearest } from '../nearest.ts';
import { isSecretAt, MASK, redactText } from '../telemetry/redact.ts';
import { type Refused, refuse, type Subject } from './envelope.ts';

const NAMES_SHOWN = 8;
const NEAR_SHOWN = 5;
/** Characters of a description: its first sentence says how a condition is written. */
const SAYS = 70;

/** The pointer is a JSON pointer into the arguments. */
export interface ArgumentProblem {
  pointer: string;
  expected: string;
  got: string;
  /** The name that was probably meant, where this one is not known. */
  instead?: string;
  within?: Within;
  /** A name that is not known, and nothing like it. */
  isUnknown?: true;
  /** Others at the same place that are not known either. */
  others?: readonly string[];
}

interface Within {
  argument: string;
  field: string;
  /** The description of the argument, where it tells how a field is written there. */
  says?: string;
}

/** The one field to correct, and up to three more in short. */
export function refuseArgument(
  subject: Subject,
  first: ArgumentProblem,
  others: readonly ArgumentProblem[] = [],
): Refused {
  const { pointer, expected, got } = first;
  const at = pointer || '/';
  return refuse('ARGUMENTS_INVALID', subject, `\`${at}\` ${expected}, got ${got}`, {
    pointer,
    expected,
    got,
    next_action: nextAction(first, at),
    ...(others.length > 0 ? { problems: others.map((other) => `${other.pointer || '/'} ${other.expected}`) } : {}),
  });
}

function nextAction({ instead, within, others }: ArgumentProblem, at: string): string {
  if (others !== undefined) return 'call again without the names that are not known here';
  if (within !== undefined) {
    const says = within.says === undefined ? '' : `: ${within.says.slice(0, SAYS)}`;
    return `call again with ${within.field} in ${within.argument}${says}`;
  }
  return instead === undefined ? `call again with ${at} corrected` : `call again with ${instead} in place of ${at}`;
}

/** A problem fit for a message: secret values masked, valid names next to wrong ones, no schema. */
export function argumentProblem(error: ErrorObject, secrets: ReadonlySet<string> = new Set()): ArgumentProblem {
  const { pointer, expected, got } = problemOf(error);
  const parent = (error.parentSchema ?? {}) as JsonSchema;
  const secret =
    parent['writeOnly'] === true ||
    parent['format'] === 'password' ||
    pointer.split('/').some((name) => secrets.has(name)) ||
    isSecretAt(pointer.split('/'));
  return {
    pointer,
    ...(namesInstead(error) ?? { expected }),
    got: secret && got !== 'nothing' ? MASK : redactText(got),
  };
}

/** For a rule that lists names or values: the nearest of them, and their number. */
function namesInstead(error: ErrorObject): Omit<ArgumentProblem, 'pointer' | 'got'> | undefined {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'enum') return { expected: oneOf(params['allowedValues'] as readonly unknown[], error.data) };
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof unknown !== 'string') return undefined;
  const properties = ((error.parentSchema as JsonSchema | undefined)?.['properties'] ?? {}) as Record<string, unknown>;
  const given = Object.keys((error.data as object | undefined) ?? {});
  const known = Object.keys(properties);
  const beside = known.includes('arguments') ? besideArguments(unknown, known, error.data) : undefined;
  if (beside !== undefined) return beside;
  if (bodyFields(error.parentSchema as JsonSchema).includes(unknown))
    return { expected: `is not known here; ${unknown} belongs in body`, within: { argument: 'body', field: unknown } };
  const near = nearest(unknown, known).filter((name) => isKin(unknown, name) || isSlipOf(unknown, name));
  // Two short words differ in a few letters and mean different things: what is only spelled alike is asked about, not ordered.
  const best = near.find((name) => isKin(unknown, name) && !given.includes(name));
  if (near.length > 0)
    return { expected: `is not known here; did you mean ${near.join(', ')}?`, ...(best ? { instead: best } : {}) };
  const within = placeWithin(unknown, properties);
  if (within !== undefined)
    return { expected: `is not known here; ${within.field} belongs in ${within.argument}`, within };
  const expected = known.length === 0 ? 'is not known here' : `is not known here; known are ${some(known)}`;
  return { expected, isUnknown: true };
}

/** Unknown names of one place in one problem: whoever sends back an object that was read has several of them. */
export function gathered(problems: readonly ArgumentProblem[]): ArgumentProblem[] {
  const placeOf = ({ pointer }: ArgumentProblem) => pointer.slice(0, pointer.lastIndexOf('/'));
  const unknown = Map.groupBy(
    problems.filter(({ isUnknown }) => isUnknown),
    placeOf,
  );
  return problems.flatMap((problem) => {
    const [first, ...others] = problem.isUnknown ? (unknown.get(placeOf(problem)) ?? []) : [problem];
    if (first !== problem) return [];
    if (others.length === 0) return [problem];
    const names = others.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1));
    const expected = problem.expected.replace(/^is not known here/, `is not known here, nor are ${some(names)}`);
    return [{ ...problem, expected, others: names }];
  });
}

/** Of a name beside the `arguments` of a call: one of them, or all of them under another name. */
function besideArguments(
  unknown: string,
  known: readonly string[],
  data: unknown,
): Omit<ArgumentProblem, 'pointer' | 'got'> | undefined {
  if ((CONTROL_ARGUMENTS as readonly string[]).includes(unknown)) return inside(unknown);
  const given = data as Readonly<Record<string, unknown>>;
  if (given['name'] === undefined || nearest(unknown, known).length > 0) return undefined;
  return given['arguments'] === undefined && isObject(given[unknown])
    ? { expected: 'is not known here; did you mean arguments?', instead: 'arguments' }
    : inside(unknown);
}

const inside = (field: string): Omit<ArgumentProblem, 'pointer' | 'got'> => ({
  expected: 'belongs inside of /arguments',
  within: { argument: 'arguments', field },
});

/** Arguments whose text names fields of the rows. */
const CONDITIONS = ['filter', '$filter', 'search', 'q', 'query'];
const WORD = /[a-z][\w.-]*\w/gi;
/** Of several words, as no word of a sentence is. */
const FIELD = /[a-z][A-Z]|\w[_.]\w/;

/** Where a field of the rows belongs that was taken for an argument: the argument in whose description it is named. */
function placeWithin(unknown: string, properties: Readonly<Record<string, unknown>>): Within | undefined {
  for (const argument of CONDITIONS) {
    const says = (properties[argument] as JsonSchema | undefined)?.['description'];
    const words = typeof says === 'string' ? (says.match(WORD) ?? []) : [];
    const field =
      words.find((word) => word === unknown) ?? words.find((word) => FIELD.test(word) && isKin(unknown, word));
    if (field !== undefined) return { argument, field, says: String(says) };
  }
  return undefined;
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
