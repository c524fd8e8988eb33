/** The experience sensors: cursors, merge patches, runs that are polled until the sensor reports. */
import { expect, it } from 'vitest';
import { stranger, waysTestbed } from '../conventions-testbed.ts';

const { open, play, onePerPage } = await waysTestbed('sensors');
const SENSORS = '/ux-sensors/v1/sensors';

it('refuses with four keys and the details of what was wrong', () => {
  expect(stranger(open()).get(SENSORS)).toMatchObject({
    status: 401,
    json: { httpStatusCode: 401, errorCode: 'UNAUTHORIZED' },
  });
  expect(open().get(`${SENSORS}/zz`).json).toMatchObject({
    httpStatusCode: 400,
    debugId: expect.any(String),
    errorDetails: [{ field: 'serialNumber' }],
  });
});

it('leads through a list by a cursor that belongs to its question', () => {
  const client = open();
  const { pages, entries } = onePerPage(client, 'listSensors', SENSORS);
  expect(pages.map(({ json }) => (json as { count: number }).count)).toEqual(entries.map(() => 1));
  expect(pages.at(-1)!.json).toMatchObject({ next: null });
  const { next } = pages[0]!.json as { next: string };
  expect(client.get(`/ux-sensors/v1/groups?next=${next}`)).toMatchObject({
    status: 400,
    body: expect.stringContaining('"next\\"'),
  });
});

it('merges what a patch says and keeps the rest', () => {
  const client = open();
  const [before] = (client.get(SENSORS).json as { items: Record<string, unknown>[] }).items;
  const item = `${SENSORS}/${before?.['serialNumber']}`;
  const whole = client.get(item).json as Record<string, unknown>;
  const media = 'application/merge-patch+json';
  expect(client.call('PATCH', item, { name: 'lobby' }, { media }).status).toBe(200);
  expect(client.get(item).json).toMatchObject({
    name: 'lobby',
    serialNumber: whole['serialNumber'],
    model: whole['model'],
  });
  expect(client.call('PATCH', item, 'name=lobby', { media: 'text/plain' }).status).toBe(415);
});

it('waits for the sensor, then reports', () => {
  const client = open();
  const started = play(client, 'startServiceTestRunOnce');
  const { readAt } = started.json as { readAt: string };
  expect([started.status, started.json]).toMatchObject([202, { phase: 'WAITING_FOR_SENSOR' }]);
  expect(client.get(readAt).json).toMatchObject({ phase: 'RUNNING', percent: 50 });
  expect(client.get(readAt).json).toMatchObject({ phase: 'DONE', percent: 100, problem: null });
});

it('bounds a list by its times, and a time series by window and sensor', () => {
  const client = open();
  const times = (query: string) =>
    (client.get(`/ux-results/v1/test-results?limit=500${query}`).json as { items: { time: string }[] }).items.map(
      ({ time }) => time,
    );
  const all = times('').sort();
  const middle = all.find((time) => time > (all[0] as string)) as string;
  expect(middle).toBeDefined();
  expect(times(`&timeAfter=${middle}`).sort()).toEqual(all.filter((time) => time > middle));
  expect(times(`&timeBefore=${middle}`).sort()).toEqual(all.filter((time) => time < middle));
  const serials = (client.get(SENSORS).json as { items: { serialNumber: string }[] }).items.map(
    ({ serialNumber }) => serialNumber,
  );
  const trend = client.platform.operations.find(({ id }) => id === 'getTestResultsLatencyTrend');
  const series = (query: string) =>
    client.get(`${trend?.template}?from=2026-01-05T00:00:00Z&to=2026-01-05T03:00:00Z&step=1h${query}`);
  expect((series('').json as { samples: object[] }).samples).toHaveLength(3);
  expect(series(`&sensorSerial=${serials[0]}`).json).not.toEqual(series(`&sensorSerial=${serials[1]}`).json);
  expect(series('&sensorSerial=NOSUCH001').status).toBe(404);
});
