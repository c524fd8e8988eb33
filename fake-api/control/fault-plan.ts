/**
 * Planned misbehaviour of the platforms: rules that say at which calls something goes wrong, and what. Nothing is left to
 * chance: a rule counts the calls it fits from the moment the plan was set and strikes at those it names.
 */
import { type TSchema, Type } from 'typebox';
import type { LedgerClass } from './ledger.ts';

/** Whether the platform had done what was asked when things went wrong. */
const Effect = Type.Optional(Type.Union([Type.Literal('before'), Type.Literal('after')]));
const one = <T extends string>(...values: T[]) => Type.Union(values.map((value) => Type.Literal(value)));
const fault = (kind: string, fields: Record<string, TSchema>) =>
  Type.Object({ kind: Type.Literal(kind), ...fields }, { additionalProperties: false });

export const ENCODINGS = ['raw', 'base64', 'base64url', 'hex', 'url', 'json', 'piece', 'gzip'] as const;

const Bytes = Type.Integer({ minimum: 1, maximum: 1_073_741_824 });
const Milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 });

const FaultSchema = Type.Union([
  fault('status', {
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    effect: Effect,
    retryAfter: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  fault('delay', { ms: Milliseconds }),
  fault('hang', { effect: Effect }),
  fault('reset', { effect: Effect }),
  fault('cut', { at: one('before', 'within', 'after') }),
  fault('length', { by: Type.Integer({ minimum: -100_000, maximum: 100_000 }) }),
  fault('broken-json', {}),
  fault('content-type', { value: Type.String({ maxLength: 200 }), body: Type.Optional(Type.String()) }),
  fault('huge', { bytes: Bytes }),
  fault('gzip-bomb', { bytes: Bytes }),
  fault('redirect', {
    to: Type.String({ maxLength: 2_000 }),
    status: Type.Optional(Type.Integer({ minimum: 300, maximum: 399 })),
    effect: Effect,
  }),
  fault('expire', {}),
  fault('drip', { bytes: Bytes, everyMs: Milliseconds }),
  fault('reflect', {
    in: Type.Array(one('body', 'header', 'error'), { minItems: 1 }),
    encodings: Type.Array(one(...ENCODINGS), { minItems: 1 }),
  }),
]);

const Rule = Type.Object(
  {
    platform: Type.Optional(Type.String()),
    /** operationId, or `METHOD /template`. */
    operation: Type.Optional(Type.String()),
    capability: Type.Optional(one('read', 'diagnostic', 'write', 'destructive', 'poll', 'auth')),
    /** First call it strikes at, from 1, and how many from there on; 0 for all. */
    from: Type.Optional(Type.Integer({ minimum: 1 })),
    times: Type.Optional(Type.Integer({ minimum: 0 })),
    fault: FaultSchema,
  },
  { additionalProperties: false },
);

export const FaultPlanBody = Type.Object(
  { rules: Type.Array(Rule, { maxItems: 1_000 }) },
  { additionalProperties: false },
);

/** The faults by kind, as the schema above admits them. */
export type Fault =
  | { kind: 'status'; status: number; effect?: 'before' | 'after'; retryAfter?: string }
  | { kind: 'delay'; ms: number }
  | { kind: 'hang' | 'reset'; effect?: 'before' | 'after' }
  | { kind: 'cut'; at: 'before' | 'within' | 'after' }
  | { kind: 'length'; by: number }
  | { kind: 'broken-json' }
  | { kind: 'expire' }
  | { kind: 'content-type'; value: string; body?: string }
  | { kind: 'huge' | 'gzip-bomb'; bytes: number }
  | { kind: 'redirect'; to: string; status?: number; effect?: 'before' | 'after' }
  | { kind: 'drip'; bytes: number; everyMs: number }
  | { kind: 'reflect'; in: ('body' | 'header' | 'error')[]; encodings: (typeof ENCODINGS)[number][] };

export interface FaultRule {
  platform?: string;
  operation?: string;
  capability?: LedgerClass;
  from?: number;
  times?: number;
  fault: Fault;
}

/** A call as a rule sees it. */
export interface FaultedCall {
  platform: string;
  method: string;
  template: string | null;
  operationId: string | null;
  capability: LedgerClass;
}

/** What a rule has seen so far: `GET /namespaces/{ns}/faults`. */
export interface FaultReport {
  rule: FaultRule;
  /** Calls that fitted, and at how many of them it struck. */
  seen: number;
  struck: number;
  /** When the fitting calls arrived, in real milliseconds since the plan was set; the latest 20,000. */
  arrivals: number[];
}

const ARRIVALS_KEPT = 20_000;

export class FaultPlan {
  #rules: { rule: FaultRule; seen: number; struck: number; arrivals: number[] }[] = [];
  #since = performance.now();
  /** Credentials that clients presented, for a platform that reflects them. */
  readonly heard = new Set<string>();

  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, seen: 0, struck: 0, arrivals: [] }));
    this.#since = performance.now();
    this.heard.clear();
  }

  get listens(): boolean {
    return this.#rules.some(({ rule }) => rule.fault.kind === 'reflect');
  }

  /** What goes wrong with this call. Every rule counts it; the first that is due strikes. */
  take(call: FaultedCall): Fault | undefined {
    let due: Fault | undefined;
    for (const entry of this.#rules) {
      const { rule } = entry;
      if (!fits(rule, call)) continue;
      entry.seen += 1;
      if (entry.arrivals.length < ARRIVALS_KEPT) entry.arrivals.push(performance.now() - this.#since);
      const from = rule.from ?? 1;
      const until = rule.times === 0 ? Number.POSITIVE_INFINITY : from + (rule.times ?? 1);
      if (due !== undefined || entry.seen < from || entry.seen >= until) continue;
      entry.struck += 1;
      due = rule.fault;
    }
    return due;
  }

  report(): FaultReport[] {
    return this.#rules.map(({ rule, seen, struck, arrivals }) => ({ rule, seen, struck, arrivals: [...arrivals] }));
  }
}

function fits(rule: FaultRule, call: FaultedCall): boolean {
  if (rule.platform !== undefined && rule.platform !== call.platform) return false;
  if (rule.capability !== undefined && rule.capability !== call.capability) return false;
  if (rule.operation === undefined) return true;
  return rule.operation === call.operationId || rule.operation === `${call.method} ${call.template}`;
}

/** The faults that stop a call before the platform does anything. */
export function strikesBefore(fault: Fault): boolean {
  switch (fault.kind) {
    case 'expire':
      return true;
    case 'status':
    case 'redirect':
    case 'hang':
    case 'reset':
      return fault.effect !== 'after';
    default:
      return false;
  }
}
