/** The older documents of the management cloud: what they say of a device or a site follows from what the newer ones say. */
import type { Row } from '../collection.ts';
import { textList } from '../json-value.ts';
import type { Look, PlatformBehaviour, Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { placeAt, takeFrom } from './mgmt-membership.ts';
import { rowsBy } from './mgmt-rows.ts';

const PLATFORM = 'mgmt';

const linkOf = ({ status }: Values): string => (status === 'ONLINE' ? 'Up' : 'Down');

const secondsUp = ({ uptimeInMillis: up }: Values): number => (typeof up === 'number' ? Math.round(up / 1000) : 0);

/** Nothing for a row whose device the tenant no longer has. */
function follows(view: (device: Values, look: Look) => Values): (row: Values, look: Look) => Values {
  return (row, look) => {
    const device = look.one('devices', String(row['serial']));
    return device === undefined ? {} : view(device, look);
  };
}

function switchView(device: Values, look: Look): Values {
  const { portsTotal, portsUp } = look.one('switches', String(device['serialNumber'])) ?? {};
  return {
    hostname: device['deviceName'],
    firmware: device['softwareVersion'],
    state: linkOf(device),
    usage_bytes: device['usageBytes'],
    ...(portsTotal === undefined ? {} : { port_count: portsTotal, up_ports: portsUp }),
  };
}

function gatewayView(device: Values, look: Look): Values {
  const gateway = look.one('gateways', String(device['serialNumber'])) ?? {};
  return {
    device_name: device['deviceName'],
    site: device['siteName'],
    image: `GX_${String(device['softwareVersion'])}.swi`,
    link_state: linkOf(device),
    cpu_percent: gateway['cpuUtilization'],
    tunnels_up: gateway['tunnelsUp'],
    tunnels_down: gateway['tunnelsDown'],
  };
}

export const CLASSIC_DERIVE: PlatformBehaviour['derive'] = {
  'classic-aps': follows((device) => ({
    name: device['deviceName'],
    ip_address: device['ipv4'],
    firmware_version: device['softwareVersion'],
    status: linkOf(device),
    uptime: secondsUp(device),
    client_count: device['clientCount'],
  })),
  'classic-switches': follows(switchView),
  'classic-gateways': follows(gatewayView),
  'classic-firmware-devices': (row, look) => {
    const device = look.one('devices', String(row['serial']));
    if (device === undefined) return {};
    const version = device['softwareVersion'];
    return {
      hostname: device['deviceName'],
      firmware_version: version,
      upgrade_required: version !== row['recommended'],
    };
  },
  'classic-sites': (row, look) => ({
    associated_device_count: (rowsBy(look, 'devices', 'siteName').get(row['site_name']) ?? []).length,
  }),
};

/** Devices that the call names and the tenant has in that family. */
function named(of: TaskCall): { known: string[]; unknown: string[] } {
  const wanted = textList(of.input['device_ids']);
  const family = of.input['device_type'];
  const devices = of.state.rows(PLATFORM, 'devices');
  const known = wanted.filter((serial) => devices.get(serial)?.value['deviceType'] === family);
  return { known, unknown: wanted.filter((serial) => !known.includes(serial)) };
}

/** The older documents know a site by a number and its name, the newer ones by a key and the same name. */
function siteOf(of: TaskCall, subject: Subject | null): Row | undefined {
  return [...of.state.rows(PLATFORM, 'sites').all()].find(
    ({ value }) => value['name'] === subject?.values['site_name'],
  );
}

function associated(of: TaskCall, subject: Subject | null): Values {
  const { known, unknown } = named(of);
  const site = siteOf(of, subject);
  if (site === undefined) return { success: [], failed: [...known, ...unknown] };
  placeAt(of, known, site.id, String(site.value['name']));
  return { success: known, failed: unknown };
}

function unassociated(of: TaskCall, subject: Subject | null): Values {
  const site = siteOf(of, subject);
  return { removed: site === undefined ? [] : takeFrom(of, named(of).known, site.id) };
}

/** By operation id in small letters. */
export const CLASSIC_DEEDS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['associateclassicsite', associated],
  ['unassociateclassicsite', unassociated],
]);
