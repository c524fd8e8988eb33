/** Bad input, item by item: each has its code, its candidate stays unapplied, and the others go on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryTarget } from '../test/migration/memory-target.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { applyRun } from './apply.ts';
import { BLOCKED } from './blocked.ts';
import { newRun, RUN_LIMITS, type Run } from './migration-run.ts';
import { type Plan, planOf } from './plan.ts';
import { WARNINGS } from './plan-warning.ts';
import { readExport, readExportText } from './read-export.ts';
import type { TargetSecrets } from './runtime-secrets.ts';

const AP: TargetContext = { target: 'new', scope_id: 'site', persona: 'CAMPUS_AP' };
const GOOD = 'vlan:77';
const now = () => '2026-01-01T00:00:00.000Z';

const runOf = (plan: Plan, target: TargetContext): Run =>
  newRun({
    target,
    policy: 'fail',
    candidates: plan.candidates[target.target],
    secretsOf: (candidate) => adapterOf(candidate, target.target).secretsOf(candidate),
    now: now(),
  });

/** A dry run and an apply; what was written, and how each entry ended. */
async function applied(run: Run, secrets: TargetSecrets = {}) {
  const port = memoryTarget();
  const options = { run, port, secrets, save: async () => {}, retryFailed: false, limit: 500, offset: 0, now };
  for (const dryRun of [true, false]) await applyRun({ ...options, dryRun });
  const entries = new Map(run.candidates.map((entry) => [entry.key, entry]));
  return { written: port.written, entries };
}

/** The whole way from the text of an export, which holds one good VLAN beside what is bad. */
async function tried(bad: object, context: TargetContext = AP, secrets: TargetSecrets = {}) {
  const { vlans = [], ...others } = bad as { vlans?: object[] };
  const plan = planOf(readExportText(JSON.stringify({ ...others, vlans: [{ id: 77 }, ...vlans] })));
  return { codes: new Set(plan.warnings.map(({ code }) => code)), ...(await applied(runOf(plan, context), secrets)) };
}

type Tried = Awaited<ReturnType<typeof tried>>;

function unapplied({ entries, written }: Tried, key: string, why: RegExp): void {
  const { status, last_error } = entries.get(key) ?? {};
  expect([status, last_error]).toEqual([expect.stringMatching(/^(blocked|unsupported)$/), expect.stringMatching(why)]);
  expect(entries.get(GOOD)?.status).toBe('applied');
  const name = key.split(':').at(-1);
  expect(written.filter((each) => each.endsWith(` ${name}`) || each.endsWith(`/${name}`))).toEqual([]);
}

const net = (ssid: object, vap: object = {}) => ({
  wlans: {
    ssid_profiles: [{ profile_name: 'net', essid: 'net', ...ssid }],
    virtual_aps: [{ profile_name: 'net', ssid_prof: 'net', vlan: '77', forward_mode: 'bridge', ...vap }],
  },
});
const SAE = net({ opmode: 'wpa3-sae-aes', wpa_passphrase: 'of the source' });

describe('wrong JSON', () => {
  test.each(['{"vlans": [{"id": 77}', "{'vlans': []}", '[{"id": 77}]', 'null', ''])('%j is no export', (text) => {
    const plan = planOf(readExportText(text));
    expect(plan.warnings).toMatchObject([
      { code: 'export_unreadable', message: expect.stringContaining(WARNINGS.export_unreadable) },
    ]);
    expect([plan.candidates.new, plan.candidates.classic]).toEqual([[], []]);
  });
  test('JSON of another shape in one section leaves the other sections in', async () => {
    const { codes, entries } = await tried({ roles: { rname: 'r' }, ap_groups: ['group', 7, null], printers: [] });
    expect(codes).toEqual(new Set(['section_malformed', 'item_malformed', 'section_unknown']));
    expect([...entries].map(([key, { status }]) => [key, status])).toEqual([[GOOD, 'applied']]);
  });
});

