/** The nine derivation rules of specification 3.3, each case named after the sentence it proves. */
import { describe, expect, test } from 'vitest';
import { type Fields, network, wlanIn } from '../test/migration/exports.ts';
import type { WlanMode } from './security.ts';

interface Case {
  ssid: Fields;
  aaa?: Fields;
  vap?: Fields;
  mode: WlanMode;
  ambiguous?: boolean;
  warns?: string;
}

const PSK = { wpa_passphrase: 'correct horse battery' };
const HEX = { wpa_hexkey: 'ab'.repeat(32) };

function prove(sentence: string, cases: Record<string, Case>): void {
  describe(sentence, () => {
    test.each(Object.entries(cases))('%s', (_, { ssid, aaa, vap, mode, ambiguous = false, warns }) => {
      const { payload, warnings } = wlanIn(network(ssid, vap, aaa));
      expect(payload.security).toMatchObject({ mode, ambiguous });
      expect(payload.security?.evidence).toHaveLength(1);
      const told = warnings.filter(({ code }) => /^(security|aaa)_/.test(code)).map(({ code }) => code);
      expect(told).toEqual(warns === undefined ? [] : [warns]);
    });
  });
}

const of = (opmode: unknown, more: Fields = {}): Case['ssid'] => ({ opmode, ...more });
const each = (opmodes: string[], rest: Omit<Case, 'ssid'>, more: Fields = {}): Record<string, Case> =>
  Object.fromEntries(opmodes.map((opmode) => [JSON.stringify(opmode), { ssid: of(opmode, more), ...rest }]));

prove(
  '1. open: opmode is open or opensystem (case-insensitive)',
  each(['open', 'OPEN', 'Open', 'opensystem', 'OpenSystem', 'OPENSYSTEM', ' opensystem '], { mode: 'open' }),
);

prove(
  '2. wpa2_personal: opmode explicitly contains wpa2 and a PSK-style token',
  each(['wpa2-psk-aes', 'WPA2-PSK-AES', 'wpa2_psk', 'wpa2 personal', 'wpa2-psk-tkip', 'wpa2psk', 'WPA2PSK-AES'], {
    mode: 'wpa2_personal',
  }),
);
const MIXED = ['wpa-wpa2-psk', 'wpa-psk-tkip,wpa2-psk-aes', 'wpa2-psk-aes wpa-psk-tkip', 'wpapsk-wpa2psk'];
describe('2. wpa2_personal: opmode contains the first WPA besides, and the loss of its clients is told', () => {
  test.each(MIXED)('%s', (opmode) => {
    const { payload, warnings } = wlanIn(network({ opmode }));
    expect(payload.security).toMatchObject({ mode: 'wpa2_personal', ambiguous: false });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'opmode_lossy', field: 'opmode' }));
  });
  test.each(['wpa2-psk-aes', 'wpa2psk', 'wpa3-sae-aes'])('%s loses none', (opmode) => {
    const { warnings } = wlanIn(network({ opmode }));
    expect(warnings.map(({ code }) => code)).not.toContain('opmode_lossy');
  });
});
prove('2. wpa2_personal: or a passphrase/hexkey is present', {
  passphrase: { ssid: of('wpa2-aes', PSK), mode: 'wpa2_personal' },
  hexkey: { ssid: of('wpa2-aes', HEX), mode: 'wpa2_personal' },
  'both of them': { ssid: of('wpa2-aes', { ...PSK, ...HEX }), mode: 'wpa2_personal' },
  'a marker in its place': { ssid: of('wpa2-aes', { wpa_passphrase: '<redacted:present>' }), mode: 'wpa2_personal' },
  'the platform says it is configured': {
    ssid: of('wpa2-aes', { wpa_passphrase_configured: true }),
    mode: 'wpa2_personal',
  },
});
prove(
  '2. legacy or unrecognized personal opmodes without an explicit wpa2 token give unknown plus a warning',
  each(
    [
      'wpa-psk-tkip',
      'wpa-psk-aes',
      'WPA-PSK',
      'wpapsk',
      'wpa-psk-mixed',
      'psk',
      'personal',
      'tkip-psk',
      'mixed-personal',
    ],
    { mode: 'unknown', warns: 'security_unknown' },
    PSK,
  ),
);

