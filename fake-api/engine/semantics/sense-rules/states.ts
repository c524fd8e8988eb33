/** A state and what it implies for the fields beside it. */
import { wordsOf } from '../field-name-words.ts';
import { stemOf } from '../ordered-claim.ts';
import { type Claim, momentOf, type SenseField, type SenseRule, type Values, written } from '../sense-rule.ts';

const STATE = /^(status|state|phase|stage)$/;
const HOUR = 3_600_000;

export const stateOf = (fields: readonly SenseField[]) =>
  fields.find(({ words, schema }) => words.length === 1 && STATE.test(words[0] as string) && schema.enum !== undefined);
export const has = (values: Values, field: SenseField) =>
  values[field.name] !== undefined && values[field.name] !== null;
export const says = (values: Values, field: SenseField, test: RegExp) =>
  test.test(String(values[field.name] ?? '').toLowerCase());
export const moments = (fields: readonly SenseField[], test: RegExp) =>
  fields.filter((field) => field.kind === 'moment' && test.test(stemOf(field)));

/** While the object is in one of the states, the field is null. */
function absentIn(state: SenseField, test: RegExp, field: SenseField): Claim {
  return {
    names: [state.name, field.name],
    broken: (values) => says(values, state, test) && has(values, field),
    repair: (_values, _nowMs, free) => (free.has(field.name) && field.nullable ? { [field.name]: null } : {}),
  };
}

/** In one of the states the moment is there. */
function presentIn(state: SenseField, test: RegExp, field: SenseField): Claim {
  return {
    names: [state.name, field.name],
    broken: (values) => says(values, state, test) && values[field.name] === null,
    repair: (values, nowMs, free) => {
      if (!free.has(field.name)) return {};
      const known = Object.values(values).flatMap((value) => momentOf(value) ?? []);
      const past = known.filter((at) => at <= nowMs);
      return { [field.name]: written(Math.min(nowMs, Math.max(...past, nowMs - 30 * HOUR) + HOUR), field) };
    },
  };
}

function implies(id: string, states: string, test: RegExp, of: RegExp, presence: 'absent' | 'present'): SenseRule {
  return {
    id,
    states,
    claims: (fields) => {
      const state = stateOf(fields);
      if (state === undefined || !state.schema.enum?.some((entry) => test.test(String(entry).toLowerCase()))) return [];
      return moments(fields, of)
        .filter(({ nullable }) => nullable)
        .map((field) => (presence === 'absent' ? absentIn(state, test, field) : presentIn(state, test, field)));
    },
  };
}

const CLEARED = /^(cleared|resolved|closed)$/;
const ENDED = /^(ended|end|finished|completed|packed|ready)$/;
const OPEN_STATES = /^(active|open|raised|new|firing|acknowledged|in.?progress)$/;
const RUNNING =
  /^(running|in.?progress|pending|queued|started|initializing|scheduled|packing|waiting|recording|collecting|building|generating)$/;
const DONE = /^(completed|succeeded|success|failed|finished|done|cancelled|canceled|aborted|ready)$/;

