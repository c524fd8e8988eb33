/** Invitations of administrators of the cloud WLAN: whoever is invited is on the list, until the invitation runs out. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import type { Row } from '../collection.ts';
import type { JsonObject } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import type { State } from '../state.ts';
import { newId } from '../stored-rows.ts';

const PLATFORM = 'cloudwlan';
const HOUR_MS = 3_600_000;
/** Hours for which an invitation holds, where the call does not say. */
const USUAL_HOURS = 72;
/** Lists of administrators by the operation that invites to it. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['inviteOrgAdmins', 'org-admins'],
  ['inviteMspAdmins', 'msp-admins'],
]);

function personAt(state: State, list: string, place: string, email: unknown): Row | undefined {
  const sought = String(email).toLowerCase();
  return state
    .rows(PLATFORM, list)
    .under([place])
    .find(({ value }) => String(value['email']).toLowerCase() === sought);
}

/** Whoever was invited before is invited anew, with the rights of the later invitation. */
function invited(of: TaskCall, list: string): Values {
  const { email, first_name: first, last_name: last, privileges, hours = USUAL_HOURS } = of.input as JsonObject;
  const place = String(of.values[0]);
  const told = {
    email: String(email),
    first_name: String(first),
    last_name: String(last),
    privileges: privileges ?? [],
    ...sent(of, Number(hours)),
  };
  const known = personAt(of.state, list, place, email);
  const id = String(known?.value['admin_id'] ?? newId(of.state, PLATFORM, list).uuid());
  if (known !== undefined) changeRow(of, list, known.id, told);
  else
    addRow(of, list, [place, id], {
      admin_id: id,
      ...told,
      phone: null,
      last_login_at: null,
      session_expiry: 1440,
      two_factor_required: false,
    });
  return { invite_id: id, expires_at: told.expires_at };
}

const sent = (of: TaskCall, hours: number) => ({
  state: 'invited',
  expires_at: isoSeconds(of.state.clock.ms + hours * HOUR_MS),
});

/** A person who works here already needs no invitation. */
function invitedAgain(of: TaskCall, person: Subject | null): Values {
  if (person !== null && person.values['state'] !== 'active')
    changeRow(of, person.resource.name, person.id, sent(of, USUAL_HOURS));
  return {};
}

/** An invitation that is withdrawn has run out now. */
function withdrawn(of: TaskCall, person: Subject | null): Values {
  const now = isoSeconds(of.state.clock.ms);
  if (person !== null && person.values['state'] === 'invited')
    changeRow(of, person.resource.name, person.id, { state: 'expired', expires_at: now });
  return {};
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, typeof withdrawn> = new Map([
  ['reinviteOrgAdmin', invitedAgain],
  ['uninviteOrgAdmin', withdrawn],
  ['uninviteMspAdmin', withdrawn],
]);

export function deedOnInvitation(of: TaskCall, person: Subject | null): Values {
  const list = LISTS.get(of.operationId);
  return list === undefined ? (DEEDS.get(of.operationId)?.(of, person) ?? {}) : invited(of, list);
}

export function needlessInvitation({ operation, state, values, body }: AcceptedRequest): Answer | null {
  const list = LISTS.get(operation.id);
  const email = (body as Values | undefined)?.['email'];
  const known = list === undefined ? undefined : personAt(state, list, String(values[0]), email);
  if (known?.value['state'] !== 'active') return null;
  const message = `field "email": expected somebody who is no administrator yet, got "${email}"`;
  return refuseAt('email', 409, 'ALREADY_EXISTS', message);
}
