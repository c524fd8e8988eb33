/** What runs out in the workspace follows from its subscriptions, and who works where from the sign-ins. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import type { Answer } from '../../http/platform-answer.ts';
import { unknownReference } from '../action-references.ts';
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
import { CASE_DEEDS } from './workspace-cases.ts';
import { LOCATION_DEEDS, LOCATION_PROBLEMS } from './workspace-locations.ts';
import { SUBSCRIPTION_DEEDS, SUBSCRIPTION_PROBLEMS } from './workspace-subscriptions.ts';

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

const DEEDS: Readonly<Record<string, (of: TaskCall, subject: Subject | null) => Values>> = {
  revokeAllSessions: signOutAll,
  ...SUBSCRIPTION_DEEDS,
  ...LOCATION_DEEDS,
  ...CASE_DEEDS,
};
const PROBLEMS: Readonly<Record<string, (call: AcceptedRequest, subject: Subject | null) => Answer | null>> = {
  ...SUBSCRIPTION_PROBLEMS,
  ...LOCATION_PROBLEMS,
};

const workspaceBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  objects: (call, subject) => unknownReference(call) ?? own(PROBLEMS, call.operation.id)?.(call, subject) ?? null,
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
