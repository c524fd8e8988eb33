/** Flags, times and validity that a state decides. */
import { stemOf } from '../ordered-claim.ts';
import {
  type Claim,
  momentOf,
  numberOf,
  type SenseField,
  type SenseRule,
  type Values,
  written,
} from '../sense-rule.ts';
import { has, moments, reasonClaim, says, stateOf } from './states.ts';

const UP = /^(up|online|connected|established|reachable|running)$/;

const DOWN = /^(down|offline|disconnected|unreachable|failed)$/;

export const STATE_FLAGS: readonly SenseRule[] = [
  {
    id: 'truth-of-state',
    habit: true,
    states: 'what is up says so in its state',
    claims: (fields) => {
      const state = stateOf(fields);
      const truth = fields.find(
        ({ kind, words }) => kind === 'truth' && /^(is )?(up|connected|online|reachable)$/.test(words.join(' ')),
      );
      if (state === undefined || truth === undefined) return [];
      const wanted = (values: Values) =>
        says(values, state, UP)
          ? true
          : says(values, state, DOWN) || says(values, state, /^(idle|connect|init)$/)
            ? false
            : undefined;
      return [
        {
          names: [state.name, truth.name],
          broken: (values) =>
            wanted(values) !== undefined &&
            typeof values[truth.name] === 'boolean' &&
            wanted(values) !== values[truth.name],
          repair: (values, _nowMs, free) => (free.has(truth.name) ? { [truth.name]: wanted(values) } : {}),
        },
      ];
    },
  },
  {
    id: 'enabled-of-state',
    habit: true,
    states: 'what is switched off says so in its state',
    claims: (fields) => {
      const state = stateOf(fields);
      const truth = fields.find(({ kind, words }) => kind === 'truth' && /^(enabled?|active)$/.test(words.join(' ')));
      const off = state?.schema.enum?.find((word) => /^(off|disabled|inactive)$/i.test(String(word)));
      if (state === undefined || truth === undefined || off === undefined) return [];
      const wanted = (values: Values) => values[state.name] !== off;
      return [
        {
          names: [state.name, truth.name],
          broken: (values) =>
            typeof values[truth.name] === 'boolean' && has(values, state) && wanted(values) !== values[truth.name],
          repair: (values, _nowMs, free) => {
            if (values[truth.name] === false && free.has(state.name)) return { [state.name]: off };
            return free.has(truth.name) ? { [truth.name]: wanted(values) } : {};
          },
        },
      ];
    },
  },
  {
    id: 'time-only-when-so',
    habit: true,
    states: 'what has not happened has no time of it',
    claims: (fields) =>
      fields
        .filter(({ kind }) => kind === 'truth')
        .flatMap((truth) => {
          const stem = truth.words.filter((word) => word !== 'is').join(' ');
          return fields
            .filter((field) => field.kind === 'moment' && field.nullable && stem.length > 3 && stemOf(field) === stem)
            .map((moment) => reasonClaim(truth, moment));
        }),
  },
  {
    id: 'down-has-no-clients',
    states: 'what is down has no clients and carries nothing',
    claims: (fields) => {
      const state = stateOf(fields);
      if (state === undefined) return [];
      return fields
        .filter(
          ({ kind, words }) =>
            kind === 'number' &&
            /^(client count|num clients|clients|station count|uptime|uptime seconds|throughput bps|sessions|session count)$/.test(
              words.join(' '),
            ),
        )
        .map((field) => ({
          names: [state.name, field.name],
          broken: (values) => says(values, state, DOWN) && (numberOf(values[field.name]) ?? 0) > 0,
          repair: (_values, _nowMs, free) =>
            free.has(field.name) && (field.schema.minimum ?? 0) <= 0 ? { [field.name]: field.nullable ? null : 0 } : {},
        }));
    },
  },
  {
    id: 'validity-agrees-with-state',
    byClock: true,
    states: 'what has expired says so, and what is valid has not expired',
    claims: (fields) => {
      const state = stateOf(fields);
      const values = (state?.schema.enum ?? []).map((entry) => String(entry));
      const expired = values.find((entry) => /^expired$/i.test(entry));
      const valid = values.find((entry) => /^(valid|active)$/i.test(entry));
      if (state === undefined || expired === undefined || valid === undefined) return [];
      return moments(fields, /^(valid to|not after|expires|expiry|expiration|valid until)$/).map((field) =>
        expiryClaim(state, field, expired, valid),
      );
    },
  },
];

function expiryClaim(state: SenseField, field: SenseField, expired: string, valid: string): Claim {
  return {
    names: [state.name, field.name],
    broken: (values, nowMs) => {
      const at = momentOf(values[field.name]);
      if (at === undefined) return false;
      return (values[state.name] === valid && at < nowMs) || (values[state.name] === expired && at > nowMs);
    },
    repair: (values, nowMs, free) => {
      const at = momentOf(values[field.name]) as number;
      if (free.has(state.name)) return { [state.name]: at < nowMs ? expired : valid };
      return free.has(field.name) ? { [field.name]: written(nowMs - (at - nowMs), field) } : {};
    },
  };
}
