/** Devices of a tenant: the provider hands them over and takes them back, and each is with one tenant at most. */
import { addRow } from '../added-row.ts';
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { type Row, rowParts } from '../collection.ts';
import { textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

const PLATFORM = 'mgmt';
const HELD = 'tenant-devices';

const tenantOf = ({ id }: Row): string => rowParts(id)[0] as string;
const serialOf = ({ id }: Row): string => rowParts(id).at(-1) as string;

function assigned(of: TaskCall): Values {
  const tenant = String(of.values[0]);
  const holders = new Map([...of.state.rows(PLATFORM, HELD).all()].map((row) => [serialOf(row), tenantOf(row)]));
  const inventory = of.state.rows(PLATFORM, 'device-inventory');
  const named = [...new Set(textList(of.input['serialNumbers']))];
  const free = named.filter((serial) => !holders.has(serial) && inventory.get(serial) !== undefined);
  for (const serial of free) {
    const { deviceType, model } = inventory.get(serial)?.value ?? {};
    addRow(of, HELD, [tenant, serial], {
      serialNumber: serial,
      hardwareKind: deviceType ?? null,
      model: model ?? null,
      tier: typeof of.input['tier'] === 'string' ? of.input['tier'] : null,
      assignedAt: isoSeconds(of.state.clock.ms),
    });
  }
  count(of, tenant, free.length);
  return {
    assigned: free.length,
    refused: named.filter((serial) => !free.includes(serial) && holders.get(serial) !== tenant),
  };
}

function returned(of: TaskCall): Values {
  const tenant = String(of.values[0]);
  const named = textList(of.input['serialNumbers']);
  const gone = removeRows(of, HELD, (row) => tenantOf(row) === tenant && named.includes(serialOf(row)));
  count(of, tenant, -gone.length);
  return { returned: gone.length };
}

function count(of: TaskCall, tenant: string, by: number): void {
  const before = Number(of.state.rows(PLATFORM, 'tenants').get(tenant)?.value['deviceCount'] ?? 0);
  if (by !== 0) changeRow(of, 'tenants', tenant, { deviceCount: Math.max(0, before + by) });
}

/** By operation id in small letters. */
export const TENANT_DEEDS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['assigntenantdevices', assigned],
  ['unassigntenantdevices', returned],
]);
