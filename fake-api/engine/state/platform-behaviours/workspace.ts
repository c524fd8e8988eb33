/** What runs out in the workspace follows from its subscriptions, and who works where from the sign-ins. */
import { type Row, rowId } from '../collection.ts';
import type { JsonObject } from '../json-value.ts';
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour, type TaskCall, type Values } from '../platform-behaviour.ts';

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
  const resource = of.platform.resources.get('sessions');
  const spared: unknown[] = Array.isArray(of.input['exceptUserIds']) ? of.input['exceptUserIds'] : [];
  const rows = [...of.state.rows(PLATFORM, 'sessions').all()];
  const ended = rows.filter(({ value }) => !spared.includes(value['userId']));
  if (resource !== undefined) for (const { id } of ended) of.state.remove(resource, id);
  return { ended: ended.length, kept: rows.length - ended.length };
}

const workspaceBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  effect: (of) => (of.operationId === 'revokeAllSessions' ? signOutAll(of) : {}),
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
