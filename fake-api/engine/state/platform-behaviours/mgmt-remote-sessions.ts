/** A remote support session that is extended closes that much later; one that is not open cannot be extended. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuse } from '../../http/platform-answer.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const LONGEST_MINUTES = 240;
const MINUTE_MS = 60_000;

const minutesWith = (session: Subject | null, { minutes }: Values): number =>
  Number(session?.values['minutes'] ?? 0) + Number(minutes);

function extended(of: TaskCall, session: Subject | null): Values {
  if (session === null) return {};
  const minutes = minutesWith(session, of.input);
  changeRow(of, session.resource.name, session.id, { minutes });
  return { expiresAt: isoSeconds(Date.parse(String(session.values['openedAt'])) + minutes * MINUTE_MS) };
}

function cannotExtend({ body }: AcceptedRequest, session: Subject | null): Answer | null {
  const state = session?.values['state'];
  if (state !== 'OPEN') return refuse(409, 'SESSION_NOT_OPEN', `session: expected it to be OPEN, got ${state}`);
  const minutes = minutesWith(session, (body ?? {}) as Values);
  if (minutes <= LONGEST_MINUTES) return null;
  const message = `field "minutes": expected a session of ${LONGEST_MINUTES} minutes at most, got one of ${minutes}`;
  return refuse(409, 'SESSION_TOO_LONG', message);
}

/** By operation id in small letters. */
export const SESSION_DEEDS: ReadonlyMap<string, typeof extended> = new Map([['extendremotesession', extended]]);
export const SESSION_PROBLEMS: ReadonlyMap<string, typeof cannotExtend> = new Map([
  ['extendremotesession', cannotExtend],
]);
