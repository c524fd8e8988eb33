/**
 * The content of a preview, and the traces of secrets in it and in a run: the sentences of specification 3.4, for both
 * targets.
 */
import { describe, expect, test } from 'vitest';
import { type Fields, network, type Parts, planFor } from '../test/migration/exports.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { refOf } from './candidate.ts';
import { TARGETS, type Target } from './classification.ts';
import { newRun } from './migration-run.ts';
import type { PlannedCandidate } from './plan.ts';
import { planPage } from './plan-page.ts';
import { previewOf } from './preview.ts';

const CONTEXTS: Record<Target, TargetContext> = {
  new: { target: 'new', scope_id: 'site', persona: 'CAMPUS_AP' },
  classic: { target: 'classic', scope_name: 'group' },
};
const SECRET = 'do not tell anybody';

const candidateIn = (parts: Parts, target: Target, ref = 'wlan:net'): PlannedCandidate =>
  planFor(parts).candidates[target].find((candidate) => refOf(candidate) === ref) as PlannedCandidate;
const preview = (parts: Parts, target: Target, ref?: string, more: Partial<TargetContext> = {}) =>
  previewOf(candidateIn(parts, target, ref), { ...CONTEXTS[target], ...more });
const runTextOf = (parts: Parts, target: Target) =>
  JSON.stringify(
    newRun({
      target: CONTEXTS[target],
      policy: 'fail',
      candidates: planFor(parts).candidates[target],
      secretsOf: (candidate) => adapterOf(candidate, target).secretsOf(candidate),
      now: '2026-01-01T00:00:00.000Z',
    }),
  );

describe.each(TARGETS)('secrets at the %s target', (target) => {
  test.each([
    ['passphrases', network({ opmode: 'wpa3-sae-aes', wpa_passphrase: SECRET })],
    ['hex keys', network({ opmode: 'wpa2-psk-aes', wpa_hexkey: { value: SECRET } })],
    ['WEP keys', network({ opmode: 'static-wep', wep_keys: [{ index: 1, key: SECRET }] })],
    ['bind passwords', { aaa: { ldap_servers: [{ name: 'l', host: 'h', admin_passwd: SECRET }] } }],
    ['shared secrets', { aaa: { radius_servers: [{ name: 'r', host: 'h', key: SECRET }] } }],
    ['a flattened path-like key', network({ opmode: 'wpa2-psk-aes', 'ssid.wpa_passphrase': SECRET })],
  ] as [string, Parts][])('%s are never persisted in candidates or run state', (_, parts) => {
    const shown = planFor(parts).candidates[target].map((each) => previewOf(each, CONTEXTS[target]));
    expect(JSON.stringify(planFor(parts))).not.toContain(SECRET);
    expect(runTextOf(parts, target)).not.toContain(SECRET);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });

  test('preview inserts only the fixed literal, create nothing at all', () => {
    const parts = network({ opmode: 'wpa3-sae-aes', wpa_passphrase: SECRET });
    const { operations, required_secret_names } = preview(parts, target);
    expect(required_secret_names).toEqual(['wpa_passphrase']);
    const literals = JSON.stringify(operations).match(/__[a-z_]+__/g);
    expect(new Set(literals)).toEqual(new Set(['__runtime_secret_placeholder__']));
    expect(runTextOf(parts, target)).not.toContain('__runtime_secret_placeholder__');
  });

  test.each([
    ['a passphrase', { wpa_passphrase: SECRET }, true, false],
    ['a hex key', { wpa_hexkey: SECRET }, false, true],
    ['neither', {}, false, false],
  ] as [string, Fields, boolean, boolean][])(
    'presence booleans stay real booleans in previews and run state: %s',
    (_, secrets, passphrase_present, psk_hexkey_present) => {
      const parts = network({ opmode: 'wpa2-psk-aes', ...secrets });
      const presence = { passphrase_present, psk_hexkey_present };
      expect(preview(parts, target).security).toEqual({ mode: 'wpa2_personal', ambiguous: false, ...presence });
      const run = JSON.parse(runTextOf(parts, target)) as {
        candidates: { key: string; candidate: PlannedCandidate }[];
      };
      const kept = run.candidates.find(({ key }) => key === 'wlan:net')?.candidate.payload.security;
      expect(kept).toMatchObject(presence);
    },
  );

  test('the LDAP bind distinguished name is not redacted; the bind password is', () => {
    const parts = { aaa: { ldap_servers: [{ name: 'l', host: 'h', admin_dn: 'cn=reader', admin_passwd: SECRET }] } };
    expect(candidateIn(parts, target, 'auth_server:ldap:l').unsupported_fields).toEqual({
      admin_dn: 'cn=reader',
      admin_passwd: '******',
    });
  });

  test.each([
    [
      'a WEP key',
      network({ opmode: 'static-wep', wep_keys: [{ index: 1, key: SECRET }] }),
      'wlan:net',
      'ssid.wep_keys',
    ],
    [
      'a bind password',
      { aaa: { ldap_servers: [{ name: 'l', admin_passwd: SECRET }] } },
      'auth_server:ldap:l',
      'admin_passwd',
    ],
    ['a shared secret', { aaa: { radius_servers: [{ name: 'r', key: SECRET }] } }, 'auth_server:radius:r', 'key'],
    [
      'a marker',
      { aaa: { radius_servers: [{ name: 'r', key: '<redacted:present>' }] } },
      'auth_server:radius:r',
      'key',
    ],
  ] as [string, Parts, string, string][])(
    'any actual secret value is masked as a run of asterisks: %s',
    (_, parts, ref, field) => {
      expect(candidateIn(parts, target, ref).unsupported_fields[field]).toBe('******');
      const run = runTextOf(parts, target);
      expect(run).toContain(`"${field}":"******"`);
      expect(run).not.toContain(SECRET);
    },
  );
});

