/** What an action of the experience sensors did is seen in what it is about. */
import { expect, it } from 'vitest';
import { items, one, openerOf, type Row } from './deeds-testbed.ts';

const opened = await openerOf('sensors');

const PLANS = '/ux-sensors/v1/floor-plans';
const GROUPS = '/ux-sensors/v1/groups';

it('a sensor that is put on a floor plan is counted there, and no longer on the plan of before', () => {
  const sensors = opened();
  const plan = (name: string) =>
    items(sensors.get(PLANS)).find((row) => row['name'] === `Harbour House, ${name}`) as Row;
  const counts = () => ['Floor 1', 'Floor 2', 'Floor 3'].map((name) => plan(name)['placedSensors']);
  const place = (name: string, sensorSerial: string) =>
    sensors.call('POST', `${PLANS}/${plan(name)['id']}/place-sensor`, { sensorSerial, xMetres: 4, yMetres: 2 });
  expect(counts()).toEqual([2, 0, 0]);
  for (let asked = 0; asked < 2; asked++) expect(place('Floor 2', 'PHSNDL6QWB').json).toEqual({ placedSensors: 1 });
  expect(counts()).toEqual([1, 1, 0]);
  expect(place('Floor 3', 'PHSNDL6QWB').json).toEqual({ placedSensors: 1 });
  expect(counts()).toEqual([1, 0, 1]);
  expect([place('Floor 3', 'NOBODY0001').status, counts()]).toEqual([400, [1, 0, 1]]);
});

it('a sensor that is attached to another group is in that group alone', () => {
  const sensors = opened();
  const group = (name: string) => items(sensors.get(GROUPS)).find((row) => row['name'] === name)?.['id'];
  const [from, to] = [group('Harbour House'), group('North Depot')];
  const sensorsOf = (id: unknown) => {
    const { sensorSerials, sensorCount } = one(sensors, `${GROUPS}/${id}`);
    return [sensorSerials, sensorCount];
  };
  expect(sensorsOf(from)).toEqual([['PHSNDL6QWB', 'PHSN348Z38'], 2]);
  const moved = sensors.call('POST', '/ux-sensors/v1/sensors/PHSNDL6QWB/reassign', { groupId: to });
  expect(moved.json).toMatchObject({ previousGroupId: from });
  expect(sensorsOf(from)).toEqual([['PHSN348Z38'], 1]);
  expect(sensorsOf(to)).toEqual([['PHSNENFZ6V', 'PHSNDL6QWB'], 2]);
});
