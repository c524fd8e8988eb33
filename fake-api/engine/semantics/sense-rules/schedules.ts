/** When work is due, and how its result compares: schedules, due dates, bands and results before. */
import { followingClaim } from '../following-claim.ts';
import { stemOf } from '../ordered-claim.ts';
import {
  type Claim,
  fitted,
  momentOf,
  numberOf,
  type SenseField,
  type SenseRule,
  type Values,
  written,
} from '../sense-rule.ts';
import { emptyWhile, hasEnd, MINUTE, named, statesOf, text } from './outcomes.ts';

/** Minutes and hours of a cron line of five fields that run daily, on weekdays or on one day; undefined for others. */
function nextOfCron(line: string, nowMs: number): number | undefined {
  const [, minute, hour, day] = /^(\d+) (\d+) \* \* (\*|\d|1-5)$/.exec(line) ?? [];
  if (minute === undefined || hour === undefined) return undefined;
  const at = new Date(nowMs);
  at.setUTCHours(Number(hour), Number(minute), 0, 0);
  for (let days = 0; days < 9; days += 1) {
    const weekday = at.getUTCDay();
    const fits = day === '*' || (day === '1-5' ? weekday > 0 && weekday < 6 : weekday === Number(day));
    if (fits && at.getTime() > nowMs) return at.getTime();
    at.setUTCDate(at.getUTCDate() + 1);
  }
  return undefined;
}

function cronClaim(cron: SenseField, next: SenseField): Claim {
  const wanted = (values: Values, nowMs: number) => nextOfCron(text(values, cron), nowMs);
  return {
    names: [cron.name, next.name],
    broken: (values, nowMs) => {
      const usual = wanted(values, nowMs);
      return usual !== undefined && momentOf(values[next.name]) !== undefined && momentOf(values[next.name]) !== usual;
    },
    repair: (values, nowMs, free) => {
      const usual = wanted(values, nowMs);
      return usual !== undefined && free.has(next.name) ? { [next.name]: written(usual, next) } : {};
    },
  };
}

/** Levels of a risk, the smallest first. */
const LEVELS = [/^low$/i, /^(medium|moderate|elevated)$/i, /^high$/i, /^(critical|severe|very.?high)$/i];

const wordOf = (schema: SenseField['schema'], level: RegExp) => schema.enum?.find((word) => level.test(String(word)));

const DONE = /^(completed?|done|finished|succeeded|success|failed|aborted|cancelled|canceled|rolled.?back|stored)$/i;

function overdueClaim(date: SenseField, overdue: SenseField): Claim {
  const wanted = (values: Values, nowMs: number): number | undefined => {
    const at = momentOf(values[date.name]);
    return at === undefined ? undefined : Math.max(0, Math.floor((nowMs - at) / (24 * 60 * MINUTE)));
  };
  return {
    names: [date.name, overdue.name],
    broken: (values, nowMs) => {
      const [is, usual] = [numberOf(values[overdue.name]), wanted(values, nowMs)];
      return is !== undefined && usual !== undefined && is !== usual;
    },
    repair: (values, nowMs, free) =>
      free.has(overdue.name) ? { [overdue.name]: fitted(wanted(values, nowMs) ?? 0, overdue) } : {},
  };
}

