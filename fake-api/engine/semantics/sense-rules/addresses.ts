/** Addresses of one object: inside their network, of their family, in order. */
import { isIPv4, isIPv6 } from 'node:net';
import type { Claim, SenseField, SenseRule, Values } from '../sense-rule.ts';

const asNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const asAddress = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

interface Network {
  first: number;
  size: number;
}
function networkOf(value: unknown): Network | undefined {
  const [address = '', length = ''] = String(value ?? '').split('/');
  if (!isIPv4(address) || !/^\d{1,2}$/.test(length) || Number(length) > 32) return undefined;
  const size = 2 ** (32 - Number(length));
  return { first: Math.floor(asNumber(address) / size) * size, size };
}

const textual = (fields: readonly SenseField[]) =>
  fields.filter(({ kind, schema }) => kind === 'text' && schema.enum === undefined);
const withWord = (fields: readonly SenseField[], test: RegExp) =>
  textual(fields).filter(({ words }) => test.test(words.join(' ')));

/** `atHost` gives the host of an address that is put there, of so many. */
function insideOf(
  address: SenseField,
  network: SenseField,
  atHost: (is: number, size: number) => number = (_, size) => Math.min(1, size - 1),
): Claim {
  const read = (values: Values) => ({ at: values[address.name], in: networkOf(values[network.name]) });
  return {
    names: [address.name, network.name],
    broken: (values) => {
      const { at, in: range } = read(values);
      if (range === undefined || typeof at !== 'string' || !isIPv4(at)) return false;
      const value = asNumber(at);
      return value < range.first || value >= range.first + range.size;
    },
    repair: (values, _nowMs, free) => {
      const { at, in: range } = read(values);
      if (range === undefined) return {};
      if (free.has(address.name))
        return { [address.name]: asAddress(range.first + atHost(asNumber(String(at ?? '0.0.0.1')), range.size)) };
      return free.has(network.name) ? { [network.name]: `${String(at).replace(/\.\d+$/, '.0')}/24` } : {};
    },
  };
}

function addressesInOrder(from: SenseField, to: SenseField): Claim {
  return {
    names: [from.name, to.name],
    broken: (values) => {
      const [low, high] = [values[from.name], values[to.name]];
      return (
        typeof low === 'string' &&
        typeof high === 'string' &&
        isIPv4(low) &&
        isIPv4(high) &&
        asNumber(low) > asNumber(high)
      );
    },
    repair: (values, _nowMs, free) => {
      if (free.has(from.name) && free.has(to.name))
        return { [from.name]: values[to.name], [to.name]: values[from.name] };
      const [low, high] = [asNumber(String(values[from.name])), asNumber(String(values[to.name]))];
      if (free.has(to.name)) return { [to.name]: asAddress(low + 49) };
      return free.has(from.name) ? { [from.name]: asAddress(Math.max(0, high - 49)) } : {};
    },
  };
}

/** Both ends of a pool in one network of 254 hosts. */
function inOneNetwork(from: SenseField, to: SenseField): Claim {
  const network = (value: unknown) => String(value).replace(/\.\d+$/, '');
  return {
    names: [from.name, to.name],
    broken: (values) => {
      const [low, high] = [values[from.name], values[to.name]];
      if (typeof low !== 'string' || typeof high !== 'string' || !isIPv4(low) || !isIPv4(high)) return false;
      return network(low) !== network(high) || asNumber(high) <= asNumber(low);
    },
    repair: (values, _nowMs, free) => {
      const host = Number(String(values[from.name]).split('.')[3]);
      if (!free.has(to.name)) return {};
      const start = network(values[from.name]);
      if (free.has(from.name) && host > 200) return { [from.name]: `${start}.20`, [to.name]: `${start}.${host}` };
      return { [to.name]: `${start}.${Math.min(254, host + 50)}` };
    },
  };
}

