/** What an action of the legacy controller did is seen in what it is about. */
import { expect, it } from 'vitest';
import { one, openerOf, type Row } from './deeds-testbed.ts';

const opened = await openerOf('legacy');

it('users that are deleted by role, address or access point are no longer in the table', () => {
  const legacy = opened();
  const table = (): Row[] =>
    (one(legacy, '/v1/monitoring/showcommand/user_table?limit=1000')['_data'] as { user_table: Row[] }).user_table;
  const remove = (type: string, value: unknown) =>
    (legacy.call('POST', '/v1/configuration/object/user_delete', { type, value }).json as Row)['deleted'];
  const before = table();
  const guests = before.filter(({ role }) => role === 'guest').length;
  expect(guests).toBeGreaterThan(0);
  expect([remove('role', 'guest'), remove('role', 'guest')]).toEqual([guests, 0]);
  expect(table()).toHaveLength(before.length - guests);
  expect(table().some(({ role }) => role === 'guest')).toBe(false);
  const [{ mac } = {}] = table();
  expect(remove('mac', String(mac).toUpperCase())).toBe(1);
  const [{ ap_name: name } = {}] = table();
  const attached = table().filter((row) => row['ap_name'] === name).length;
  expect(remove('ap-name', name)).toBe(attached);
  const rest = table().length;
  expect([remove('all', 'all'), table().length]).toEqual([rest, 0]);
});