prove('3. wpa3_sae: opmode contains wpa3 and a PSK-style signal', {
  ...each(['wpa3-sae-aes', 'WPA3-SAE', 'wpa3_personal', 'wpa3-psk'], { mode: 'wpa3_sae' }),
  'passphrase as the signal': { ssid: of('wpa3-aes', PSK), mode: 'wpa3_sae' },
  'hexkey as the signal': { ssid: of('wpa3-aes', HEX), mode: 'wpa3_sae' },
});

prove('4. wpa3_transition_personal: the source transition flag is true', {
  'over SAE': { ssid: of('wpa3-sae-aes', { opmode_transition: true }), mode: 'wpa3_transition_personal' },
  'over WPA2': { ssid: of('wpa2-psk-aes', { opmode_transition: 1 }), mode: 'wpa3_transition_personal' },
  'as text': { ssid: of('wpa3-sae-aes', { opmode_transition: 'enabled' }), mode: 'wpa3_transition_personal' },
  'false leaves SAE': { ssid: of('wpa3-sae-aes', { opmode_transition: false }), mode: 'wpa3_sae' },
  'absent leaves SAE': { ssid: of('wpa3-sae-aes'), mode: 'wpa3_sae' },
  'null leaves SAE': { ssid: of('wpa3-sae-aes', { opmode_transition: null }), mode: 'wpa3_sae' },
});

prove(
  '5. enhanced_open: opmode contains both enhanced and open',
  each(['enhanced-open', 'ENHANCED_OPEN', 'enhancedopen', 'open-enhanced'], { mode: 'enhanced_open' }),
);

const DOT1X = { dot1x_auth_profile: 'eap' };
const MAC = { mac_auth_profile: 'addresses' };
prove('6. a resolved AAA profile with an 802.1X auth profile gives enterprise_dot1x', {
  ...Object.fromEntries(
    ['wpa2-aes', 'wpa3-aes-ccm-128', 'opensystem', 'wpa2-psk-aes'].map((opmode) => [
      opmode,
      { ssid: of(opmode), aaa: DOT1X, mode: 'enterprise_dot1x' as const },
    ]),
  ),
  'with its server group': {
    ssid: of('wpa2-aes'),
    aaa: { ...DOT1X, dot1x_server_group: 'servers' },
    mode: 'enterprise_dot1x',
  },
});
prove('6. with a MAC-auth profile and no PSK signal gives mac_auth_only', {
  open: { ssid: of('opensystem'), aaa: MAC, mode: 'mac_auth_only' },
  'enhanced open': { ssid: of('enhanced-open'), aaa: MAC, mode: 'mac_auth_only' },
  'with its server group': { ssid: of('opensystem'), aaa: { ...MAC, mac_server_group: 's' }, mode: 'mac_auth_only' },
});
prove('6. with MAC-auth and a PSK signal gives mac_auth_psk', {
  'token in the opmode': { ssid: of('wpa2-psk-aes'), aaa: MAC, mode: 'mac_auth_psk' },
  passphrase: { ssid: of('opensystem', PSK), aaa: MAC, mode: 'mac_auth_psk' },
  hexkey: { ssid: of('wpa2-aes', HEX), aaa: MAC, mode: 'mac_auth_psk' },
  'SAE token': { ssid: of('wpa3-sae-aes'), aaa: MAC, mode: 'mac_auth_psk' },
});
prove(
  '6. with both 802.1X and MAC-auth it stays unknown, ambiguous',
  Object.fromEntries(
    ['wpa2-aes', 'opensystem', 'wpa2-psk-aes', 'wpa3-sae-aes'].map((opmode) => [
      opmode,
      {
        ssid: of(opmode),
        aaa: { ...DOT1X, ...MAC },
        mode: 'unknown' as const,
        ambiguous: true,
        warns: 'security_ambiguous',
      },
    ]),
  ),
);

