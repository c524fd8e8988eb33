/** Seats of the subscription keys: which device has one, and how many are taken. */
import { changeRow } from '../changed-row.ts';
import { textList } from '../json-value.ts';
import type { PlatformBehaviour, Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'mgmt';
const KINDS: Readonly<Record<string, string>> = { ap: 'ACCESS_POINT', switch: 'SWITCH', gateway: 'GATEWAY' };

interface Seat {
  serial: string;
  /** Key by which the device is licensed; null without one. */
  key: unknown;
  kind: unknown;
}

function seatsOf(of: TaskCall): Seat[] {
  const named = textList(of.input['serialNumbers']);
  return named.flatMap((serial) => {
    const value = of.state.rows(PLATFORM, 'device-inventory').get(serial)?.value;
    return value === undefined ? [] : [{ serial, key: value['subscriptionKey'] ?? null, kind: value['deviceType'] }];
  });
}

function seated(of: TaskCall, subject: Subject | null): Values {
  const row = of.state.rows(PLATFORM, 'subscription-keys').get(String(subject?.id))?.value ?? {};
  const [kind = '', level = ''] = String(row['tier']).split('-');
  const fitting = seatsOf(of).filter((seat) => seat.kind === KINDS[kind]);
  const free = Number(row['seats']) - Number(row['seatsUsed']);
  // A device that is licensed already counts among the seats of its kind.
  const newcomers = fitting.filter(({ key }) => key === null).slice(0, free);
  const given = fitting.filter((seat) => seat.key !== null || newcomers.includes(seat));
  for (const { serial } of given)
    changeRow(of, 'device-inventory', serial, {
      subscriptionKey: String(subject?.id),
      subscriptionExpiry: String(row['endsOn']),
      tier: level.toUpperCase(),
    });
  take(of, subject, newcomers.length);
  const done = new Set(given.map(({ serial }) => serial));
  const named = (of.input['serialNumbers'] ?? []) as string[];
  return { assigned: given.length, refused: named.filter((serial) => !done.has(serial)) };
}

function released(of: TaskCall, subject: Subject | null): Values {
  const kind = String(subject?.values['tier']).split('-')[0] ?? '';
  const own = seatsOf(of).filter((seat) => seat.key !== null && seat.kind === KINDS[kind]);
  for (const { serial } of own)
    changeRow(of, 'device-inventory', serial, { subscriptionKey: null, subscriptionExpiry: null, tier: null });
  take(of, subject, -own.length);
  return { released: own.length };
}

function take(of: TaskCall, subject: Subject | null, seats: number): void {
  const id = String(subject?.id);
  const used = Number(of.state.rows(PLATFORM, 'subscription-keys').get(id)?.value['seatsUsed']);
  if (seats !== 0) changeRow(of, 'subscription-keys', id, { seatsUsed: Math.max(0, used + seats) });
}

/** By operation id in small letters. */
export const LICENCE_DEEDS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['assignsubscriptionkey', seated],
  ['releasesubscriptionkey', released],
]);

export const LICENCE_DERIVE: PlatformBehaviour['derive'] = {
  'subscription-usage': ({ tier, totalSeats }, { state }) => {
    const own = [...state.rows(PLATFORM, 'subscription-keys').all()].filter(({ value }) => value['tier'] === tier);
    if (own.length === 0) return {};
    const sum = (name: string): number => own.reduce((total, { value }) => total + Number(value[name]), 0);
    const [seats, used] = [sum('seats'), sum('seatsUsed')];
    return seats === totalSeats
      ? { usedSeats: used, freeSeats: Math.max(0, seats - used), overdrawn: used > seats }
      : {};
  },
  'tenant-groups': ({ tenantGroupId: group }, { state }) => {
    const own = [...state.rows(PLATFORM, 'tenants').all()].filter(({ value }) => value['groupId'] === group);
    return {
      tenantCount: own.length,
      totalDevices: own.reduce((sum, { value }) => sum + Number(value['deviceCount'] ?? 0), 0),
    };
  },
};
