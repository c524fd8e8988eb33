/** Subscriptions of the workspace: which device holds a seat, and subscriptions that are divided, united or given away. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { USERNAME } from '../../http/account.ts';
import { type Answer, refuse, refuseAt } from '../../http/platform-answer.ts';
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { type Row, rowParts } from '../collection.ts';
import { type JsonObject, textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';
import type { State } from '../state.ts';
import { newId } from '../stored-rows.ts';

const PLATFORM = 'workspace';
const SUBSCRIPTIONS = 'subscriptions';
const HELD = 'subscription-assignments';
const KEY_LENGTH = 14;

interface Seat {
  key: string;
  tier: string;
  endAt: string;
}

const subscription = (state: State, id: unknown): Row | undefined =>
  state.rows(PLATFORM, SUBSCRIPTIONS).get(String(id));

const withKey = (of: TaskCall, key: unknown): Row | undefined =>
  [...of.state.rows(PLATFORM, SUBSCRIPTIONS).all()].find(({ value }) => value['key'] === key);

const seatsOf = ({ value }: Row): Seat[] => (value['subscriptions'] ?? []) as unknown as Seat[];

function hold(of: TaskCall, device: string, seats: readonly Seat[]): void {
  changeRow(of, 'devices', device, { subscriptions: seats as unknown as JsonObject[] });
}

/** A device takes a seat of a subscription, in place of those that it had if the call says so, or gives its seat back. */
function seated(of: TaskCall, subject: Subject | null, isTaken: boolean): Values {
  const device = of.state.rows(PLATFORM, 'devices').get(String(subject?.id));
  const wanted = subscription(of.state, of.input['subscriptionId']);
  if (device === undefined || wanted === undefined) return {};
  const { key, tier, endAt } = wanted.value as unknown as Seat;
  const held = seatsOf(device);
  const isHeld = held.some((seat) => seat.key === key);
  const leaves = (seat: Seat): boolean =>
    isTaken ? of.input['replaceExisting'] === true && seat.key !== key : seat.key === key;
  const kept = held.filter((seat) => !leaves(seat));
  hold(of, device.id, isTaken && !isHeld ? [...kept, { key, tier, endAt }] : kept);
  for (const seat of held.filter(leaves)) giveBack(of, seat.key, device.id);
  if (isTaken && !isHeld) {
    free(of, wanted.id, -1);
    addRow(of, HELD, [wanted.id, device.id], {
      deviceId: device.id,
      serialNumber: String(device.value['serialNumber']),
      assignedAt: isoSeconds(of.state.clock.ms),
      assignedBy: USERNAME,
      graceEndsAt: null,
    });
  }
  return { seatsLeft: subscription(of.state, wanted.id)?.value['available'], tier };
}

function giveBack(of: TaskCall, key: string, device: string): void {
  const row = withKey(of, key);
  if (row === undefined) return;
  free(of, row.id, 1);
  removeRows(of, HELD, ({ id }) => rowParts(id)[0] === row.id && rowParts(id)[1] === device);
}

function free(of: TaskCall, id: string, seats: number): void {
  const { quantity, available } = subscription(of.state, id)?.value ?? {};
  const total = Number(quantity);
  resize(of, id, total, Math.min(total, Math.max(0, Number(available ?? 0) + seats)));
}

function resize(of: TaskCall, id: string, quantity: number, available: number): void {
  const usedPercent = Math.round((100 * (quantity - available)) / quantity);
  changeRow(of, SUBSCRIPTIONS, id, { quantity, available, usedPercent });
}

/** The new one has free seats alone: whoever holds a seat keeps it where it is. */
function divided(of: TaskCall, subject: Subject | null): Values {
  const row = subscription(of.state, subject?.id);
  if (row === undefined) return {};
  const [total, available, quantity] = [row.value['quantity'], row.value['available'], of.input['quantity']].map(
    Number,
  ) as [number, number, number];
  const dice = newId(of.state, PLATFORM, SUBSCRIPTIONS);
  const id = dice.uuid();
  addRow(of, SUBSCRIPTIONS, [id], {
    ...row.value,
    id,
    key: dice.base32(KEY_LENGTH),
    quantity,
    available: quantity,
    usedPercent: 0,
    costCentreId: (of.input['costCentreId'] ?? row.value['costCentreId'] ?? null) as string | null,
  });
  resize(of, row.id, total - quantity, available - quantity);
  return { newSubscriptionId: id, remaining: total - quantity };
}

/** The end of the term is the mean of all ends, each with the weight of its seats. */
function united(of: TaskCall, subject: Subject | null): Values {
  const row = subscription(of.state, subject?.id);
  if (row === undefined) return {};
  const others = textList(of.input['otherIds']).flatMap((id) => subscription(of.state, id) ?? []);
  const all = [row, ...others];
  const sum = (amount: (value: JsonObject) => number): number =>
    all.reduce((total, { value }) => total + amount(value), 0);
  const quantity = sum((value) => Number(value['quantity']));
  const weighted = sum((value) => Number(value['quantity']) * Date.parse(String(value['endAt'])));
  const endAt = isoSeconds(Math.round(weighted / quantity / 1000) * 1000);
  changeRow(of, SUBSCRIPTIONS, row.id, { endAt });
  resize(
    of,
    row.id,
    quantity,
    sum((value) => Number(value['available'] ?? 0)),
  );
  const keys = all.map(({ value }) => String(value['key']));
  const own = { key: keys[0] as string, tier: String(row.value['tier']), endAt };
  for (const device of [...of.state.rows(PLATFORM, 'devices').all()].filter((each) => holdsOneOf(each, keys)))
    hold(of, device.id, [...seatsOf(device).filter(({ key }) => !keys.includes(key)), own]);
  for (const { id } of others) takeIn(of, id, row.id);
  return { endAt, quantity, absorbedKeys: keys.slice(1) };
}