const ROLE_ONLY = { default_user_role: 'staff' };
prove('7. a role-only AAA profile falls through to opmode classification', {
  open: { ssid: of('opensystem'), aaa: ROLE_ONLY, mode: 'open' },
  wpa2: { ssid: of('wpa2-psk-aes'), aaa: ROLE_ONLY, mode: 'wpa2_personal' },
  sae: { ssid: of('wpa3-sae-aes'), aaa: ROLE_ONLY, mode: 'wpa3_sae' },
  transition: {
    ssid: of('wpa3-sae-aes', { opmode_transition: true }),
    aaa: ROLE_ONLY,
    mode: 'wpa3_transition_personal',
  },
  'enhanced open': { ssid: of('enhanced-open'), aaa: ROLE_ONLY, mode: 'enhanced_open' },
  'default roles of logins are no login': {
    ssid: of('opensystem'),
    aaa: { ...ROLE_ONLY, dot1x_default_role: 'a', mac_default_role: 'b' },
    mode: 'open',
  },
});
prove(
  '7. any server group configured gives unknown, ambiguous, with a warning naming the field',
  Object.fromEntries(
    ['dot1x_server_group', 'mac_server_group', 'accounting_server_group', 'rad_acct_sg'].map((field) => [
      field,
      {
        ssid: of('opensystem'),
        aaa: { ...ROLE_ONLY, [field]: 'servers' },
        mode: 'unknown' as const,
        ambiguous: true,
        warns: 'security_ambiguous',
      },
    ]),
  ),
);
test.each([
  ['dot1x_server_group', 'dot1x_server_group'],
  ['mac_server_group', 'mac_server_group'],
  ['rad_acct_sg', 'accounting_server_group'],
])('7. the warning about %s names the field %s', (given, field) => {
  const { warnings } = wlanIn(network({ opmode: 'opensystem' }, {}, { [given]: 'servers' }));
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'security_ambiguous', field }));
});
prove('7. a login or server group that cannot be read is no sign of a role-only AAA profile', {
  ...Object.fromEntries(
    ['dot1x_auth_profile', 'mac_auth_profile', 'dot1x_server_group', 'rad_acct_sg'].map((field) => [
      field,
      {
        ssid: of('opensystem'),
        aaa: { ...ROLE_ONLY, [field]: { profile_name: 'eap', inherited: true } },
        mode: 'unknown' as const,
        ambiguous: true,
        warns: 'security_ambiguous',
      },
    ]),
  ),
});
prove(
  '7. an AAA reference that cannot be read stays unknown, and is never taken for none',
  Object.fromEntries(
    [{ profile_name: 'login', inherited: true }, ['login'], {}, true].map((aaa_prof) => [
      JSON.stringify(aaa_prof),
      {
        ssid: of('opensystem'),
        aaa: MAC,
        vap: { aaa_prof },
        mode: 'unknown' as const,
        ambiguous: true,
        warns: 'security_ambiguous',
      },
    ]),
  ),
);
prove(
  '7. an unresolvable AAA reference stays unknown',
  Object.fromEntries(
    ['opensystem', 'wpa2-psk-aes', 'wpa3-sae-aes', 'enhanced-open'].map((opmode) => [
      opmode,
      { ssid: of(opmode), vap: { aaa_prof: 'gone' }, mode: 'unknown' as const, warns: 'aaa_unresolved' },
    ]),
  ),
);

