/** What an action of the data-centre fabric did is seen in what it is about. */
import { expect, it } from 'vitest';
import { items, one, openerOf, type Row } from './deeds-testbed.ts';

const opened = await openerOf('fabric');

it('a template that is applied to ports is on them, and pairs that are not possible are told', () => {
  const fabric = opened();
  const blueprints = items(fabric.get('/api/blueprints')).map(({ blueprint_id: id }) => id);
  const at = blueprints
    .map((id) => `/api/blueprints/${id}/connectivity-templates`)
    .find((path) => items(fabric.get(path)).some(({ name }) => name === 'hq-printer-port')) as string;
  const id = items(fabric.get(at)).find(({ name }) => name === 'hq-printer-port')?.['id'] as string;
  const stranger = '0a000000-0000-4000-8000-000000000001';
  const apply = () =>
    fabric.call('POST', `${at}/batch-apply`, {
      template_ids: [id, stranger],
      application_points: ['hq-sw-01 eth1/3', 'hq-sw-01 eth1/4', 'nobody eth1/1'],
    }).json as Row;
  expect(one(fabric, `${at}/${id}`)).toMatchObject({ status: 'ready', assigned_points: [] });
  const reasons = ['no such port in the blueprint', 'no such template in the blueprint'];
  expect(apply()).toEqual({ applied: 2, rejected: 4, reasons });
  expect(one(fabric, `${at}/${id}`)).toMatchObject({
    status: 'assigned',
    assigned_points: ['hq-sw-01 eth1/3', 'hq-sw-01 eth1/4'],
  });
  const points = one(fabric, `${at}/${id}/application-points`) as { assigned_total: number; points: Row[] };
  const used = points.points.filter(({ state }) => state === 'used').map((point) => point['interface']);
  expect([points.assigned_total, used.toSorted()]).toEqual([2, ['eth1/3', 'eth1/4']]);
  expect(apply()).toEqual({ applied: 0, rejected: 4, reasons });
});
