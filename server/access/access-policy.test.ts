/** The expected cells come from the rules as sentences, written apart from the code under test. */
import { expect, test } from 'vitest';
import type { AccessProfile, AccessSettings } from '../config/access-settings.ts';
import { CAPABILITIES, type Capability, decide, decideFor } from './access-policy.ts';

const PROFILES: readonly AccessProfile[] = ['safe-read-only', 'custom', 'full-read-write'];
const PLATFORMS = {
  toolset: { kind: 'toolset', gate: { variable: 'SVC_MCP_MGMT_WRITES', default: 'off' } },
  product: { kind: 'product', gate: { variable: 'SVC_MCP_NAC_WRITES', default: 'product-access' } },
  gateless: { kind: 'product', gate: null },
} as const;

interface Cell {
  profile: AccessProfile;
  readonly: boolean;
  productAccess: 'read-only' | 'read-write';
  gate: boolean | undefined;
  platform: keyof typeof PLATFORMS;
  capability: Capability;
}

function expected(cell: Cell): 'allowed' | 'refused' | 'hidden' {
  if (cell.capability === 'read' || cell.capability === 'diagnostic') return 'allowed';
  if (cell.readonly || cell.profile === 'safe-read-only') return 'hidden';
  if (cell.platform === 'gateless') return 'refused';
  if (cell.profile === 'full-read-write') return 'allowed';
  if (cell.gate !== undefined) return cell.gate ? 'allowed' : 'refused';
  if (cell.platform === 'toolset') return 'refused';
  return cell.productAccess === 'read-write' ? 'allowed' : 'refused';
}

function* cells(): Generator<Cell> {
  for (const profile of PROFILES)
    for (const readonly of [false, true])
      for (const productAccess of ['read-only', 'read-write'] as const)
        for (const gate of [undefined, false, true])
          for (const platform of ['toolset', 'product', 'gateless'] as const)
            for (const capability of CAPABILITIES)
              yield { profile, readonly, productAccess, gate, platform, capability };
}

test('every cell of profile × switches × gate × platform × capability decides as the rules say', () => {
  let count = 0;
  for (const cell of cells()) {
    const platform = PLATFORMS[cell.platform];
    const settings: AccessSettings = {
      profile: cell.profile,
      readonly: cell.readonly,
      productAccess: cell.productAccess,
      gates: cell.gate === undefined || platform.gate === null ? {} : { [platform.gate.variable]: cell.gate },
    };
    const { visible, allowed } = decide(settings, platform, cell.capability);
    const got = allowed ? 'allowed' : visible ? 'refused' : 'hidden';
    expect(got, JSON.stringify(cell)).toBe(expected(cell));
    count++;
  }
  expect(count).toBe(432);
});

test('a gate tells where its state came from', () => {
  const settings: AccessSettings = { profile: 'custom', readonly: false, productAccess: 'read-only', gates: {} };
  const source = (change: Partial<AccessSettings>, platform: keyof typeof PLATFORMS) =>
    decide({ ...settings, ...change }, PLATFORMS[platform], 'write').gate;
  expect(source({}, 'toolset')).toEqual({
    env_var: 'SVC_MCP_MGMT_WRITES',
    state: 'disabled',
    source: 'platform_default',
  });
  expect(source({ gates: { SVC_MCP_MGMT_WRITES: true } }, 'toolset')).toMatchObject({
    state: 'enabled',
    source: 'platform_override',
  });
  expect(source({ productAccess: 'read-write' }, 'product')).toMatchObject({
    state: 'enabled',
    source: 'PRODUCT_ACCESS',
  });
  expect(source({ profile: 'full-read-write' }, 'toolset')).toMatchObject({
    state: 'enabled',
    source: 'ACCESS_PROFILE',
  });
  expect(source({ profile: 'safe-read-only' }, 'toolset')).toMatchObject({
    state: 'disabled',
    source: 'ACCESS_PROFILE',
  });
  expect(source({ readonly: true }, 'toolset')).toMatchObject({ state: 'disabled', source: 'READONLY' });
  expect(source({}, 'gateless')).toEqual({ env_var: null, state: 'disabled', source: 'no_gate' });
});

test('a local toolset may read and diagnose where it is served, and writes nowhere; a stranger may nothing', () => {
  const access: AccessSettings = {
    profile: 'full-read-write',
    readonly: false,
    productAccess: 'read-write',
    gates: {},
  };
  const config = { access, known: [], localToolsets: ['rag'] };
  expect(CAPABILITIES.map((capability) => decideFor(config, 'rag', capability).allowed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  for (const capability of CAPABILITIES)
    expect(decideFor({ ...config, localToolsets: [] }, 'rag', capability)).toEqual({ visible: false, allowed: false });
});
