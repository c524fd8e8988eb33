/** Licences of the cloud WLAN: claimed with a code, moved to another organisation, and taken back. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { type Row, rowId, rowParts } from '../collection.ts';
import { Dice } from '../determinism.ts';
import type { JsonObject } from '../json-value.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';
import type { State } from '../state.ts';
import { newId } from '../stored-rows.ts';

const PLATFORM = 'cloudwlan';
const OF_ORG = 'org-licenses';
const OF_MSP = 'msp-licenses';
const TERM_MS = 3 * 365 * 86_400_000;
/** What an activation code may be for. */
const TYPES = ['SUB-AP', 'SUB-SWITCH', 'SUB-GATEWAY'];
const SIZES = [5, 10, 25];

const claimNote = (code: unknown): string => `claimed licence ${code}`;
const moveNote = (amendment: unknown): string => `moved licence ${amendment}`;

interface Moved {
  /** Row ids of the licence that gave and of the one that received. */
  from: string;
  to: string;
}

const licencesOf = (state: State, org: unknown): readonly Row[] => state.rows(PLATFORM, OF_ORG).under([String(org)]);

const withContract = (state: State, org: unknown, contract: unknown): Row | undefined =>
  licencesOf(state, org).find(({ value }) => value['subscription_id'] === contract);

function claimed(of: TaskCall, list: string): Values {
  const place = String(of.values[0]);
  const { code } = of.input;
  const dice = new Dice(of.state.seed, 'licence code', String(code));
  const [type, quantity] = [dice.pick(TYPES), dice.pick(SIZES)];
  const id = newId(of.state, PLATFORM, list).uuid();
  addRow(of, list, [place, id], {
    license_id: id,
    type,
    quantity,
    remaining: quantity,
    order_id: `PO-${dice.int(10_000, 99_999)}`,
    subscription_id: dice.base32(14),
    start_time: isoSeconds(of.state.clock.ms),
    end_time: isoSeconds(of.state.clock.ms + TERM_MS),
    trial: false,
    amendments: [],
  });
  of.state.notes.set(claimNote(code), true);
  if (list === OF_ORG) entitle(of, place, type, quantity);
  else entitleProvider(of, place, quantity);
  return { added: [{ type, entitled: quantity, used: 0 }] };
}

/** Both places that say how many licences an organisation has. */
function entitle(of: TaskCall, org: string, type: string, by: number): void {
  const id = rowId([org, '']);
  const balance = (of.state.rows(PLATFORM, 'org-licenses-summary').get(id)?.value['by_type'] ?? []) as JsonObject[];
  const known = balance.some((entry) => entry['type'] === type);
  const now = [...balance, ...(known ? [] : [{ type, entitled: 0, used: 0 }])].map((entry) =>
    entry['type'] === type ? { ...entry, entitled: Number(entry['entitled']) + by } : entry,
  );
  const missing = now.reduce((sum, { used, entitled }) => sum + Math.max(0, Number(used) - Number(entitled)), 0);
  changeRow(of, 'org-licenses-summary', id, { by_type: now, missing });
  const owned = (of.state.rows(PLATFORM, 'org-licenses-by_type').get(id)?.value['contracts'] ?? {}) as JsonObject;
  const contracts = { ...owned, [type]: Number(owned[type] ?? 0) + by };
  changeRow(of, 'org-licenses-by_type', id, { contracts });
}

function entitleProvider(of: TaskCall, msp: string, by: number): void {
  const id = rowId([msp, '']);
  const before = of.state.rows(PLATFORM, 'msp-licenses-stats').get(id)?.value['entitled'];
  changeRow(of, 'msp-licenses-stats', id, { entitled: Number(before ?? 0) + by });
}

const giverOf = (values: readonly string[], input: Values): unknown => input['src_org_id'] ?? values[0];

/** The licence says what was moved away; the receiver has one of the same contract. */
function moved(of: TaskCall): Values {
  const [from, to] = [String(giverOf(of.values, of.input)), String(of.input['dst_org_id'])];
  const given = withContract(of.state, from, of.input['subscription_id']);
  if (given === undefined || from === to) return {};
  const quantity = Number(of.input['quantity']);
  const amendment = {
    amendment_id: newId(of.state, PLATFORM, 'amendments').uuid(),
    quantity,
    start_time: isoSeconds(of.state.clock.ms),
    end_time: String(given.value['end_time']),
  };
  const amendments = [...((given.value['amendments'] ?? []) as JsonObject[]), amendment];
  changeRow(of, OF_ORG, given.id, { amendments, remaining: Number(given.value['remaining']) - quantity });
  const taken = receive(of, to, given, quantity);
  of.state.notes.set(moveNote(amendment.amendment_id), { from: given.id, to: taken } satisfies Moved);
  entitle(of, from, String(given.value['type']), -quantity);
  entitle(of, to, String(given.value['type']), quantity);
  return {};
}

