/** Section 2.7 of the specification over the engine: every device function with every type of authentication server. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Campus, type CampusTestbed, campus } from './campus-testbed.ts';

const CONFIG = '/network-config/v1alpha1';

/** One column per type; `x` is taken, `.` is refused. */
const columns = ['RADIUS', 'LDAP', 'TACACS', 'WINDOWS', 'RFC3576', 'XMLAPI', 'RADSEC', 'LOCAL'];
const rows: [deviceFunction: string, taken: string][] = [
  ['ALL', 'x.x.....'],
  ['CAMPUS_AP', 'xxx..x..'],
  ['MICROBRANCH_AP', 'xxx..x..'],
  ['ACCESS_SWITCH', 'x.x.....'],
  ['CORE_SWITCH', 'x.x.....'],
  ['AGG_SWITCH', 'x.x.....'],
  ['LEGACY_ACCESS_SWITCH', 'x.x.....'],
  ['LEGACY_CORE_SWITCH', 'x.x.....'],
  ['LEGACY_AGG_SWITCH', 'x.x.....'],
  ['MOBILITY_GW', 'xxxx....'],
  ['BRANCH_GW', 'xxxx....'],
  ['VPNC', 'xxxx....'],
  ['HYBRID_NAC', 'xxxx..x.'],
  ['BRIDGE', 'x.x.....'],
  ['IOT', 'x.x.....'],
  ['SERVICE_PERSONA', 'x.x.....'],
  ['EDGE_CONNECTOR', 'x.x.....'],
  ['EDGE_CONNECTOR_HUB', 'x.x.....'],
];
const cells = rows.flatMap(([deviceFunction, taken]) =>
  columns.map((type, at) => [deviceFunction, type, taken[at] === 'x'] as const),
);

let shipped: Campus;
let testbed: CampusTestbed;

beforeAll(async () => {
  shipped = await campus();
  testbed = shipped.open();
  for (const type of columns) {
    const secret = ['RADIUS', 'TACACS'].includes(type)
      ? { 'shared-secret-config': { 'secret-type': 'PLAIN_TEXT', 'plaintext-value': 'correct-horse' } }
      : {};
    const body = {
      type,
      'auth-server-address': `${type.toLowerCase()}.campus.example`,
      ...secret,
      ...(type === 'LDAP' ? { ldap: { 'base-dn': 'dc=campus,dc=example' } } : {}),
    };
    const created = testbed.call('POST', `${CONFIG}/auth-servers/cell-${type}`, body);
    expect([type, created.status, created.body]).toEqual([type, 200, expect.anything()]);
  }
});

describe('a server is assigned where its type is supported, and refused elsewhere', () => {
  it.each(cells)('%s with %s: %s', (deviceFunction, type, taken) => {
    const assignment = {
      'scope-id': 'depot',
      'device-function': deviceFunction,
      'profile-type': 'auth-servers',
      'profile-instance': `cell-${type}`,
    };
    const answer = testbed.call('POST', `${CONFIG}/config-assignments`, [assignment]);
    const assigned = testbed
      .call('GET', `${CONFIG}/config-assignments?scope-id=depot&device-function=${deviceFunction}`)
      .items.map((row) => row['profile-instance']);
    expect(assigned.includes(`cell-${type}`)).toBe(taken);
    expect(answer.status).toBe(taken ? 200 : 422);
    if (!taken)
      expect(answer.json['message']).toMatch(
        new RegExp(`field "type": expected one of [A-Z, ]+ on device function ${deviceFunction}, got "${type}"`),
      );
  });

  it('covers all eighteen functions with all eight types', () => {
    expect(cells).toHaveLength(18 * 8);
  });
});
