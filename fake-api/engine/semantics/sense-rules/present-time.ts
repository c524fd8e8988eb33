/** Past and future against the clock of the network. */
import { stemOf } from '../ordered-claim.ts';
import { type Claim, momentOf, type SenseField, type SenseRule, written } from '../sense-rule.ts';

const HOUR = 3_600_000;

function onSideOfNow(field: SenseField, past: boolean): Claim {
  return {
    names: [field.name],
    broken: (values, nowMs) => {
      const at = momentOf(values[field.name]);
      // A date is a whole day, so the day of now is past and future.
      const slackMs = field.schema.format === 'date' ? 24 * HOUR : 0;
      return at !== undefined && (past ? at > nowMs + slackMs : at < nowMs - slackMs);
    },
    repair: (values, nowMs, free) => {
      const at = momentOf(values[field.name]);
      if (at === undefined || !free.has(field.name)) return {};
      return { [field.name]: written(nowMs - (at - nowMs), field) };
    },
  };
}

const PAST =
  /^(created|updated|modified|changed|(first|last) seen|last used|last login|last run|last sync|last updated|last modified|booted|raised|opened|cleared|closed|detected|occurred|acknowledged|started|installed|registered|added|issued|connected|disconnected|sent|delivered|published|recorded|learned|requested|decided|revoked|received|completed|finished|ended|archived|deleted|since|last polled|last checked|last synced|last heard|activated|exported|generated|made|published)$/;
const FUTURE = /^(next( \w+)?|upcoming)$/;

export const PRESENT_TIME: readonly SenseRule[] = [
  {
    id: 'past-is-past',
    states: 'what has happened is not in the future',
    claims: (fields) =>
      fields
        .filter((field) => field.kind === 'moment' && PAST.test(stemOf(field)))
        .map((field) => onSideOfNow(field, true)),
  },
  {
    id: 'next-is-future',
    byClock: true,
    states: 'the next run is not in the past',
    claims: (fields) =>
      fields
        .filter((field) => field.kind === 'moment' && FUTURE.test(stemOf(field)))
        .map((field) => onSideOfNow(field, false)),
  },
];