/** Id of the row that holds them now. */
function receive(of: TaskCall, org: string, given: Row, quantity: number): string {
  const known = withContract(of.state, org, given.value['subscription_id']);
  if (known !== undefined) {
    const grown = (name: string): number => Number(known.value[name]) + quantity;
    changeRow(of, OF_ORG, known.id, { quantity: grown('quantity'), remaining: grown('remaining') });
    return known.id;
  }
  const id = newId(of.state, PLATFORM, OF_ORG).uuid();
  addRow(of, OF_ORG, [org, id], { ...given.value, license_id: id, quantity, remaining: quantity, amendments: [] });
  return rowId([org, id]);
}

function undone(of: TaskCall): Values {
  const { amendment_id: id } = of.input;
  const note = of.state.notes.get(moveNote(id)) as Moved | undefined;
  const rows = of.state.rows(PLATFORM, OF_ORG);
  const given = note === undefined ? undefined : rows.get(note.from);
  const taken = note === undefined ? undefined : rows.get(note.to);
  if (given === undefined) return {};
  const amendments = (given.value['amendments'] ?? []) as JsonObject[];
  const quantity = Number(amendments.find((each) => each['amendment_id'] === id)?.['quantity'] ?? 0);
  const kept = amendments.filter((each) => each['amendment_id'] !== id);
  const type = String(given.value['type']);
  changeRow(of, OF_ORG, given.id, { amendments: kept, remaining: Number(given.value['remaining']) + quantity });
  entitle(of, orgOf(given), type, quantity);
  of.state.notes.delete(moveNote(id));
  if (taken === undefined) return {};
  entitle(of, orgOf(taken), type, -quantity);
  const left = Number(taken.value['quantity']) - quantity;
  if (left <= 0) removeRows(of, OF_ORG, ({ id: each }) => each === taken.id);
  else changeRow(of, OF_ORG, taken.id, { quantity: left, remaining: Number(taken.value['remaining']) - quantity });
  return {};
}

const orgOf = ({ id }: Row): string => rowParts(id)[0] as string;

/** By operation id. */
const DEEDS: ReadonlyMap<string, (of: TaskCall) => Values> = new Map([
  ['claimOrgLicenses', (of: TaskCall) => claimed(of, OF_ORG)],
  ['claimMspLicenses', (of: TaskCall) => claimed(of, OF_MSP)],
  ['moveOrgLicenses', moved],
  ['moveMspLicenses', moved],
  ['undoOrgLicenseMove', undone],
]);

export function deedOnLicences(of: TaskCall): Values {
  return DEEDS.get(of.operationId)?.(of) ?? {};
}

function usedCode({ state, body }: AcceptedRequest): Answer | null {
  const { code } = body as Values;
  if (!state.notes.has(claimNote(code))) return null;
  return refuseAt('code', 409, 'ALREADY_CLAIMED', `field "code": expected a code that nobody has used, got "${code}"`);
}

function impossibleMove({ state, values, body }: AcceptedRequest): Answer | null {
  const input = body as Values;
  const { subscription_id: contract, quantity } = input;
  const given = withContract(state, giverOf(values, input), contract);
  if (given === undefined) {
    const message = `field "subscription_id": expected a contract of the organisation, got "${contract}"`;
    return refuseAt('subscription_id', 400, 'REFERENCE_NOT_FOUND', message);
  }
  const { remaining } = given.value;
  if (Number(quantity) <= Number(remaining)) return null;
  return refuseAt('quantity', 409, 'NOT_ENOUGH', `field "quantity": expected at most ${remaining}, got ${quantity}`);
}

function unknownMove({ state, body }: AcceptedRequest): Answer | null {
  const { amendment_id: id } = body as Values;
  if (state.notes.has(moveNote(id))) return null;
  const message = `field "amendment_id": expected a move that was not taken back, got "${id}"`;
  return refuseAt('amendment_id', 404, 'NOT_FOUND', message);
}

/** By operation id. */
const PROBLEMS: ReadonlyMap<string, (call: AcceptedRequest) => Answer | null> = new Map([
  ['claimOrgLicenses', usedCode],
  ['claimMspLicenses', usedCode],
  ['moveOrgLicenses', impossibleMove],
  ['moveMspLicenses', impossibleMove],
  ['undoOrgLicenseMove', unknownMove],
]);

export const licenceProblem = (call: AcceptedRequest): Answer | null => PROBLEMS.get(call.operation.id)?.(call) ?? null;
