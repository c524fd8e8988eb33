/** The classes under which objects are counted: what no run can write is never counted as written. */
import { describe, expect, test } from 'vitest';
import { network, type Parts, planFor } from '../test/migration/exports.ts';
import type { PlannedCandidate } from './plan.ts';
import { countsOf, refusalsIn } from './plan-counts.ts';
import { planPage } from './plan-page.ts';
import { previewOf } from './preview.ts';

const messagesOf = (parts: Parts, ref: string): string[] =>
  (refusalsIn(planFor(parts), 'new').get(ref) ?? []).map(({ message }) => message);

describe('an object that needs one which is never written', () => {
  const radius = { rad_server_name: 'r', host: '10.0.0.1', nas_id: 'controller' };
  const chain: Parts = {
    aaa: {
      radius_servers: [radius],
      server_groups: [{ sg_name: 'g', auth_server: [{ name: 'r' }] }],
      aaa_profiles: [{ profile_name: 'a', rad_acct_sg: 'g' }],
    },
  };
  test('is manual, and so is what needs it in turn', () => {
    expect(countsOf(planFor(chain), 'new')).toEqual({ exact: 0, conditional: 0, manual: 3, unsupported: 0 });
    expect(messagesOf(chain, 'server_group:g')).toEqual(['it needs auth_server:radius:r, which is not written']);
    expect(messagesOf(chain, 'aaa_profile:a')).toEqual(['it needs server_group:g, which is not written']);
  });
  test('is manual because of a VLAN at the new generation, and written with it at a classic target', () => {
    const parts = { ...network({ opmode: 'opensystem' }), vlans: [{ id: 10, aaa_profile: 'wired' }] };
    expect(countsOf(planFor(parts), 'new')).toMatchObject({ exact: 0, manual: 2 });
    expect(countsOf(planFor(parts), 'classic')).toMatchObject({ exact: 1 });
    expect(planPage(planFor(parts), 'new')).toContain('refused: it needs vlan:10, which is not written');
  });
  test('is blocked in a preview, which says what it needs', () => {
    const plan = planFor(chain);
    const [group] = plan.candidates.new.filter(({ object_type }) => object_type === 'server_group');
    const context = { target: 'new', scope_id: 'site', persona: 'MOBILITY_GW' } as const;
    const shown = previewOf(group as PlannedCandidate, context, refusalsIn(plan, 'new').get('server_group:g'));
    expect(shown).toMatchObject({ status: 'blocked', blockers: [{ rule: 'dependency-refused' }] });
  });
});

describe('two items of one name that differ, as of two controllers, are not written', () => {
  const open = network({ opmode: 'opensystem' });
  const [ssid] = open.ssid_profiles as [object];
  const [vap] = open.virtual_aps as [object];
  test.each<[string, Parts, string]>([
    [
      'VLANs',
      {
        vlans: [
          { id: 10, descr: 'a' },
          { id: '10', descr: 'b' },
        ],
      },
      'vlan:10',
    ],
    ['SSID profiles', { ...open, ssid_profiles: [{ ...ssid, opmode: 'wpa3-sae-aes' }, ssid] }, 'wlan:net'],
    ['virtual APs', { ...open, virtual_aps: [{ ...vap, deny_inter_user: true }, vap] }, 'wlan:net'],
    ['roles', { roles: ['allowall', 'guests'].map((pname) => ({ rname: 'r', role__acl: [{ pname }] })) }, 'role:r'],
  ])('%s', (_, parts, ref) => {
    expect(messagesOf(parts, ref)).toEqual([expect.stringContaining('(again)')]);
  });
  test('two that say the same are written as one', () => {
    expect(
      messagesOf({ ...open, ssid_profiles: [ssid, ssid], vlans: [{ id: 10 }, { vlan_id: '10' }] }, 'wlan:net'),
    ).toEqual([]);
  });
});
