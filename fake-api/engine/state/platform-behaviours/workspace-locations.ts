/** Places of the workspace that mean the same: the devices and people of the duplicates go to the one that stays. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { rowParts } from '../collection.ts';
import { type JsonObject, textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

const PLATFORM = 'workspace';
const LOCATIONS = 'locations';
const ON_SITE = 'location-devices';
/** Where an object says at which place it is. */
const PLACES = [
  ['devices', 'locationId'],
  ['connectors', 'locationId'],
  ['device-claims', 'locationId'],
  ['rma-cases', 'shipToLocationId'],
  ['users', 'officeLocationId'],
  [LOCATIONS, 'parentId'],
] as const;

const contactsOf = ({ contacts }: Values): JsonObject[] => (contacts ?? []) as JsonObject[];

function united(of: TaskCall, subject: Subject | null): Values {
  const rows = of.state.rows(PLATFORM, LOCATIONS);
  const kept = rows.get(String(subject?.id));
  if (kept === undefined) return {};
  const duplicates = textList(of.input['duplicateIds']).flatMap((id) => rows.get(id) ?? []);
  const gone = new Set(duplicates.map(({ id }) => id));
  const people = of.input['keepContacts'] === false ? [] : duplicates.flatMap(({ value }) => contactsOf(value));
  const known = new Set(contactsOf(kept.value).map(({ email }) => email));
  const newcomers = people.filter(({ email }) => !known.has(email));
  const moved = moveAll(of, gone, kept.id);
  changeRow(of, LOCATIONS, kept.id, {
    deviceCount: [kept, ...duplicates].reduce((sum, { value }) => sum + Number(value['deviceCount'] ?? 0), 0),
    contacts: [...contactsOf(kept.value), ...newcomers],
  });
  removeRows(of, LOCATIONS, ({ id }) => gone.has(id));
  return { devicesMoved: moved, contactsMoved: newcomers.length };
}

/** How many devices are somewhere else now. */
function moveAll(of: TaskCall, gone: ReadonlySet<string>, kept: string): number {
  let devices = 0;
  for (const [name, field] of PLACES) {
    const own = [...of.state.rows(PLATFORM, name).all()].filter(({ value }) => gone.has(String(value[field])));
    // The place that stays cannot be below itself.
    for (const { id } of own) changeRow(of, name, id, { [field]: id === kept ? null : kept });
    if (name === 'devices') devices = own.length;
  }
  const isGone = (id: string): boolean => gone.has(rowParts(id)[0] as string);
  for (const { id, value } of [...of.state.rows(PLATFORM, ON_SITE).all()])
    if (isGone(id)) addRow(of, ON_SITE, [kept, rowParts(id)[1] as string], value);
  removeRows(of, ON_SITE, ({ id }) => isGone(id));
  return devices;
}

export const LOCATION_DEEDS: Readonly<Record<string, typeof united>> = { startLocationMerge: united };

function unknownDuplicate({ body, state }: AcceptedRequest, subject: Subject | null): Answer | null {
  const known = state.rows(PLATFORM, LOCATIONS);
  const wrong = textList((body as Values)['duplicateIds']).find(
    (id) => id === subject?.id || known.get(id) === undefined,
  );
  if (wrong === undefined) return null;
  const message = `field "duplicateIds": expected the id of another existing location, got "${wrong}"`;
  return refuseAt('duplicateIds', 400, 'REFERENCE_NOT_FOUND', message);
}

export const LOCATION_PROBLEMS: Readonly<Record<string, typeof unknownDuplicate>> = {
  startLocationMerge: unknownDuplicate,
};
