/** An appliance that is found at an address waits for a decision, as one does that announced itself. */
import { addRow, nextNumber } from '../added-row.ts';
import { isoSeconds } from '../clock.ts';
import { Dice } from '../determinism.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';

const DISCOVERED = 'discovered-appliances';
const MODELS = ['EDGE-XS', 'EDGE-S', 'EDGE-M', 'EDGE-L'];

export function discoverAt(of: TaskCall): Values {
  if (of.operationId !== 'addDiscoveredAppliances') return {};
  const rows = [...of.state.rows('sdwan', DISCOVERED).all()];
  const ip = String(of.input['address']);
  const known = rows.find(({ value }) => value['ip'] === ip);
  if (known !== undefined) return { serial: known.value['serial'], reachable: true };
  const dice = new Dice(of.state.seed, 'discovered at', ip);
  const id = String(nextNumber(rows, 'discoveredId'));
  const serial = `CN${dice.int(20_000_000, 20_999_999)}`;
  addRow(of, DISCOVERED, [id], {
    discoveredId: id,
    serial,
    model: dice.pick(MODELS),
    ip,
    account: String(rows[0]?.value['account'] ?? 'HARBOUR-CAMPUS'),
    discoveredFrom: 'ADDRESS',
    decision: 'PENDING',
    announcedAt: isoSeconds(of.state.clock.ms),
  });
  return { serial, reachable: true };
}
