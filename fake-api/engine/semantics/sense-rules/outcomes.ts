/** What came of something beside the state that says so: reasons, results, and what has not been reached yet. */
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

export const MINUTE = 60_000;
const STATE = /^((final |last )?(status|state|phase|result|outcome|verdict)|\w+ (status|state))$/;
const GOOD =
  /^(ok|up|good|normal|ready|valid|succeeded|success|successful|completed?|done|finished|delivered|active|running|connected|established|online|enabled|healthy|in.?sync|passed|stored|applied|deployed|committed|operational|in.?service|none|met|approved|accepted)$/i;
const BAD = /fail|error|reject|timed.?out|denied|down|lost|abort|refused|broken/i;

const isNone = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
export const statesOf = (fields: readonly SenseField[]) =>
  fields.filter(({ words, schema }) => schema.enum !== undefined && STATE.test(words.join(' ')));
export const named = (fields: readonly SenseField[], test: RegExp) =>
  fields.filter(({ words }) => test.test(words.join(' ')));
export const text = (values: Values, { name }: SenseField) => String(values[name] ?? '');

/** Emptied while the condition holds: null where it may be null, an empty list where it is a list. */
export function emptyWhile(
  field: SenseField,
  others: readonly SenseField[],
  holds: (values: Values, nowMs: number) => boolean,
): Claim {
  const empty = field.kind === 'list' && !field.nullable ? [] : null;
  return {
    names: [...others.map(({ name }) => name), field.name],
    broken: (values, nowMs) => !isNone(values[field.name]) && holds(values, nowMs),
    repair: (_values, _nowMs, free) => (free.has(field.name) ? { [field.name]: empty } : {}),
  };
}
const canBeEmpty = ({ nullable, kind, schema }: SenseField) =>
  nullable || (kind === 'list' && (schema.minItems ?? 0) === 0);

const REASON =
  /^((fail(ed|ure)?|error|last|first|reject(ed|ion)?) )?(reason|reasons|reason text|error|error text|failure|fault|failed step|failed stage|error message|failure reason)$/;
const FAILED = /^(failed|has failed|is failed|error|in error)$/;

/** A moment within the last minutes while a condition holds; `leastMs` ago at the least. */
function latelyWhile(
  field: SenseField,
  others: readonly SenseField[],
  mostMs: number,
  holds: (values: Values) => boolean,
): Claim {
  return {
    names: [...others.map(({ name }) => name), field.name],
    broken: (values, nowMs) => {
      const at = momentOf(values[field.name]);
      return at !== undefined && holds(values) && nowMs - at > mostMs;
    },
    repair: (values, nowMs, free) => {
      const at = momentOf(values[field.name]) ?? nowMs;
      const ago = (0.05 + (Math.abs(at / 1000) % 97) / 120) * mostMs;
      return free.has(field.name) ? { [field.name]: written(nowMs - ago, field) } : {};
    },
  };
}

const SEEN = /^last (seen|heard|contact|poll|polled|report|reported|checkin|check in|keepalive|response)( at| time)?$/;
const ONLINE = /^(online|up|connected|reachable|active|running|established|healthy|operational)$/i;
const WORKING =
  /^(running|in.?progress|recording|starting|started|packing|collecting|executing|generating|capturing|uploading|building)$/i;
export const hasEnd = ({ schema }: SenseField) =>
  schema.enum?.some((word) =>
    /^(completed?|done|finished|succeeded|ready|success|failed|stored)$/i.test(String(word)),
  ) === true;
const NOT_YET = /^(draft|pending|scheduled|planned|prepared|distributing|waiting|queued|new|requested)$/i;
const NOT_UP =
  /^(down|idle|connect|init|active open|opensent|openconfirm|disconnected|offline|connecting|initialising|initializing)$/i;