function ofFamily(field: SenseField, other: (text: string) => boolean): Claim {
  return {
    names: [field.name],
    broken: (values) => {
      const value = values[field.name];
      return typeof value === 'string' && other(value.split('/')[0] ?? '');
    },
    repair: (_values, _nowMs, free) => {
      if (!free.has(field.name)) return {};
      if (field.nullable) return { [field.name]: null };
      const six = field.words.join(' ').includes('v 6');
      const network =
        field.schema['x-svc-type'] === 'cidr' || field.words.some((word) => /^(subnet|prefix|network)$/.test(word));
      if (six) return { [field.name]: network ? '2001:db8:10::/64' : '2001:db8:10::1' };
      return { [field.name]: network ? '10.10.20.0/24' : '10.10.20.1' };
    },
  };
}

/** Pairs of fields that hold the first and the last address of a pool. */
function ends(fields: readonly SenseField[]): [SenseField, SenseField][] {
  const [first, last] = [/\b(start|first|begin|from|low)\b/, /\b(end|last|to|high)\b/];
  const frame = ({ words }: SenseField, test: RegExp) => words.join(' ').replace(test, '|');
  return withWord(fields, first).flatMap((from) =>
    withWord(fields, last)
      .filter((to) => frame(to, last) === frame(from, first))
      .map((to): [SenseField, SenseField] => [from, to]),
  );
}

/** A host of the middle, so that hosts of one network differ. */
const aHost = (is: number, size: number) => (size < 8 ? 1 : 2 + (is % Math.min(size - 4, 240)));

/** `1/1/7` as slot text and number. */
const portOf = (value: unknown): [slot: string, number: number] | undefined => {
  const [, slot, number] = /^(.*?[/a-z])(\d+)$/i.exec(String(value ?? '')) ?? [];
  return slot === undefined ? undefined : [slot, Number(number)];
};

/** The last port of a range is on the slot of the first, and after it. */
function portsInOrder(from: SenseField, to: SenseField): Claim {
  return {
    names: [from.name, to.name],
    broken: (values) => {
      const [first, last] = [portOf(values[from.name]), portOf(values[to.name])];
      return first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] >= last[1]);
    },
    repair: (values, _nowMs, free) => {
      const first = portOf(values[from.name]);
      if (first === undefined || !free.has(to.name)) return {};
      // Ranges are drawn in the lower half of a switch of 48 ports.
      const start = first[1] > 36 ? 1 : first[1];
      const last = { [to.name]: `${first[0]}${start + 11}` };
      return start === first[1] || !free.has(from.name) ? last : { [from.name]: `${first[0]}${start}`, ...last };
    },
  };
}

/** `10.10.20.5` in VLAN 30 is put where the plan of addresses has that VLAN: `10.10.30.5`. */
function inVlan(address: SenseField, vlan: SenseField): Claim {
  const wanted = (values: Values): string | undefined => {
    const [is, number] = [values[address.name], Number(values[vlan.name])];
    const [, site, , rest] = /^10\.(\d+)\.(\d+)\.(\d+(?:\/\d+)?)$/.exec(String(is ?? '')) ?? [];
    const inPlan = Number.isInteger(number) && number > 0 && number < 255 && number % 10 === 0;
    return site === undefined || !inPlan ? undefined : `10.${site}.${number}.${rest}`;
  };
  return {
    names: [address.name, vlan.name],
    broken: (values) => wanted(values) !== undefined && wanted(values) !== values[address.name],
    repair: (values, _nowMs, free) => (free.has(address.name) ? { [address.name]: wanted(values) } : {}),
  };
}

const NETWORK = /^(\w+ )?(subnet|network|cidr|prefix)$/;

