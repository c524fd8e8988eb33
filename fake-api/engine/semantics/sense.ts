/** Every sense rule, and what they say of an object. Rules look at a schema once; the claims are kept beside it. */
import { type OpenApiDocument, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import { type Claim, type SenseRule, senseFields, type Values } from './sense-rule.ts';
import { ADDRESSES } from './sense-rules/addresses.ts';
import { AMOUNTS } from './sense-rules/amounts.ts';
import { BOTH_SIDES } from './sense-rules/both-sides.ts';
import { BOUNDS } from './sense-rules/bounds.ts';
import { CONNECTION } from './sense-rules/connection.ts';
import { CONSUMPTION } from './sense-rules/consumption.ts';
import { COUNTS } from './sense-rules/counts.ts';
import { METRIC_KINDS } from './sense-rules/metric-kinds.ts';
import { METRICS } from './sense-rules/metrics.ts';
import { OUTCOMES } from './sense-rules/outcomes.ts';
import { PEOPLE_AND_COMPUTERS } from './sense-rules/people-and-computers.ts';
import { PRESENT_TIME } from './sense-rules/present-time.ts';
import { PROTOCOLS } from './sense-rules/protocols.ts';
import { RADIO } from './sense-rules/radio.ts';
import { SCHEDULES } from './sense-rules/schedules.ts';
import { STATE_FLAGS } from './sense-rules/state-flags.ts';
import { STATES } from './sense-rules/states.ts';
import { TIME_ORDER } from './sense-rules/time-order.ts';
import { USAGE } from './sense-rules/usage.ts';
import { PROGRESS } from './sense-rules/work-progress.ts';

export const SENSE_RULES: readonly SenseRule[] = [
  ...STATES,
  ...STATE_FLAGS,
  ...CONNECTION,
  ...OUTCOMES,
  ...SCHEDULES,
  ...PRESENT_TIME,
  ...TIME_ORDER,
  ...AMOUNTS,
  ...BOUNDS,
  ...BOTH_SIDES,
  ...COUNTS,
  ...ADDRESSES,
  ...RADIO,
  ...PEOPLE_AND_COMPUTERS,
  ...PROTOCOLS,
  ...METRICS,
  ...METRIC_KINDS,
  ...USAGE,
  ...CONSUMPTION,
  ...PROGRESS,
];

export interface RuledClaim extends Claim {
  rule: SenseRule;
}

const claimsOfShape = new WeakMap<object, readonly RuledClaim[]>();

/** Claims of all rules about objects of this schema, not about those inside them. */
export function claimsOf(document: OpenApiDocument, schema: Schema): readonly RuledClaim[] {
  const { properties } = shapeOf(document, schema);
  const known = claimsOfShape.get(properties);
  if (known !== undefined) return known;
  const fields = senseFields(document, properties);
  const claims = SENSE_RULES.flatMap((rule) => rule.claims(fields).map((claim) => ({ ...claim, rule })));
  claimsOfShape.set(properties, claims);
  return claims;
}

/** Rounds after which the claims that still contradict each other are left as they are. */
const MOST_ROUNDS = 6;

/** The object with the fields of `free` changed until no claim is broken, as far as they can be. */
export function repaired(
  document: OpenApiDocument,
  schema: Schema,
  values: Values,
  free: ReadonlySet<string>,
  nowMs: number,
): Values {
  const claims = claimsOf(document, schema);
  let whole = values;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let changed = false;
    for (const claim of claims) {
      if (!claim.broken(whole, nowMs)) continue;
      const changes = claim.repair(whole, nowMs, free);
      if (Object.keys(changes).length === 0) continue;
      whole = { ...whole, ...changes };
      changed = true;
    }
    if (!changed) break;
  }
  return whole;
}