describe('a preview', () => {
  test('of a network: each write with its read-back, what changes it, and what takes it back', () => {
    expect(preview(network({ opmode: 'opensystem' }), 'new')).toMatchObject({
      status: 'would-apply',
      classification: 'exact',
      dependencies: ['vlan:10'],
      inline_dependencies: [],
      apply_order: 50,
      dry_run_only: false,
      rollback_supported: true,
      blockers: [],
      unsupported_fields: [],
      warnings: [],
      operations: [
        {
          what: 'wlan-ssids net',
          tool: 'mgmt_create_wlan_ssid',
          update: 'mgmt_update_wlan_ssid',
          read_back: 'mgmt_get_wlan_ssid',
          rollback: 'mgmt_delete_wlan_ssid',
        },
        {
          tool: 'mgmt_create_config_assignments',
          update: null,
          read_back: 'mgmt_list_config_assignments',
          rollback: 'mgmt_delete_config_assignment',
        },
      ],
    });
  });
  test('at a classic target a VLAN travels inside its network', () => {
    const { dependencies, inline_dependencies } = preview(network({ opmode: 'opensystem' }), 'classic');
    expect([dependencies, inline_dependencies]).toEqual([[], ['vlan:10']]);
  });
  test('of a VLAN: no verified call takes it back', () => {
    const shown = preview({ vlans: [{ id: 10 }] }, 'new', 'vlan:10');
    expect([shown.rollback_supported, shown.operations[0]?.rollback]).toEqual([false, null]);
  });
  test('of what a rule refuses: no operation, the rule, and the field that has no place', () => {
    expect(preview({ vlans: [{ id: 10, odd: 1 }] }, 'new', 'vlan:10')).toMatchObject({
      status: 'unsupported',
      operations: [],
      blockers: [{ rule: 'unmapped-field' }],
      unsupported_fields: ['odd'],
      warnings: [],
    });
  });
  test('of what lacks a context: blocked, and what it would do is shown', () => {
    const { status, blockers, operations } = preview(network({ opmode: 'opensystem' }), 'new', 'wlan:net', {
      scope_id: '',
    });
    expect([status, blockers.map(({ rule }) => rule), operations.length]).toEqual([
      'blocked',
      ['new.resolved-scope'],
      2,
    ]);
  });
  test('of what is shown only: why, with the server of external_object_references in place', () => {
    const parts = network({ opmode: 'wpa3-aes-ccm-128' }, {}, { dot1x_auth_profile: 'd' });
    const named = { external_object_references: { 'auth_server:net': 'radius-of-the-group' } };
    const shown = preview(parts, 'classic', 'wlan:net', named);
    expect(shown).toMatchObject({
      status: 'blocked',
      dry_run_only: true,
      dry_run_only_reason: expect.stringMatching(/./),
    });
    expect(JSON.stringify(shown.operations)).toContain('radius-of-the-group');
    expect(preview(parts, 'classic').blockers.map(({ rule }) => rule)).toContain('classic.enterprise-server');
  });
  test.each([
    ['classic', 'wpa3-sae-aes', true],
    ['new', 'wpa3-sae-aes', false],
    ['classic', 'opensystem', false],
  ] as const)('whether it will be offered at 6 GHz as well: %s, %s', (target, opmode, isWidened) => {
    const parts = network({ opmode, wpa_passphrase: SECRET });
    expect(preview(parts, target).warnings.includes('bands_widened allowed_band')).toBe(isWidened);
    expect(planPage(planFor(parts), target).includes('offers the network at 6 GHz as well')).toBe(isWidened);
  });
  test('of a manual family: its class and its note', () => {
    const { status, blockers } = preview({ policies: [{ accname: 'p' }] }, 'new', 'policy:p');
    expect([status, blockers.map(({ rule }) => rule)]).toEqual(['unsupported', ['new.policy-shown-only']]);
  });
  test('names what the export lacks', () => {
    expect(preview(network({ opmode: 'opensystem' }, { vlan: 'gone' }), 'new').warnings).toEqual([
      'dependency_missing vlan',
    ]);
  });
});

