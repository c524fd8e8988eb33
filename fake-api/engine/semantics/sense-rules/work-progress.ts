/** How far work is, and when growth comes to its end. */
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
];