const holdsOneOf = (device: Row, keys: readonly string[]): boolean =>
  seatsOf(device).some(({ key }) => keys.includes(key));

function takeIn(of: TaskCall, from: string, to: string): void {
  for (const { id, value } of [...of.state.rows(PLATFORM, HELD).under([from])])
    addRow(of, HELD, [to, rowParts(id)[1] as string], value);
  removeRows(of, HELD, ({ id }) => rowParts(id)[0] === from);
  removeRows(of, SUBSCRIPTIONS, ({ id }) => id === from);
}

/** Free seats go first; then those that were given last, whose devices lose them. */
function givenAway(of: TaskCall, subject: Subject | null): Values {
  const row = subscription(of.state, subject?.id);
  if (row === undefined) return {};
  const [total, available] = [Number(row.value['quantity']), Number(row.value['available'] ?? 0)];
  const quantity = Number(of.input['quantity'] ?? total);
  const latestFirst = of.state
    .rows(PLATFORM, HELD)
    .under([row.id])
    .toSorted((left, right) => String(right.value['assignedAt']).localeCompare(String(left.value['assignedAt'])));
  const losing = latestFirst.slice(0, quantity === total ? undefined : Math.max(0, quantity - available));
  for (const { value } of losing) {
    const device = of.state.rows(PLATFORM, 'devices').get(String(value['deviceId']));
    if (device !== undefined)
      hold(
        of,
        device.id,
        seatsOf(device).filter(({ key }) => key !== row.value['key']),
      );
  }
  removeRows(of, HELD, ({ id }) => losing.some((each) => each.id === id));
  if (quantity === total) removeRows(of, SUBSCRIPTIONS, ({ id }) => id === row.id);
  else resize(of, row.id, total - quantity, Math.max(0, available - quantity));
  return { movedQuantity: quantity, newKey: newId(of.state, PLATFORM, SUBSCRIPTIONS).base32(KEY_LENGTH) };
}

/** By operation id. */
export const SUBSCRIPTION_DEEDS: Readonly<Record<string, (of: TaskCall, subject: Subject | null) => Values>> = {
  startAssignDeviceSubscription: (of, subject) => seated(of, subject, true),
  startUnassignDeviceSubscription: (of, subject) => seated(of, subject, false),
  splitSubscription: divided,
  startMergeSubscription: united,
  startTransferSubscription: givenAway,
};

function cannotDivide({ body }: AcceptedRequest, subject: Subject | null): Answer | null {
  const quantity = Number((body as Values)['quantity']);
  const { quantity: total, available } = subject?.values ?? {};
  const most = Math.min(Number(total) - 1, Number(available ?? 0));
  if (quantity <= most) return null;
  return refuseAt(
    'quantity',
    409,
    'NOT_ENOUGH_SEATS',
    `field "quantity": expected at most ${most} free seats, got ${quantity}`,
  );
}

function cannotUnite({ body, state }: AcceptedRequest, subject: Subject | null): Answer | null {
  for (const id of textList((body as Values)['otherIds'])) {
    const other = subscription(state, id)?.value;
    if (other === undefined || id === subject?.id) {
      const message = `field "otherIds": expected the id of another existing subscription, got "${id}"`;
      return refuseAt('otherIds', 400, 'REFERENCE_NOT_FOUND', message);
    }
    const [own, its] = [subject?.values ?? {}, other].map((each) => `${each['tier']} of ${each['type']}`);
    if (own !== its) return refuseAt('otherIds', 409, 'OTHER_TIER', `field "otherIds": expected ${own}, got ${its}`);
  }
  return null;
}

function cannotGiveAway({ body }: AcceptedRequest, subject: Subject | null): Answer | null {
  const { key, quantity: total, transferable } = subject?.values ?? {};
  if (transferable === false)
    return refuse(
      409,
      'NOT_TRANSFERABLE',
      `subscription ${key}: expected one that may change its owner, got one that may not`,
    );
  const quantity = Number((body as Values | undefined)?.['quantity'] ?? total);
  if (quantity <= Number(total)) return null;
  return refuseAt('quantity', 409, 'NOT_ENOUGH_SEATS', `field "quantity": expected at most ${total}, got ${quantity}`);
}

/** By operation id. */
export const SUBSCRIPTION_PROBLEMS: Readonly<Record<string, typeof cannotUnite>> = {
  splitSubscription: cannotDivide,
  startMergeSubscription: cannotUnite,
  startTransferSubscription: cannotGiveAway,
};
