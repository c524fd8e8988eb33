/** What runs out in the workspace follows from its subscriptions, and who works where from the sign-ins. */
import { changeRow } from '../changed-row.ts';
import { type Row, rowId } from '../collection.ts';
import { type JsonObject, own } from '../json-value.ts';
import {
  NO_PLATFORM_BEHAVIOUR,
  type PlatformBehaviour,
  type Subject,
  type TaskCall,
  type Values,
} from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

const PLATFORM = 'workspace';
const DAY_MS = 86_400_000;
const WINDOWS = [30, 60, 90, 180, 365];
/** What a seat costs for a year, in euros. */
const PRICES: Readonly<Record<string, number>> = { FOUNDATION: 80, ADVANCED: 340, PREMIUM: 420, SECURITY: 260 };

/** A trial ends without a price. */
function costOf({ tier, quantity, isEvaluation }: JsonObject): number {
  return isEvaluation === true ? 0 : Number(quantity) * (PRICES[String(tier)] ?? 0);
}

function forecastRow(days: number, tier: string, ending: readonly JsonObject[]): Row {
  const sum = (amount: (row: JsonObject) => number) => ending.reduce((total, row) => total + amount(row), 0);
  const id = `${days}d-${tier.toLowerCase()}`;
  const value = {
    id,
    window: `${days}_DAYS`,
    tier,
    count: sum((row) => Number(row['quantity'])),
    affectedDevices: sum((row) => Number(row['quantity']) - Number(row['available'] ?? 0)),
    renewalCost: sum(costOf),
  };
  return { id: rowId([id]), value, secrets: {}, revision: 1 };
}

/** Everybody is signed out but those who may stay; the caller is signed in nowhere. */
function signOutAll(of: TaskCall): Values {
  const spared: unknown[] = Array.isArray(of.input['exceptUserIds']) ? of.input['exceptUserIds'] : [];
  const ended = removeRows(of, 'sessions', ({ value }) => !spared.includes(value['userId']));
  return { ended: ended.length, kept: [...of.state.rows(PLATFORM, 'sessions').all()].length };
}

interface Seat {
  key: string;
  tier: string;
  endAt: string;
}

/** A device takes a seat of a subscription, in place of those that it had if the call says so, or gives its seat back. */
function seated(of: TaskCall, subject: Subject | null, isTaken: boolean): Values {
  const device = of.state.rows(PLATFORM, 'devices').get(String(subject?.id));
  const wanted = of.state.rows(PLATFORM, 'subscriptions').get(String(of.input['subscriptionId']));
  if (device === undefined || wanted === undefined) return {};
  const { key, tier, endAt } = wanted.value as unknown as Seat;
  const held = (device.value['subscriptions'] ?? []) as unknown as Seat[];
  const isHeld = held.some((seat) => seat.key === key);
  const leaves = (seat: Seat): boolean =>
    isTaken ? of.input['replaceExisting'] === true && seat.key !== key : seat.key === key;
  const kept = held.filter((seat) => !leaves(seat));
  const now = isTaken && !isHeld ? [...kept, { key, tier, endAt }] : kept;
  changeRow(of, 'devices', device.id, { subscriptions: now as unknown as JsonObject[] });
  for (const seat of held.filter(leaves)) free(of, seat.key, 1);
  if (isTaken && !isHeld) free(of, key, -1);
  const { available } = of.state.rows(PLATFORM, 'subscriptions').get(wanted.id)?.value ?? {};
  return { seatsLeft: available, tier };
}

function free(of: TaskCall, key: string, seats: number): void {
  const row = [...of.state.rows(PLATFORM, 'subscriptions').all()].find(({ value }) => value['key'] === key);
  if (row === undefined) return;
  const quantity = Number(row.value['quantity']);
  const available = Math.min(quantity, Math.max(0, Number(row.value['available'] ?? 0) + seats));
  const usedPercent = Math.round((100 * (quantity - available)) / quantity);
  changeRow(of, 'subscriptions', row.id, { available, usedPercent });
}

const DEEDS: Readonly<Record<string, (of: TaskCall, subject: Subject | null) => Values>> = {
  revokeAllSessions: signOutAll,
  startAssignDeviceSubscription: (of, subject) => seated(of, subject, true),
  startUnassignDeviceSubscription: (of, subject) => seated(of, subject, false),
};

const workspaceBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  effect: (of, subject) => own(DEEDS, of.operationId)?.(of, subject) ?? {},
  hides: {
    'user-sessions': ({ sessionId }, { state }) => {
      const sessions = state.rows(PLATFORM, 'sessions');
      return sessions.isOriginal(String(sessionId)) && sessions.get(String(sessionId)) === undefined;
    },
  },
  rows: ({ state, platform }, { name }) => {
    if (name !== 'expiry-forecasts') return null;
    const subscriptions = [...state.rows(platform.id, 'subscriptions').all()].map(({ value }) => value);
    return WINDOWS.flatMap((days) => {
      const ending = subscriptions.filter(({ endAt }) => {
        const left = Date.parse(String(endAt)) - state.clock.ms;
        return left >= 0 && left <= days * DAY_MS;
      });
      return [...Map.groupBy(ending, ({ tier }) => String(tier))].map(([tier, rows]) => forecastRow(days, tier, rows));
    });
  },
};

export default workspaceBehaviour;
