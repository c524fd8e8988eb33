/** What the policy server says of a person follows from its access log; an order to several sessions is carried out on each. */
import { unknownReference } from '../action-references.ts';
import { type Look, NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour, type Values } from '../platform-behaviour.ts';
import { purgeBackups } from './nac-backups.ts';
import { deedOnCertificates } from './nac-certificates.ts';
import { deedOnDeviceGroup } from './nac-device-groups.ts';
import { deedOnHostList } from './nac-host-lists.ts';
import { block, blockReason, isOver, orderToSessions, sessionNow } from './nac-sessions.ts';
import { watchAlert } from './nac-watchers.ts';

/** Logins that were let in, by the name that was typed, the latest first. */
function logins(look: Look): ReadonlyMap<unknown, readonly Values[]> {
  return look.state.memo('logins', () => {
    const rows = [...look.state.rows('nac', 'access-log').all()].map(({ value }) => value);
    const accepted = rows.filter(({ result }) => result === 'accept');
    const latestFirst = accepted.sort((a, b) => String(b['time']).localeCompare(String(a['time'])));
    return Map.groupBy(latestFirst, ({ username }): unknown => username);
  });
}

function person(row: Values, look: Look): Values {
  const own = logins(look).get(row['email']) ?? [];
  const [latest] = own;
  const count = Math.max(own.length, Number(row['login_count']), row['last_login_at'] === null ? 0 : 1);
  return {
    login_count: count,
    last_device_mac: latest?.['mac_address'] ?? null,
    ...(latest === undefined ? {} : { last_login_at: latest['time'], last_nas_ip: latest['nas_ip'] }),
  };
}

/** What is owned is what the licences add up to. */
function licensed(row: Values, look: Look): Values {
  const owned: Values = {};
  for (const { value } of look.state.rows('nac', 'license').all()) {
    const name = `${String(value['product'])}_total`;
    if (name in row && value['activation_status'] === 'activated')
      owned[name] = Number(owned[name] ?? 0) + Number(value['user_count']);
  }
  const now = { ...row, ...owned };
  const shares = Object.keys(owned).map(
    (name) => (100 * Number(now[name.replace('_total', '_used') as keyof typeof now])) / Number(owned[name]),
  );
  return shares.length === 0 ? {} : { ...owned, highest_use_percent: Math.round(Math.max(...shares)) };
}

const nacBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  derive: { 'local-user': person, 'license-summary': licensed, endpoint: blockReason, session: sessionNow },
  hides: { 'active-session': isOver },
  objects: unknownReference,
  effect: (of, subject) =>
    of.operationId === 'blockEndpoint'
      ? block(of, subject)
      : {
          ...orderToSessions(of),
          ...deedOnHostList(of, subject),
          ...deedOnDeviceGroup(of, subject),
          ...deedOnCertificates(of, subject),
          ...purgeBackups(of),
          ...watchAlert(of, subject),
        },
};

export default nacBehaviour;
