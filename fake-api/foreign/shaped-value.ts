/** Values for the answers of a call: what is known of them as their schema has it, and the rest drawn. */
import type { Call } from '../engine/http/accepted-call.ts';
import { flat } from '../engine/openapi/flattened-schema.ts';
import type { Schema } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import { drawFitting } from './drawn-values.ts';
import type { Things } from './foreign-resources.ts';
import { checkOf } from './foreign-schema-checks.ts';

/** A call with the objects that its platform keeps. */
export interface ForeignCall extends Call {
  things: Things;
}

export function shaped(call: ForeignCall, schema: Schema, given: unknown, key: string[], sparse = false): unknown {
  const check = checkOf(call.operation.document, schema, 'response');
  if (given !== undefined && !sparse && check(given) === null && isExact(call, schema, given)) return given;
  return drawnAnswer(call, schema, given, key, sparse);
}

/** What is given, and all else that the schema has; `sparse` is what a write makes, whose times count from the write. */
export function drawnAnswer(call: ForeignCall, schema: Schema, given: unknown, key: string[], sparse = false): unknown {
  const { clock } = call.state;
  const of = {
    document: call.operation.document,
    origin: call.things.origin(...key),
    nowMs: sparse ? clock.ms : clock.startMs,
    direction: 'response' as const,
    sparse,
    isSent: true,
  };
  return drawFitting(of, schema, given).value;
}

/** Whether a value says no more than its schema declares. */
function isExact(call: ForeignCall, schema: Schema, given: unknown): boolean {
  const at = flat(call.operation.document, schema);
  if (at.properties === undefined || !isObject(given)) return at.oneOf === undefined && at.anyOf === undefined;
  return Object.keys(given).every((name) => Object.hasOwn(at.properties as object, name));
}