describe('empty sections', () => {
  test.each([
    ['an empty list is no mistake', { roles: [], aaa: { radius_servers: [] }, wlans: {}, routing: null }, []],
    ['an empty object in place of a list', { roles: {} }, ['section_malformed']],
    ['an empty list in place of the sections', { aaa: [] }, ['section_malformed']],
    ['an empty text', { wlans: { ssid_profiles: '' } }, ['section_malformed']],
    ['an empty item', { roles: [{}] }, ['item_malformed']],
  ])('%s', async (_, bad, expected) => {
    const { codes, entries } = await tried(bad);
    expect([...codes]).toEqual(expected);
    expect([...entries.keys()]).toEqual([GOOD]);
    expect(entries.get(GOOD)?.status).toBe('applied');
  });
});

describe('cyclic references', () => {
  test('a role and the portal it leads to name each other: both stay, each with its code', async () => {
    const done = await tried({
      roles: [{ rname: 'r', role__acl: [{ pname: 'allowall' }], captive_portal_profile: 'p' }],
      aaa: { captive_portal_profiles: [{ profile_name: 'p', default_role: 'r' }] },
    });
    unapplied(done, 'role:r', /^unmapped-field: .*captive_portal_profile/);
    unapplied(done, 'captive_portal_profile:p', /^new\.no-mapping: /);
    expect(done.codes).toContain('unmapped_field');
  });
  test('a server group that is its own member', async () => {
    const group = { sg_name: 'g', auth_server: [{ name: 'g' }] };
    const done = await tried({ aaa: { server_groups: [group] } }, { ...AP, persona: 'MOBILITY_GW' });
    unapplied(done, 'server_group:g', /^new\.server-group-unresolved: /);
    expect(done.codes).toContain('dependency_missing');
  });
  test('candidates of a stored run that wait for each other', async () => {
    const run = runOf(planOf(readExport({ vlans: [{ id: 1 }, { id: 2 }, { id: 77 }] })), AP);
    for (const [key, ref] of [
      ['vlan:1', 'vlan:2'],
      ['vlan:2', 'vlan:1'],
    ] as const) {
      const entry = run.candidates.find((each) => each.key === key);
      entry!.candidate = { ...entry!.candidate, dependencies: [ref] };
    }
    const done = await applied(run);
    for (const key of ['vlan:1', 'vlan:2'])
      unapplied({ ...done, codes: new Set() }, key, /^dependency-waiting: it depends on vlan:[12]/);
  });
});

describe('dangling references', () => {
  test('a network whose VLAN the export does not hold', async () => {
    const done = await tried(net({ opmode: 'opensystem' }, { vlan: 'gone' }));
    unapplied(done, 'wlan:net', /^wlan\.vlan: /);
    expect(done.codes).toEqual(new Set(['dependency_missing']));
  });
  test('a network whose AAA profile the export does not hold', async () => {
    const done = await tried(net({ opmode: 'opensystem' }, { aaa_prof: 'gone' }));
    unapplied(done, 'wlan:net', /^(classified manual|wlan\.)/);
    expect(done.codes).toContain('aaa_unresolved');
  });
  test('a candidate that is chosen without what it depends on', async () => {
    const run = runOf(
      planOf(readExport({ vlans: [{ id: 10 }, { id: 77 }], ...net({ opmode: 'opensystem' }, { vlan: '10' }) })),
      AP,
    );
    run.candidates = run.candidates.filter(({ key }) => key !== 'vlan:10');
    unapplied({ ...(await applied(run)), codes: new Set() }, 'wlan:net', /^precondition-missing: .* has vlan:10$/);
  });
});

test('duplicate names: one of them is planned, always the same one, and it is told', async () => {
  const one = { rname: 'r', role__acl: [{ pname: 'allowall' }] };
  const two = { rname: 'r', role__acl: [{ pname: 'guests' }] };
  const [first, second] = [await tried({ roles: [one, two] }), await tried({ roles: [two, one] })];
  for (const { codes, entries } of [first, second]) {
    expect(codes).toContain('duplicate_name');
    expect(entries.get(GOOD)?.status).toBe('applied');
  }
  expect([...first.entries]).toEqual([...second.entries]);
  expect([...first.entries.keys()].filter((key) => key === 'role:r')).toHaveLength(1);
});

