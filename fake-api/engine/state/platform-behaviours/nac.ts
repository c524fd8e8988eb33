/** What the policy server says of a person follows from its access log; an order to several sessions is carried out on each. */
import { type Look, NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour, type Values } from '../platform-behaviour.ts';
import { orderToSessions } from './nac-sessions.ts';

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

const nacBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  derive: { 'local-user': person },
  effect: orderToSessions,
};

export default nacBehaviour;
