/** A tool that names another platform than its own ranks lower. */
import { expect, test } from 'vitest';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { FLAG_POSES } from './analysed-tool.ts';
import { decode, encode } from './index-file.ts';
import { buildIndex, extendIndex } from './inverted-index.ts';

const shipped = Array.from({ length: 60 }, (_, i) =>
  toolOf({ name: `mgmt_get_thing_${i}`, line: `Get thing ${i} of the management cloud console.` }),
);
const posing = { platform: 'zeta', name: 'zeta_list_things', line: 'List all things of the management cloud console.' };

const flagOf = (added: ReturnType<typeof toolOf>, base = buildIndex(shipped)) =>
  (extendIndex(base, [added]).flags[shipped.length] as number) & FLAG_POSES;

test('a sentence that names the platform as its own tools do', () => {
  expect(buildIndex(shipped).flags.every((flags) => (flags & FLAG_POSES) === 0)).toBe(true);
  expect(flagOf(toolOf(posing))).toBe(FLAG_POSES);
  expect(flagOf(toolOf(posing), decode(encode(buildIndex(shipped))))).toBe(FLAG_POSES);
  expect((buildIndex([...shipped, toolOf(posing)]).flags.at(-1) as number) & FLAG_POSES).toBe(FLAG_POSES);
});

test('neither words that others use too, nor tools of the router itself', () => {
  expect(flagOf(toolOf({ ...posing, line: 'List all things of a management cloud.' }))).toBe(0);
  expect(flagOf(toolOf({ ...posing, local: true }))).toBe(0);
});

test('a first sentence that heaps up one word', () => {
  const heaped =
    'Lease, leases, DHCP lease, lease table, lease list, all leases, client lease, lease time, lease pool, free lease.';
  expect(flagOf(toolOf({ platform: 'zeta', name: 'zeta_lease_finder', line: heaped }))).toBe(FLAG_POSES);
  const said =
    'List the leases of one lease pool with the time at which each lease ends and the client that holds the lease.';
  expect(flagOf(toolOf({ platform: 'zeta', name: 'zeta_list_leases', line: said }))).toBe(0);
});