describe('secrets', () => {
  test.each([
    [
      'a secret too long',
      'x'.repeat(RUN_LIMITS.secretLength + 1),
      /^secret-too-long: .*at most 1024 characters, got 1025$/,
    ],
    ['a redaction marker as secret', '<redacted:present>', /^secret-redacted: /],
    ['asterisks as secret', '********', /^secret-redacted: /],
    ['the placeholder of a preview as secret', '__runtime_secret_placeholder__', /^secret-redacted: /],
    ['an empty secret', '', /^secret-missing: /],
  ])('%s', async (_, wpa_passphrase, why) => {
    unapplied(await tried(SAE, AP, { 'wlan:net': { wpa_passphrase } }), 'wlan:net', why);
  });
  test('no secret at all', async () => unapplied(await tried(SAE), 'wlan:net', /^secret-missing: /));
  test('an unrequested secret', async () => {
    const given = { wpa_passphrase: 'typed by hand', shared_secret: 'and this' };
    unapplied(await tried(SAE, AP, { 'wlan:net': given }), 'wlan:net', /^secret-not-asked-for: /);
  });
  test('the longest that is allowed is applied', async () => {
    const key = 'auth_server:radius:r';
    const shared_secret = 'x'.repeat(RUN_LIMITS.secretLength);
    const server = { aaa: { radius_servers: [{ name: 'r', host: '10.0.0.1', key: 'of the source' }] } };
    const gateway = { ...AP, persona: 'MOBILITY_GW' };
    expect((await tried(server, gateway, { [key]: { shared_secret } })).entries.get(key)?.status).toBe('applied');
  });
});

describe('the context', () => {
  const { scope_id: _, ...noScope } = AP;
  const { persona: __, ...noPersona } = AP;
  test.each([
    ['a context without scope', noScope, /^new\.resolved-scope: /],
    ['a context with an empty scope', { ...AP, scope_id: ' ' }, /^new\.resolved-scope: /],
    ['a context without persona', noPersona, /^new\.resolved-persona: /],
    ['a persona that is no device function', { ...AP, persona: 'PRINTER' }, /^new\.resolved-persona: /],
    ['a classic context without a group', { target: 'classic' }, /^classic\.named-group: /],
  ] as [string, TargetContext, RegExp][])('%s: nothing is written until it is named', async (_, context, why) => {
    const { entries, written } = await tried(net({ opmode: 'opensystem' }), context);
    const refused = context.target === 'new' ? [GOOD, 'wlan:net'] : ['wlan:net'];
    for (const key of refused)
      expect(entries.get(key)).toMatchObject({
        status: 'blocked',
        retryable: true,
        last_error: expect.stringMatching(why),
      });
    expect(written).toEqual([]);
  });
  test.each([
    ['an AAA profile', { aaa: { aaa_profiles: [{ profile_name: 'a' }] } }, 'aaa_profile:a'],
    ['an 802.1X profile', { aaa: { dot1x_auth_profiles: [{ profile_name: 'a' }] } }, 'dot1x_auth_profile:a'],
    ['a MAC-auth profile', { aaa: { mac_auth_profiles: [{ profile_name: 'a' }] } }, 'mac_auth_profile:a'],
  ])('an AP persona for a gateway concept: %s', async (_, bad, key) => {
    for (const persona of ['CAMPUS_AP', 'MICROBRANCH_AP'])
      unapplied(await tried(bad, { ...AP, persona }), key, /^new\.no-ap-persona: /);
  });
  test('a gateway persona for a network', async () => {
    const done = await tried(net({ opmode: 'opensystem' }), { ...AP, persona: 'MOBILITY_GW' });
    unapplied(done, 'wlan:net', /^new\.wlan-ap-persona: /);
  });
});

test('every reason to wait is in docs/migration.md, with what helps', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'migration.md'), 'utf8');
  const told = [...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, code, helps]) => [code, helps]);
  expect(Object.fromEntries(told)).toEqual(BLOCKED);
});