prove('8. any other combination gives unknown with a warning; nothing is guessed or defaulted', {
  ...each(['static-wep', 'dynamic-wep', 'wpa2-aes', 'wpa3-aes-ccm-128', 'wpa3-cnsa', 'bSec-128', 'xSec', 'dpp'], {
    mode: 'unknown',
    warns: 'security_unknown',
  }),
  'no opmode': { ssid: {}, mode: 'unknown', warns: 'security_unknown' },
  'an empty opmode': { ssid: of(''), mode: 'unknown', warns: 'security_unknown' },
  'a null opmode': { ssid: of(null), mode: 'unknown', warns: 'security_unknown' },
  'a passphrase alone': { ssid: PSK, mode: 'unknown', warns: 'security_unknown' },
  'WPA2 and WPA3 at once': {
    ssid: of('wpa2-wpa3-psk'),
    mode: 'unknown',
    ambiguous: true,
    warns: 'security_ambiguous',
  },
  'WPA and WPA3 at once': {
    ssid: of('wpa-wpa3-psk'),
    mode: 'unknown',
    ambiguous: true,
    warns: 'security_ambiguous',
  },
  'many passphrases': { ssid: of('wpa2-mpsk-aes', PSK), mode: 'unknown', ambiguous: true, warns: 'security_ambiguous' },
  'an 802.1X encryption with a passphrase': {
    ssid: of('wpa3-aes-gcm-256', PSK),
    mode: 'unknown',
    ambiguous: true,
    warns: 'security_ambiguous',
  },
  'a list of opmodes of which one cannot be read': {
    ssid: of(['opensystem', { mode: 'wpa2-psk-aes', inherited: true }]),
    mode: 'unknown',
    warns: 'security_unknown',
  },
  'flags of opmodes of which one is undetermined': {
    ssid: of({ opensystem: true, 'wpa2-psk-aes': 'maybe' }),
    mode: 'unknown',
    warns: 'security_unknown',
  },
  'two opmodes switched on': {
    ssid: of({ 'wpa2-psk-aes': true, 'wpa3-sae-aes': true }),
    mode: 'unknown',
    ambiguous: true,
    warns: 'security_ambiguous',
  },
});

describe('8. opmodes by which clients join in different ways are not read as one of them', () => {
  test.each([
    [['wpa2-aes', 'wpa2-psk-aes']],
    [['opensystem', 'wpa2-psk-aes']],
    [['opensystem', 'enhanced-open']],
    [['static-wep', 'wpa2-psk-aes']],
    [['wpa-tkip', 'wpa2-psk-aes']],
    [['wpa3-aes-ccm-128', 'wpa3-sae-aes']],
  ])('%j', (opmodes) => {
    const flags = Object.fromEntries(opmodes.map((name) => [name, {}]));
    for (const opmode of [opmodes, flags, opmodes.join(' '), opmodes.join(',')])
      for (const secrets of [{}, PSK]) {
        const { payload, warnings } = wlanIn(network({ opmode, ...secrets }));
        expect(payload.security).toMatchObject({ mode: 'unknown', ambiguous: true });
        expect(warnings.map(({ code }) => code)).toContain('security_ambiguous');
      }
  });
});

describe('the security block', () => {
  test.each([' WPA2-PSK-AES', 'wpa2-psk-aes', 'OpenSystem'])('raw opmode %j is kept unchanged', (opmode) => {
    expect(wlanIn(network({ opmode })).payload.security?.opmode).toBe(opmode);
  });
  test('an opmode that is a flag of its own name is read by that name', () => {
    expect(wlanIn(network({ opmode: { 'wpa2-psk-aes': true, opensystem: false } })).payload.security).toMatchObject({
      opmode: 'wpa2-psk-aes',
      mode: 'wpa2_personal',
    });
  });
  test.each([
    [{ ...PSK }, true, false],
    [{ ...HEX }, false, true],
    [{ ...PSK, ...HEX }, true, true],
    [{}, false, false],
    [{ wpa_passphrase: '' }, false, false],
    [{ wpa_passphrase: '<redacted:empty>' }, false, false],
    [{ wpa_passphrase: '********' }, true, false],
    [{ wpa_passphrase: { 'wpa-passphrase': 'inside a wrapper' } }, true, false],
    [{ wpa_passphrase: true }, true, false],
    [{ wpa_hexkey: { present: true } }, false, true],
    [{ wpa_passphrase: false }, false, false],
  ])('presence-only booleans of %j', (secrets, passphrase_present, psk_hexkey_present) => {
    const { payload } = wlanIn(network({ opmode: 'wpa2-psk-aes', ...secrets }));
    expect(payload.security).toMatchObject({ passphrase_present, psk_hexkey_present });
  });
});
