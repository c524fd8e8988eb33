/** Values of a switch that follow from its interfaces: how many there are and have link, and the members of each VLAN. */
import type { Look, PlatformBehaviour, Values } from '../platform-behaviour.ts';

/** Counts of the ports of a switch; nothing where the state holds none of them. */
export function portCounts({ serialNumber }: Values, look: Look): Values {
  const ports = portsOf(serialNumber, look);
  if (ports.length === 0) return {};
  return { portsTotal: ports.length, portsUp: ports.filter(({ up }) => up).length };
}

export const SWITCH_DERIVE: PlatformBehaviour['derive'] = {
  'switch-vlans': ({ serialNumber, vlanId }, look) => {
    const ports = portsOf(serialNumber, look);
    if (ports.length === 0) return {};
    const untagged = ports.filter(({ native }) => native === vlanId);
    const tagged = ports.filter((port) => !untagged.includes(port) && port.tagged(Number(vlanId)));
    return { taggedPorts: tagged.map(({ name }) => name), untaggedPorts: untagged.map(({ name }) => name) };
  },
};

interface Port {
  name: string;
  up: boolean;
  native: unknown;
  tagged: (vlan: number) => boolean;
}

function portsOf(serial: unknown, look: Look): readonly Port[] {
  return look.state.memo(`ports of ${String(serial)}`, () =>
    [...look.state.rows('mgmt', 'switch-interfaces').under([String(serial)])].map(({ value }) => ({
      name: String(value['name']),
      up: value['operStatus'] === 'UP',
      native: value['vlanMode'] === 'ROUTED' ? null : value['nativeVlan'],
      tagged: rangesOf(value['vlanMode'] === 'TRUNK' ? value['taggedVlans'] : null),
    })),
  );
}

/** Whether a VLAN is in a text such as `10,20-29`. */
function rangesOf(text: unknown): Port['tagged'] {
  if (typeof text !== 'string') return () => false;
  const ranges = text.split(',').map((range) => range.split('-').map(Number));
  return (vlan) => ranges.some(([first = 0, last = first]) => vlan >= first && vlan <= last);
}