export const SCHEDULES: readonly SenseRule[] = [
  {
    id: 'oldest-of-none',
    habit: true,
    states: 'where nothing waits there is no oldest',
    claims: (fields) =>
      fields
        .filter(({ kind, nullable, words }) => kind === 'moment' && nullable && words[0] === 'oldest')
        .flatMap((oldest) =>
          fields
            .filter(
              ({ kind, words }) =>
                kind === 'number' &&
                /(^| )(behind|waiting|missing|queued|backlog|pending|overdue)( count)?$/.test(words.join(' ')),
            )
            .map((count) => emptyWhile(oldest, [count], (values) => numberOf(values[count.name]) === 0)),
        ),
  },
  {
    id: 'next-run-of-schedule',
    habit: true,
    states: 'the next run is the next one of the schedule',
    claims: (fields) =>
      named(fields, /^(cron|schedule|schedule cron)$/)
        .filter(({ kind, schema }) => kind === 'text' && schema.enum === undefined)
        .flatMap((cron) =>
          fields
            .filter((field) => field.kind === 'moment' && /^next( run)?$/.test(stemOf(field)))
            .map((next) => cronClaim(cron, next)),
        ),
  },
  {
    id: 'overdue-since-its-date',
    habit: true,
    states: 'what is overdue is so since its date',
    claims: (fields) =>
      named(fields, /^(overdue days|days overdue)$/)
        .filter(({ kind }) => kind === 'number')
        .flatMap((overdue) =>
          fields
            .filter(
              ({ kind, words }) => kind === 'moment' && /^(date|due|due date|due at|due on)$/.test(words.join(' ')),
            )
            .map((date) => overdueClaim(date, overdue)),
        ),
  },
  {
    id: 'done-was-due',
    habit: true,
    states: 'what is done was due before',
    claims: (fields) =>
      statesOf(fields)
        .filter(hasEnd)
        .flatMap((state) =>
          fields
            .filter(
              ({ kind, words }) =>
                kind === 'moment' && /^(scheduled|planned|due)( (for|at|on|start))?$/.test(words.join(' ')),
            )
            .map((due) => ({
              names: [state.name, due.name],
              broken: (values: Values, nowMs: number) =>
                DONE.test(text(values, state)) && (momentOf(values[due.name]) ?? 0) > nowMs,
              repair: (values: Values, nowMs: number, free: ReadonlySet<string>) =>
                free.has(due.name)
                  ? {
                      [due.name]: written(
                        nowMs -
                          (((momentOf(values[due.name]) ?? nowMs) - nowMs) % (20 * 24 * 60 * MINUTE)) -
                          60 * MINUTE,
                        due,
                      ),
                    }
                  : {},
            })),
        ),
  },
  {
    id: 'band-of-score',
    habit: true,
    states: 'a band holds the scores that its name says',
    claims: (fields) => {
      const score = fields.find(({ kind, words }) => kind === 'number' && words.join(' ') === 'score');
      const band = fields.find(
        ({ words, schema }) =>
          /^(band|risk|level|risk level)$/.test(words.join(' ')) &&
          LEVELS.filter((level) => wordOf(schema, level) !== undefined).length > 2,
      );
      if (score === undefined || band === undefined) return [];
      const wanted = (values: Values) => {
        const is = numberOf(values[score.name]);
        const levels = LEVELS.flatMap((level) => wordOf(band.schema, level) ?? []);
        return is === undefined
          ? undefined
          : levels[Math.min(levels.length - 1, Math.floor((is / 100) * levels.length))];
      };
      return [followingClaim(band, [score], { wanted })];
    },
  },
  {
    id: 'negation-of-line',
    habit: true,
    states: 'what takes a line back is the line with no before it',
    claims: (fields) => {
      const [line] = named(fields, /^template text$/);
      const [negation] = named(fields, /^negation template text$/);
      if (line === undefined || negation === undefined) return [];
      const wanted = (values: Values) => {
        const said = values[line.name];
        if (typeof said !== 'string') return undefined;
        return said.startsWith('no ') ? said.slice(3) : `no ${said}`;
      };
      return [
        followingClaim(negation, [line], {
          wanted: (values) => (values[negation.name] === null ? undefined : wanted(values)),
        }),
      ];
    },
  },
  {
    id: 'better-than-before',
    habit: true,
    states: 'a plan is not rated worse than what it replaces',
    claims: (fields) =>
      named(fields, /^score before$|^before score$|^current score$/)
        .filter(({ kind }) => kind === 'number')
        .flatMap((before) =>
          named(fields, /^(plan |planned |expected |new )?score( after)?$/)
            .filter(({ kind }) => kind === 'number')
            .map((after) => ({
              names: [before.name, after.name],
              broken: (values: Values) => (numberOf(values[after.name]) ?? 101) <= (numberOf(values[before.name]) ?? 0),
              repair: (values: Values, _nowMs: number, free: ReadonlySet<string>) => {
                const is = numberOf(values[after.name]) ?? 80;
                return free.has(before.name) ? { [before.name]: fitted(Math.max(0, is - 12), before) } : {};
              },
            })),
        ),
  },
];
