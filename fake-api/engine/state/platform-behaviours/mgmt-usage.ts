/** How many objects use a login server or a group of them. */
import type { Look, PlatformBehaviour, Values } from '../platform-behaviour.ts';

/** How many rows of the given resources name this one. */
function usedBy(users: [resource: string, read: (row: Values) => unknown[]][]): (row: Values, look: Look) => Values {
  return (row, look) => {
    let count = 0;
    for (const [resource, read] of users) {
      for (const user of look.state.rows('mgmt', resource).all())
        if (read(user.value).includes(row['name'])) count += 1;
    }
    return { 'used-by': count };
  };
}

function members(row: Values): unknown[] {
  return Array.isArray(row['servers']) ? row['servers'].map((entry) => (entry as Values)['server-name']) : [];
}

function groupsOfAaa(row: Values): unknown[] {
  const authentication = (row['authentication'] ?? {}) as Values;
  return [row['acct_server_group'], authentication['dot1x-server-group'], authentication['mac-server-group']];
}

export const USAGE_DERIVE: PlatformBehaviour['derive'] = {
  'auth-servers': usedBy([['server-groups', members]]),
  'server-groups': usedBy([
    ['aaa-profile', groupsOfAaa],
    ['wlan-ssids', (row) => [row['auth-server-group'], row['acct-server-group']]],
    ['captive-portal', (row) => [row['server-group']]],
  ]),
};
