/** How far work is, and when growth comes to its end. */
import { followingClaim } from '../following-claim.ts';
import { fitted, type SenseRule, type Values } from '../sense-rule.ts';
import { amount, named } from './usage.ts';

export const PROGRESS: readonly SenseRule[] = [
  {
    id: 'no-end-without-growth',
    habit: true,
    states: 'what does not grow is never exhausted',
    claims: (fields) => {
      const [growth] = named(fields, /^growth/);
      const end = fields.find(
        ({ kind, nullable, words }) => kind === 'moment' && nullable && /^exhaust/.test(words[0] ?? ''),
      );
      if (growth === undefined || end === undefined) return [];
      return [
        {
          names: [growth.name, end.name],
          broken: (values) => (amount(values, growth) ?? 1) <= 0 && (values[end.name] ?? null) !== null,
          repair: (_values, _nowMs, free) => (free.has(end.name) ? { [end.name]: null } : {}),
        },
      ];
    },
  },
  {
    id: 'progress-of-state',
    habit: true,
    states: 'what is done is at a hundred percent, what waits at none',
    claims: (fields) => {
      const state = fields.find(
        ({ words, schema }) => /^(status|state|phase)$/.test(words.join(' ')) && schema.enum !== undefined,
      );
      const [progress] = named(fields, /^(progress|progress percent|percent complete|percent done|done percent)$/);
      if (state === undefined || progress === undefined) return [];
      const wanted = (values: Values) => {
        const word = String(values[state.name] ?? '').toLowerCase();
        if (/^(completed?|succeeded|success|done|finished|ready)$/.test(word)) return 100;
        return /^(queued|pending|scheduled|waiting|not.?started|new)$/.test(word) ? 0 : undefined;
      };
      return [
        {
          names: [state.name, progress.name],
          broken: (values) => {
            const [is, usual] = [amount(values, progress), wanted(values)];
            return is !== undefined && usual !== undefined && is !== usual;
          },
          repair: (values, _nowMs, free) =>
            free.has(progress.name) ? { [progress.name]: fitted(wanted(values) ?? 50, progress) } : {},
        },
      ];
    },
  },
  {
    id: 'phase-of-waiting',
    habit: true,
    states: 'what has not begun is in no phase yet',
    claims: (fields) => {
      const state = fields.find(
        ({ words, schema }) => /^(status|state)$/.test(words.join(' ')) && schema.enum !== undefined,
      );
      const [phase] = named(fields, /^(current phase|current step|phase number)$/).filter(
        ({ schema }) => (schema.minimum ?? 0) === 0,
      );
      if (state === undefined || phase === undefined) return [];
      return [
        followingClaim(phase, [state], {
          wanted: (values) =>
            /^(queued|pending|scheduled|waiting|not.?started|new|planned)$/i.test(String(values[state.name] ?? ''))
              ? 0
              : undefined,
        }),
      ];
    },
  },
  {
    id: 'error-of-forecast',
    habit: true,
    states: 'the error of a forecast is what came beside what was expected',
    claims: (fields) => {
      const [[actual], [expected], [error]] = [
        named(fields, /^actual$/),
        named(fields, /^expected$/),
        named(fields, /^error percent$/),
      ] as const;
      if (actual === undefined || expected === undefined || error === undefined) return [];
      const wanted = (values: Values) => {
        const [came, said] = [amount(values, actual), amount(values, expected)];
        if (came === undefined || said === undefined || said === 0) return undefined;
        return fitted(Math.round((Math.abs(came - said) / said) * 1000) / 10, error);
      };
      return [
        followingClaim(error, [actual, expected], {
          wanted,
          broken: (values) => {
            const [is, usual] = [amount(values, error), wanted(values) as number | undefined];
            return is !== undefined && usual !== undefined && Math.abs(is - usual) > 0.1;
          },
        }),
      ];
    },
  },
];
