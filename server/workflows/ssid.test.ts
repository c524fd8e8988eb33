/** Networks of svc-mcp-run-ssid over a target that keeps what is written. */
import { expect, test } from 'vitest';
import type { ToolCall } from '../migration/adapters/adapter.ts';
import type { TargetPort } from '../migration/target-port.ts';
import { build, plannedCallsOf, runsOf } from './ssid.ts';

function emptyTarget(): { port: TargetPort; networks: Set<string> } {
  const networks = new Map<string, unknown>();
  const assigned: unknown[] = [];
  const isAssignment = ({ tool }: ToolCall) => tool.includes('assignment');
  const port: TargetPort = {
    read: async (call) => {
      if (isAssignment(call)) return { kind: 'found', value: { items: assigned } };
      const value = networks.get(String(call.arguments['ssid']));
      return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
    },
    write: async (call) => {
      const { ssid, body } = call.arguments as { ssid: string; body: object };
      if (isAssignment(call)) assigned.push(...Object.values(body).flat());
      else networks.set(ssid, { ssid, ...body });
      return { kind: 'done' };
    },
  };
  return { port, networks: networks as unknown as Set<string> };
}

test('more networks of one scope than a migration run takes are all looked at and all built', async () => {
  const networks = Array.from({ length: 501 }, (_, i) => ({
    ssid: `n${i}`,
    vlans: ['10'],
    scopeId: 'site',
    opmode: 'OPEN',
    band: '5GHZ' as const,
    hidden: false,
    maxClients: 64,
  }));
  const [run] = runsOf(networks, { persona: 'CAMPUS_AP' });
  if (!run) throw new Error('expected a run');
  const { port, networks: built } = emptyTarget();
  const dry = await build(run, port, new Map(), { dryRun: true });
  expect(dry.filter(({ message }) => message !== 'would be created')).toEqual([]);
  expect(await plannedCallsOf(run, port, new Map())).toHaveLength(1002);
  const done = await build(run, port, new Map(), { dryRun: false });
  expect(done.filter(({ outcome }) => outcome !== 'created')).toEqual([]);
  expect(built.size).toBe(501);
});

test('a dry run tells a network that is there from one that lacks its assignment, and from one that is to be made', async () => {
  const network = { vlans: ['10'], opmode: 'OPEN', band: '5GHZ' as const, hidden: false, maxClients: 64 };
  const { port } = emptyTarget();
  const runAt = (scopeId: string) => {
    const [run] = runsOf([{ ssid: 'Lab', scopeId, ...network }], { persona: 'CAMPUS_AP' });
    return run as NonNullable<typeof run>;
  };
  const dry = async (scopeId: string) => (await build(runAt(scopeId), port, new Map(), { dryRun: true }))[0]?.outcome;
  expect(await dry('mill')).toBe('would be created');
  const run = runAt('mill');
  await build(run, port, new Map(), { dryRun: true });
  await build(run, port, new Map(), { dryRun: false });
  expect([await dry('mill'), await dry('harbour')]).toEqual(['exists', 'would be assigned']);
});