export const OUTCOMES: readonly SenseRule[] = [
  {
    id: 'reason-of-failure-alone',
    habit: true,
    states: 'what went well has no reason why it failed',
    claims: (fields) =>
      statesOf(fields)
        .filter(({ schema }) => schema.enum?.some((word) => BAD.test(String(word))))
        .flatMap((state) =>
          named(fields, REASON)
            .filter((field) => field !== state && field.schema['x-svc-ref'] === undefined && canBeEmpty(field))
            .map((field) => emptyWhile(field, [state], (values) => GOOD.test(text(values, state)))),
        ),
  },
  {
    id: 'no-reason-without-failure',
    habit: true,
    states: 'what did not fail has no reason why it failed',
    claims: (fields) =>
      named(fields, FAILED)
        .filter(({ kind }) => kind === 'truth')
        .flatMap((truth) =>
          named(fields, REASON)
            .filter(canBeEmpty)
            .map((field) => emptyWhile(field, [truth], (values) => values[truth.name] === false)),
        ),
  },
  {
    id: 'failure-has-reason',
    habit: true,
    states: 'what failed says why',
    claims: (fields) =>
      statesOf(fields).flatMap((state) =>
        named(fields, /^(fail(ed|ure)? reason|reason|error text|last error|failure|error)$/)
          .filter(({ kind, nullable, schema }) => kind === 'text' && nullable && schema['x-svc-ref'] === undefined)
          .map((field) => ({
            names: [state.name, field.name],
            broken: (values: Values) =>
              /^(failed|error|errored)$/i.test(text(values, state)) && values[field.name] === null,
            repair: (_values: Values, _nowMs: number, free: ReadonlySet<string>) => {
              const reason = field.schema.enum?.find((word) => word !== null && !/none|ok/i.test(String(word)));
              return free.has(field.name) ? { [field.name]: reason ?? 'no answer from the server' } : {};
            },
          })),
      ),
  },
  {
    id: 'work-began-lately',
    habit: true,
    states: 'work that still runs began within the last hours',
    claims: (fields) =>
      statesOf(fields)
        .filter((state) => hasEnd(state) || state.schema.enum?.some((word) => /^starting$/i.test(String(word))))
        .flatMap((state) =>
          fields
            .filter(
              (field) => field.kind === 'moment' && /^(started|start|begun|since|last run|run)$/.test(stemOf(field)),
            )
            .map((field) =>
              latelyWhile(field, [state], 45 * MINUTE, (values) =>
                hasEnd(state) ? WORKING.test(text(values, state)) : /^starting$/i.test(text(values, state)),
              ),
            ),
        ),
  },
  {
    id: 'no-file-while-it-is-made',
    habit: true,
    states: 'what is still being made cannot be fetched',
    claims: (fields) =>
      statesOf(fields)
        .filter(hasEnd)
        .flatMap((state) =>
          named(fields, /^((download|file|result|report|capture|image) )?(url|link|href)$/)
            .filter(({ nullable }) => nullable)
            .map((field) =>
              emptyWhile(
                field,
                [state],
                (values) =>
                  WORKING.test(text(values, state)) ||
                  NOT_YET.test(text(values, state)) ||
                  BAD.test(text(values, state)),
              ),
            ),
        ),
  },
  {
    id: 'no-next-try-after-success',
    habit: true,
    states: 'what was delivered is not tried again',
    claims: (fields) =>
      statesOf(fields).flatMap((state) =>
        fields
          .filter(
            ({ kind, nullable, words }) =>
              kind === 'moment' && nullable && /^next (attempt|try|retry|delivery)/.test(words.join(' ')),
          )
          .map((field) =>
            emptyWhile(field, [state], (values) =>
              /^(delivered|succeeded|success|ok|done|completed|dead|given.?up|expired)$/i.test(text(values, state)),
            ),
          ),
      ),
  },
  {
    id: 'online-is-seen',
    habit: true,
    states: 'what is online was heard of within minutes',
    claims: (fields) => {
      const seen = fields.filter(({ kind, words }) => kind === 'moment' && SEEN.test(words.join(' ')));
      if (seen.length === 0) return [];
      const states = statesOf(fields).filter(
        ({ schema }) =>
          schema.enum?.some((word) => ONLINE.test(String(word))) &&
          schema.enum.some(
            (word) => BAD.test(String(word)) || /offline|disconnected|unreachable|idle|stopped/i.test(String(word)),
          ),
      );
      const truths = fields.filter(
        ({ kind, words }) => kind === 'truth' && /^(is )?(online|connected|up|reachable)$/.test(words.join(' ')),
      );
      return seen.flatMap((field) => [
        ...states.map((state) => latelyWhile(field, [state], 5 * MINUTE, (values) => ONLINE.test(text(values, state)))),
        ...truths.map((truth) => latelyWhile(field, [truth], 5 * MINUTE, (values) => values[truth.name] === true)),
      ]);
    },
  },
  {
    id: 'connected-since-only-when-up',
    habit: true,
    states: 'what is not connected has no time since which it is',
    claims: (fields) =>
      statesOf(fields).flatMap((state) =>
        named(fields, /^(connected|established|up|associated)( since| at)?$|^(master|active router|current master)$/)
          .filter(({ kind, nullable }) => nullable && kind !== 'truth' && kind !== 'number')
          .map((field) => emptyWhile(field, [state], (values) => NOT_UP.test(text(values, state)))),
      ),
  },
  {
    id: 'done-only-when-done',
    habit: true,
    states: 'what is still planned has no time at which it was done',
    claims: (fields) =>
      statesOf(fields).flatMap((state) =>
        fields
          .filter(
            (field) =>
              field.kind === 'moment' &&
              field.nullable &&
              /^(activated|applied|executed|published|signed|deployed|completed|finished)$/.test(stemOf(field)),
          )
          .map((field) => emptyWhile(field, [state], (values) => NOT_YET.test(text(values, state)))),
      ),
  },
  {
    id: 'never-run-found-nothing',
    habit: true,
    states: 'what has never run has found nothing',
    claims: (fields) =>
      fields
        .filter(
          (field) =>
            field.kind === 'moment' &&
            field.nullable &&
            /^last (run|check|checked|scan|scanned|compared)$/.test(stemOf(field)),
        )
        .flatMap((ran) =>
          fields
            .filter(
              ({ kind, words, schema }) =>
                kind === 'number' &&
                (schema.minimum ?? 0) <= 0 &&
                /^(drift|violations?|findings?|failures?|matches|hits|errors|conflicts?)( count)?$/.test(
                  words.join(' '),
                ),
            )
            .map((found) => ({
              names: [ran.name, found.name],
              broken: (values: Values) => values[ran.name] === null && (numberOf(values[found.name]) ?? 0) > 0,
              repair: (_values: Values, _nowMs: number, free: ReadonlySet<string>) =>
                free.has(found.name) ? { [found.name]: fitted(0, found) } : {},
            })),
        ),
  },
  {
    id: 'reason-of-the-action',
    habit: true,
    states: 'a reason for a bypass stands beside a bypass',
    claims: (fields) =>
      named(fields, /^\w{4,} reason$/)
        .filter(({ nullable }) => nullable)
        .flatMap((reason) => {
          const stem = (reason.words[0] as string).replace(/e?d$/, '').slice(0, 6);
          const action = fields.find(
            ({ words, schema }) =>
              /^(action|decision|mode|verdict)$/.test(words.join(' ')) &&
              schema.enum?.some((word) => String(word).toLowerCase().startsWith(stem)),
          );
          return action === undefined
            ? []
            : [emptyWhile(reason, [action], (values) => !text(values, action).toLowerCase().startsWith(stem))];
        }),
  },
  {
    id: 'up-without-outage',
    habit: true,
    states: 'what never went down was up all the time',
    claims: (fields) => {
      const number = (test: RegExp) =>
        fields.find(({ kind, words }) => kind === 'number' && test.test(words.join(' ')));
      const [up, breaks] = [
        number(/^(up percent|up share|uptime percent)$/),
        number(/^(flaps|outages|outages of day)$/),
      ];
      if (up === undefined || breaks === undefined) return [];
      return [
        {
          names: [up.name, breaks.name],
          broken: (values) => numberOf(values[breaks.name]) === 0 && (numberOf(values[up.name]) ?? 100) < 100,
          repair: (_values, _nowMs, free) => (free.has(up.name) ? { [up.name]: fitted(100, up) } : {}),
        },
      ];
    },
  },
];
