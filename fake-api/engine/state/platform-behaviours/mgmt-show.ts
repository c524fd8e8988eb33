/** Printouts of read-only console commands, written from the device's own rows. */
import type { Look, Values } from '../platform-behaviour.ts';

interface ShowCommand {
  id: string;
  command: string;
  category: 'SYSTEM' | 'NETWORK' | 'LOG';
  summary: string;
  print: (device: Values, look: Look) => string;
}

function serial(device: Values): string {
  return String(device['serialNumber'] ?? '');
}

function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const SHOW_COMMANDS: readonly ShowCommand[] = [
  {
    id: 'version',
    command: 'show version',
    category: 'SYSTEM',
    summary: 'Model, serial number and the release that is running',
    print: (device) =>
      `Model         ${device['model']}\nSerial number ${serial(device)}\nRelease       ${device['firmwareVersion']}\nUp for        ${Math.floor(Number(device['uptimeSeconds'] ?? 0) / 3600)} hours`,
  },
  {
    id: 'interfaces',
    command: 'show interface brief',
    category: 'NETWORK',
    summary: 'State and speed of every wired interface',
    print: (device, look) => {
      const own = [...look.state.rows('mgmt', 'switch-interfaces').under([serial(device)])];
      const ports = own.length > 0 ? own : [...look.state.rows('mgmt', 'ap-ports').under([serial(device)])];
      return table([
        ['Interface', 'State', 'Speed', 'Neighbour'],
        ...ports.map(({ value }) => [
          String(value['name'] ?? value['portName']),
          String(value['operStatus'] ?? value['operState']),
          String(value['speed'] ?? value['speedMbps']),
          String(value['neighbourName'] ?? value['lldpNeighbor'] ?? ''),
        ]),
      ]);
    },
  },
  {
    id: 'power',
    command: 'show power-over-ethernet',
    category: 'SYSTEM',
    summary: 'Power budget and the ports that draw from it',
    print: (device, look) => {
      const budget = look.one('poe-usage', serial(device));
      if (budget === undefined)
        return `Drawing ${device['powerDrawWatts'] ?? 0} W of ${device['powerRequestedWatts'] ?? 0} W requested`;
      const denied = (budget['deniedPorts'] as unknown[]).join(', ') || 'none';
      return `Budget    ${budget['budgetWatts']} W\nReserved  ${budget['reservedWatts']} W\nDrawn     ${budget['drawWatts']} W\nDenied    ${denied}`;
    },
  },
  {
    id: 'spanning-tree',
    command: 'show spanning-tree',
    category: 'NETWORK',
    summary: 'Loop protection as it runs, with what was changed on the device itself',
    print: (device, look) => {
      const own = look.one('switches', serial(device));
      if (own === undefined) return 'Spanning tree does not run on this device';
      const differences = look.one('config-health-devices', serial(device))?.['differences'];
      const changed = (Array.isArray(differences) ? (differences as Values[]) : []).filter(
        (each) => each['section'] === 'stp',
      );
      return table([
        ['Mode', String(own['spanningTreeMode'])],
        ['Root bridge', own['isRootBridge'] === true ? 'this switch' : 'another switch'],
        ...changed.map((each) => [String(each['path']), `${each['running']} (changed by ${each['changedBy']})`]),
      ]);
    },
  },
  {
    id: 'clients',
    command: 'show clients',
    category: 'NETWORK',
    summary: 'Clients attached to the device now',
    print: (device, look) => {
      const own = look.all('clients').filter((client) => client['connectedDeviceSerial'] === serial(device));
      return table([
        ['MAC address', 'Address', 'VLAN', 'State'],
        ...own.map((client) =>
          [client['macAddress'], client['ipv4'], client['vlan'], client['status']].map((each) => String(each ?? '-')),
        ),
      ]);
    },
  },
  {
    id: 'log',
    command: 'show log',
    category: 'LOG',
    summary: 'Latest messages of the device',
    print: (device, look) => {
      const own = look.all('events').filter((event) => event['serialNumber'] === serial(device));
      return own.length === 0
        ? 'No messages'
        : own.map((event) => `${event['timestamp']} ${event['eventName']} ${event['description']}`).join('\n');
    },
  },
];

export function showOutput(command: string, device: Values, look: Look): string | null {
  const known = SHOW_COMMANDS.find((entry) => entry.command === command.trim());
  return known === undefined ? null : known.print(device, look);
}
