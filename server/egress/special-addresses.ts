/**
 * Addresses at which no platform is: where clouds hand a machine its credentials, and where a packet goes to nobody or to
 * everybody. Loopback and private ranges are not among them, because controllers live there.
 * Sources: RFC 6890 (special-purpose registries), RFC 6052 and RFC 8215 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo).
 */
import { BlockList, isIP } from 'node:net';

const IPV4: readonly [kind: string, network: string, prefix: number][] = [
  ['unspecified', '0.0.0.0', 8],
  ['link-local', '169.254.0.0', 16],
  ['metadata', '100.100.100.200', 32],
  ['metadata', '168.63.129.16', 32],
  ['metadata', '192.0.0.192', 32],
  ['multicast', '224.0.0.0', 4],
  ['broadcast or reserved', '240.0.0.0', 4],
];
const IPV6: readonly [kind: string, network: string, prefix: number][] = [
  ['unspecified', '::', 128],
  ['link-local', 'fe80::', 10],
  ['metadata', 'fd00:ec2::', 32],
  ['metadata', 'fd20:ce::254', 128],
  ['metadata', 'fd00:c1::a9fe:a9fe', 128],
  ['metadata', 'fd00:42::42', 128],
  ['metadata', 'fd00:a9fe:a9fe::1', 128],
  ['metadata', 'fd00:100::100:200', 128],
  ['multicast', 'ff00::', 8],
  // Where in it an IPv4 address lies depends on a prefix length that only its own network knows.
  ['locally translated', '64:ff9b:1::', 48],
];

/** Names that clouds resolve to their metadata service, with anything between their first and last label. */
const METADATA_NAME = /^(metadata|instance-data)(\.([a-z0-9-]+\.)*internal)?$/;

const lists = [...IPV4.map((row) => [...row, 'ipv4'] as const), ...IPV6.map((row) => [...row, 'ipv6'] as const)].map(
  ([kind, network, prefix, family]) => {
    const list = new BlockList();
    list.addSubnet(network, prefix, family);
    return { kind, list, family };
  },
);

/**
 * Why a host is special, or undefined. `host` is the `hostname` of a parsed `URL`, which normalises decimal, octal and
 * hexadecimal spellings, or an address that a name resolved to. Names are compared with a few known ones and are not
 * resolved.
 */
export function specialAddress(host: string): string | undefined {
  const address = host
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const version = isIP(address);
  if (version === 0) return METADATA_NAME.test(address) ? 'metadata' : undefined;
  if (version === 4) return kindOf(address, 'ipv4');
  const own = kindOf(address, 'ipv6');
  if (own !== undefined) return own;
  for (const inner of embeddedIn(groupsOf(address))) {
    const kind = kindOf(inner, 'ipv4');
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function kindOf(address: string, family: 'ipv4' | 'ipv6'): string | undefined {
  return lists.find((entry) => entry.family === family && entry.list.check(address, family))?.kind;
}

/** IPv4 addresses that an IPv6 address leads to. `groups`: its eight 16-bit groups. */
function embeddedIn(groups: readonly number[]): string[] {
  const at = (first: number, mask = 0): string => dotted((groups[first] ?? 0) ^ mask, (groups[first + 1] ?? 0) ^ mask);
  const starts = (...wanted: number[]) => wanted.every((value, index) => groups[index] === value);
  // Mapped (::ffff:a.b.c.d), the same with a zero group behind it (SIIT), and compatible; `::1` is loopback.
  const last = at(6);
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0, 0, 0, 0, 0xffff, 0)) return [last];
  if (starts(0, 0, 0, 0, 0, 0)) return last === '0.0.0.1' ? [] : [last];
  if (starts(0x64, 0xff9b, 0, 0, 0, 0)) return [last];
  if (starts(0x2002)) return [at(1)];
  // Teredo holds its server, and its client with every bit turned.
  if (starts(0x2001, 0)) return [at(2), at(6, 0xffff)];
  return [];
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The eight groups of a valid IPv6 address; the URL writes a dotted end as groups. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const parse = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const first = parse(head);
  if (tail === undefined) return first;
  const last = parse(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
