/** A refusal in the error body of the platform, cut down to what the operation declares. */
import { STATUS_CODES } from 'node:http';
import { plain, type Shape, shapeOf } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { Dice } from '../state/determinism.ts';
import { byName } from '../state/json-value.ts';
import type { ErrorMeaning, ErrorStyle } from './error-style.ts';
import type { Refusal } from './platform-answer.ts';

/** Where in which namespace the call stands: what a support number is drawn from. */
export interface Origin {
  seed: number;
  sequence: number;
}

/** Text of the whole body, in the platform's media type. */
export function problemText(refusal: Refusal, operation: Operation | null, style: ErrorStyle, origin: Origin): string {
  if (style.body === null) return refusal.message;
  const declared = operation === null ? null : declaredNames(operation, refusal.status, style.media);
  const told = tellings(refusal, origin);
  const body = byName<unknown>();
  for (const [name, meaning] of Object.entries(style.body)) {
    if (declared !== null && !declared.all.has(name)) continue;
    const value = told[meaning] ?? (declared?.required.has(name) === true ? NONE[meaning] : undefined);
    if (value !== undefined) body[name] = cut(value, declared?.longest.get(name));
  }
  return JSON.stringify(body);
}

/** A refusal that names ten referrers may be longer than the platform lets a message be. */
function cut(value: unknown, longest = Number.POSITIVE_INFINITY): unknown {
  return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest - 1)}…` : value;
}

/** What a platform says of fields that always says something of them. */
const NONE: Partial<Record<ErrorMeaning, unknown>> = { fields: {}, 'field-list': [] };

/** A refusal that is about no field has nothing to say about fields. */
function tellings({ status, code, message, at }: Refusal, origin: Origin): Record<ErrorMeaning, unknown> {
  const field = at === undefined ? undefined : at.replaceAll('/', '.');
  return {
    status,
    code,
    message,
    title: STATUS_CODES[status] ?? 'Error',
    type: `https://errors.example/${code.toLowerCase().replaceAll('_', '-')}`,
    'debug-id': new Dice(origin.seed, 'debug', origin.sequence).uuid(),
    fields: field === undefined ? undefined : { [field]: message },
    'field-list': field === undefined ? undefined : [{ field, message }],
    pointer: at === undefined ? undefined : `/${at}`,
  };
}

interface Names {
  all: Set<string>;
  required: Set<string>;
  longest: Map<string, number | undefined>;
}

const known = new WeakMap<Operation, Map<number, Names | null>>();

/** Null where any name may stand. */
function declaredNames(operation: Operation, status: number, media: string): Names | null {
  const byStatus = known.get(operation) ?? new Map<number, Names | null>();
  known.set(operation, byStatus);
  const cached = byStatus.get(status);
  if (cached !== undefined) return cached;
  const response = operation.responses[String(status)] ?? operation.responses['default'];
  const schema = response?.content?.[media]?.schema;
  const shape = schema === undefined ? null : shapeOf(operation.document, schema);
  const names = shape === null || shape.open ? null : namesOf(operation, shape);
  byStatus.set(status, names);
  return names;
}

function namesOf({ document }: Operation, { properties, required }: Shape): Names {
  const longest = Object.entries(properties).map(
    ([name, schema]) => [name, plain(document, schema).maxLength] as const,
  );
  return { all: new Set(Object.keys(properties)), required, longest: new Map(longest) };
}
