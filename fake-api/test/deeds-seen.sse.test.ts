/** What an action of the security edge did is seen in what it is about. */
import { expect, it } from 'vitest';
import { openerOf, type Row } from './deeds-testbed.ts';

const opened = await openerOf('sse');

it('all devices of a person that are reset have to be enrolled again', () => {
  const sse = opened();
  const enrolled = () => [...sse.state.rows('sse', 'enrolled-devices').all()].map(({ value }) => value);
  const read = (id: unknown) => sse.get(`/api/v1.0/EnrolledDevices/${id}`).status;
  const before = enrolled();
  const [{ owner } = {}] = before;
  const own = before.filter((each) => each['owner'] === owner).map(({ id }) => id);
  const [other] = before.filter((each) => each['owner'] !== owner).map(({ id }) => id);
  const reset = () => (sse.call('POST', `/api/v1.0/Users/${owner}/reset-device`).json as Row)['forgotten'];
  expect(own.map(read)).toEqual(own.map(() => 200));
  expect([reset(), reset()]).toEqual([own.length, 0]);
  expect([...own.map(read), read(other)]).toEqual([...own.map(() => 404), 200]);
  expect(enrolled()).toHaveLength(before.length - own.length);
});