describe('the preconditions of an AAA profile', () => {
  const GATEWAY = { persona: 'MOBILITY_GW' };
  const fields = { profile_name: 'a', default_user_role: 'staff', dot1x_auth_profile: 'eap' };
  test('are what it names and the export does not hold', () => {
    const parts = { roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }], aaa: { aaa_profiles: [fields] } };
    expect(preview(parts, 'new', 'aaa_profile:a', GATEWAY)).toMatchObject({
      status: 'would-apply',
      dependencies: ['role:staff'],
      preconditions: ['dot1x_auth_profile:eap'],
    });
  });
  test('are none where the export holds all of it', () => {
    const parts = {
      roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }],
      aaa: { aaa_profiles: [fields], dot1x_auth_profiles: [{ name: 'eap' }] },
    };
    expect(preview(parts, 'new', 'aaa_profile:a', GATEWAY)).not.toHaveProperty('preconditions');
  });
});

test.each([
  ['wpa3-aes-ccm-128', 'wpa3-aes-ccm-128'],
  ['wpa3-aes-gcm-256', 'wpa3-aes-gcm-256'],
  ['wpa3-cnsa', 'wpa3-cnsa'],
  [' WPA3_AES_GCM_256', 'wpa3-aes-gcm-256'],
])('a classic WPA3-Enterprise network of %j is shown with its own encryption', (opmode, shown) => {
  const parts = network({ opmode }, {}, { dot1x_auth_profile: 'd' });
  const external_object_references = { 'auth_server:net': 'radius-1' };
  const { operations, blockers } = preview(parts, 'classic', 'wlan:net', { external_object_references });
  expect(blockers).toMatchObject([{ rule: 'classic.enterprise-dry-run-only' }]);
  expect(operations).toMatchObject([{ arguments: { body: { wlan: { opmode: shown, auth_server1: 'radius-1' } } } }]);
});