export const STATES: readonly SenseRule[] = [
  implies('open-not-cleared', 'an open alert has no time of clearing', OPEN_STATES, CLEARED, 'absent'),
  implies('cleared-has-time', 'a cleared alert has a time of clearing', CLEARED, CLEARED, 'present'),
  implies('running-not-ended', 'what still runs has no end', RUNNING, ENDED, 'absent'),
  implies('done-has-end', 'what is done has an end', DONE, ENDED, 'present'),
  implies('revoked-has-time', 'what is revoked has a time of revocation', /^revoked$/, /^revoked$/, 'present'),
  implies(
    'valid-not-revoked',
    'what is valid has no time of revocation',
    /^(valid|active|expired)$/,
    /^revoked$/,
    'absent',
  ),
  implies(
    'open-has-opening',
    'an open case has a time of opening',
    OPEN_STATES,
    /^(opened|raised|created)$/,
    'present',
  ),
  implies(
    'pending-not-decided',
    'a pending request has no decision',
    /^(pending|requested|new|open|waiting)$/,
    /^(decided|approved|rejected|signed|reviewed)$/,
    'absent',
  ),
  implies(
    'acknowledged-has-time',
    'what is acknowledged has a time of it',
    /^(acknowledged|acked)$/,
    /^(acknowledged|acked)$/,
    'present',
  ),
  {
    id: 'failure-has-reason-only-when-failed',
    states: 'only a failure has a reason of failure',
    claims: (fields) => {
      const state = stateOf(fields);
      if (state === undefined || !state.schema.enum?.some((entry) => /fail|error|reject/i.test(String(entry))))
        return [];
      return fields
        .filter(
          ({ name, kind, nullable }) =>
            kind === 'text' &&
            nullable &&
            /^(fail(ure|ed)?|error)[-_]?(reason|message|text|step|stage|phase|at|cause)?$/i.test(name),
        )
        .map((field) => ({
          names: [state.name, field.name],
          broken: (values) =>
            has(values, field) &&
            has(values, state) &&
            !/fail|error|reject|partial|abort|warn|degrad|down|cancel/i.test(String(values[state.name])),
          repair: (_values, _nowMs, free) => (free.has(field.name) ? { [field.name]: null } : {}),
        }));
    },
  },
  {
    id: 'reason-only-when-so',
    states: 'a reason stands only beside what happened',
    claims: (fields) =>
      fields
        .filter(({ kind }) => kind === 'truth')
        .flatMap((truth) => {
          const stem = truth.words.join(' ').replace(/e?d$/, '');
          const reason = fields.find(
            ({ kind, nullable, words }) =>
              kind === 'text' &&
              nullable &&
              words.at(-1) === 'reason' &&
              stem.length > 3 &&
              words.join(' ').startsWith(stem),
          );
          return reason === undefined ? [] : [reasonClaim(truth, reason)];
        }),
  },
  {
    id: 'detail-of-type',
    habit: true,
    states: 'the text of an event says what its type says',
    claims: (fields) => {
      const type = fields.find(
        ({ kind, words, schema }) =>
          kind === 'text' &&
          (schema.enum?.length ?? 0) > 3 &&
          /^(type|event|event type|alarm type|alert type|complaint|symptom)$/.test(words.join(' ')),
      );
      const detail = fields.find(
        ({ kind, words, schema }) =>
          kind === 'text' &&
          schema.enum === undefined &&
          schema['x-svc-ref'] === undefined &&
          /^(detail|details|message|text|event text|alarm text)$/.test(words.join(' ')),
      );
      return type === undefined || detail === undefined ? [] : [detailClaim(type, detail)];
    },
  },
];

const ACRONYMS =
  /\b(ap|ip|dns|dhcp|arp|bgp|vpn|vlan|wan|lan|lte|radius|ntp|mac|psk|poe|stp|cpu|ssid|tls|url|ospf|nac|dos)\b/gi;

/** `ip_conflict` and `IpConflict` as a sentence: `IP conflict`. */
function sentenceOf(word: string): string {
  const plain = wordsOf(word).join(' ');
  return (plain.charAt(0).toUpperCase() + plain.slice(1)).replaceAll(ACRONYMS, (name) => name.toUpperCase());
}

function detailClaim(type: SenseField, detail: SenseField): Claim {
  const wanted = (values: Values) => sentenceOf(String(values[type.name]));
  return {
    names: [type.name, detail.name],
    broken: (values) => {
      const is = values[detail.name];
      return typeof is === 'string' && has(values, type) && !is.startsWith(wanted(values));
    },
    repair: (values, _nowMs, free) => {
      const text = wanted(values);
      return free.has(detail.name) && text.length <= (detail.schema.maxLength ?? 255) ? { [detail.name]: text } : {};
    },
  };
}

export function reasonClaim(truth: SenseField, reason: SenseField): Claim {
  return {
    names: [truth.name, reason.name],
    broken: (values) => values[truth.name] === false && has(values, reason),
    repair: (_values, _nowMs, free) => (free.has(reason.name) ? { [reason.name]: null } : {}),
  };
}