export const ADDRESSES: readonly SenseRule[] = [
  {
    id: 'gateway-in-subnet',
    states: 'a gateway lies in the subnet that it serves',
    claims: (fields) =>
      withWord(fields, /^(gateway|default gateway|gateway (ip|address)|router|default router)$/).flatMap((address) =>
        withWord(fields, /^(subnet|network|cidr)$/).map((network) => insideOf(address, network)),
      ),
  },
  {
    id: 'pool-in-subnet',
    states: 'a pool lies in the subnet that it draws from',
    claims: (fields) =>
      withWord(
        fields,
        /^(\w+ )?(start|first|begin|end|last)( ip| address)$|^(ip|address|pool|range) (start|end|first|last)$/,
      ).flatMap((address) => withWord(fields, /^(subnet|network|cidr)$/).map((network) => insideOf(address, network))),
  },
  {
    id: 'pool-in-order',
    states: 'a pool begins before it ends',
    claims: (fields) => ends(fields).map(([from, to]) => addressesInOrder(from, to)),
  },
  {
    id: 'pool-in-one-network',
    habit: true,
    states: 'a pool begins and ends in one network',
    claims: (fields) => ends(fields).map(([from, to]) => inOneNetwork(from, to)),
  },
  {
    id: 'host-in-network',
    habit: true,
    states: 'a host has an address of the network that it is in',
    claims: (fields) =>
      withWord(fields, /^(ip|ip address|address|client ip|host ip|interface ip|vlan ip)$/).flatMap((address) =>
        withWord(fields, /^(subnet|network|cidr|prefix)$/).map((network) => insideOf(address, network, aHost)),
      ),
  },
  {
    id: 'ports-in-order',
    habit: true,
    states: 'a range of ports begins before it ends',
    claims: (fields) =>
      withWord(fields, /^(first|start|from) (port|interface)$/).flatMap((from) =>
        withWord(fields, /^(last|end|to) (port|interface)$/).map((to) => portsInOrder(from, to)),
      ),
  },
  {
    id: 'address-of-vlan',
    habit: true,
    states: 'what is in a VLAN has an address of it',
    claims: (fields) => {
      const vlan = fields.find(({ words }) => /^(vlan|vlan id|vid)$/.test(words.join(' ')));
      if (vlan === undefined) return [];
      return withWord(
        fields,
        /^(ip|ip address|ipv 4|ipv 4 address|address|client ip|gateway|subnet|network|cidr|ipv 4 subnet|helper|default gateway)$/,
      )
        .filter(
          // A network written as text moves as well, or its gateway would be moved out of it.
          ({ schema, words }) =>
            schema['x-svc-type'] !== undefined ||
            schema.format !== undefined ||
            /^(subnet|network|cidr|ipv 4 subnet)$/.test(words.join(' ')),
        )
        .map((address) => inVlan(address, vlan));
    },
  },
  {
    id: 'ipv6-is-ipv6',
    states: 'a field for IPv6 holds no IPv4 address',
    claims: (fields) =>
      textual(fields)
        .filter(({ words }) => words.join(' ').includes('ipv 6'))
        .map((field) => ofFamily(field, isIPv4)),
  },
  {
    id: 'ipv4-is-ipv4',
    states: 'a field for IPv4 holds no IPv6 address',
    claims: (fields) =>
      textual(fields)
        .filter(({ words }) => words.join(' ').includes('ipv 4'))
        .map((field) => ofFamily(field, isIPv6)),
  },
  {
    id: 'network-has-no-host',
    states: 'a network is written with its first address',
    claims: (fields) =>
      withWord(fields, NETWORK)
        .filter(({ schema }) => schema['x-svc-type'] === 'cidr')
        .map((field) => ({
          names: [field.name],
          broken: (values) => {
            const range = networkOf(values[field.name]);
            return range !== undefined && asAddress(range.first) !== String(values[field.name]).split('/')[0];
          },
          repair: (values, _nowMs, free) => {
            const range = networkOf(values[field.name]);
            const length = String(values[field.name]).split('/')[1];
            return range !== undefined && free.has(field.name)
              ? { [field.name]: `${asAddress(range.first)}/${length}` }
              : {};
          },
        })),
  },
];
