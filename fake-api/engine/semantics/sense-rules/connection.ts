/** What is connected, or is not, and what follows from it. */
import { type Claim, numberOf, type SenseField, type SenseRule, written } from '../sense-rule.ts';
import { moments, says, stateOf } from './states.ts';

const CONNECTED = /^(online|up|connected|reachable)$/;
/** Whole minutes since a thing that is connected was last heard. */
const HEARD_MS = 60_000;

/** A thing that is connected has been heard. */
function heard(state: SenseField, field: SenseField): Claim {
  return {
    names: [state.name, field.name],
    broken: (values) => says(values, state, CONNECTED) && values[field.name] === null,
    repair: (_values, nowMs, free) => (free.has(field.name) ? { [field.name]: written(nowMs - HEARD_MS, field) } : {}),
  };
}

/** A port without a link learns no address and forwards nothing. */
function quiet(link: SenseField, field: SenseField): Claim {
  const silence = field.kind === 'number' ? 0 : field.schema.enum?.find((entry) => /^disabled$/i.test(String(entry)));
  return {
    names: [link.name, field.name],
    broken: (values) =>
      values[link.name] === false &&
      (field.kind === 'number'
        ? (numberOf(values[field.name]) ?? 0) > 0
        : /^(forwarding|learning|listening)$/i.test(String(values[field.name]))),
    repair: (_values, _nowMs, free) => (free.has(field.name) && silence !== undefined ? { [field.name]: silence } : {}),
  };
}

const isSpanningTree = ({ kind, words, schema }: SenseField): boolean =>
  kind === 'text' && schema.enum !== undefined && /^(stp|spanning tree) state$/.test(words.join(' '));

const isLearned = ({ kind, words }: SenseField): boolean =>
  kind === 'number' && /^(mac count|macs|learned macs)$/.test(words.join(' '));

export const CONNECTION: readonly SenseRule[] = [
  {
    id: 'connected-was-heard',
    habit: true,
    states: 'what is connected has been seen',
    claims: (fields) => {
      const state = stateOf(fields);
      if (state === undefined || !state.schema.enum?.some((entry) => CONNECTED.test(String(entry).toLowerCase())))
        return [];
      return moments(fields, /^last (seen|heard|contact|report)$/)
        .filter(({ nullable }) => nullable)
        .map((field) => heard(state, field));
    },
  },
  {
    id: 'down-port-is-quiet',
    states: 'a port without a link forwards nothing and learns no address',
    claims: (fields) => {
      const link = fields.find(({ kind, words }) => kind === 'truth' && /^(up|link up)$/.test(words.join(' ')));
      if (link === undefined) return [];
      return fields.filter((field) => isSpanningTree(field) || isLearned(field)).map((field) => quiet(link, field));
    },
  },
];
