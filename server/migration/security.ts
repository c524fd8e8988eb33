/**
 * The security mode of a network, derived from its SSID profile and its AAA profile by the nine rules of specification
 * 3.3. It guesses nothing: without a matching rule the mode is `unknown`.
 */
import { type Warning, warning } from './plan-warning.ts';
import type { SourceItem } from './read-export.ts';
import { PRESENT } from './secret-field.ts';
import { listOf, SourceFields } from './source-fields.ts';
import { flagOf, scalarOf, textOf } from './unwrap.ts';

export const WLAN_MODES = [
  'open',
  'wpa2_personal',
  'wpa3_sae',
  'wpa3_transition_personal',
  'enhanced_open',
  'enterprise_dot1x',
  'mac_auth_only',
  'mac_auth_psk',
  'unknown',
] as const;

export type WlanMode = (typeof WLAN_MODES)[number];

export interface WlanSecurity {
  /** As the source writes it. */
  opmode: string | null;
  mode: WlanMode;
  ambiguous: boolean;
  aaa_profile: string | null;
  dot1x_auth_profile: string | null;
  mac_auth_profile: string | null;
  passphrase_present: boolean;
  psk_hexkey_present: boolean;
  /** Null where the source does not say it, or not in a way that can be read. */
  wpa3_transition: boolean | null;
  /** The source of the mode. */
  evidence: readonly string[];
}

interface Found {
  mode: WlanMode;
  ambiguous?: boolean;
  evidence: string;
  warn?: Warning;
}

/** A PSK-style token, alone or written together with its generation: `psk`, `wpa2psk`. */
const PSK_TOKEN = /^(wpa[23]?)?(psk|sae|personal)$/;
/** The first WPA: `wpa-psk-tkip`, `wpapsk`. */
const WPA_TOKEN = /^wpa(psk|personal)?$/;
/** Encryption that only exists with 802.1X: a passphrase beside it contradicts it. */
const ENTERPRISE_TOKENS = ['ccm', 'gcm', 'cnsa', 'enterprise'];
const LOGINS = ['dot1x_auth_profile', 'mac_auth_profile'];
const SERVER_GROUPS = ['dot1x_server_group', 'mac_server_group', 'accounting_server_group', 'rad_acct_sg'];

/** The AAA profile that a network names: without a name where it cannot be read, without fields where the export lacks it. */
export interface NamedAaa {
  name?: string;
  fields?: SourceItem['fields'] | undefined;
}

export function securityOf(
  object: string,
  ssid: SourceFields,
  aaa: NamedAaa | undefined,
): { security: WlanSecurity; warnings: Warning[] } {
  const passphrase = ssid.read(presenceOf, 'wpa_passphrase', 'passphrase') ?? false;
  const hexkey = ssid.read(presenceOf, 'wpa_hexkey', 'psk_hexkey') ?? false;
  const opmode = ssid.read(opmodeOf, 'opmode');
  const transition = ssid.flag('opmode_transition');
  const undetermined = ssid.isAside('opmode_transition');
  const tokens = (opmode ?? '').toLowerCase().split(/[^a-z0-9]+/);
  const signal = passphrase || hexkey || tokens.some((token) => PSK_TOKEN.test(token));
  const logins = loginsOf(aaa);
  const found =
    byAaa(object, aaa, logins, signal) ??
    byTransition(transition) ??
    byMixture(object, opmode) ??
    byOpmode(object, opmode, tokens, { signal, secret: passphrase || hexkey });
  const warnings = found.warn ? [found.warn] : [];
  if (undetermined)
    warnings.push(
      warning('security_ambiguous', { object, field: 'opmode_transition' }, 'the transition flag is undetermined'),
    );
  return {
    security: {
      opmode: opmode ?? null,
      mode: found.mode,
      ambiguous: found.ambiguous === true || undetermined,
      aaa_profile: aaa?.name ?? null,
      dot1x_auth_profile: logins.dot1x ?? null,
      mac_auth_profile: logins.mac ?? null,
      passphrase_present: passphrase,
      psk_hexkey_present: hexkey,
      wpa3_transition: transition ?? null,
      evidence: [found.evidence],
    },
    warnings,
  };
}

interface Logins {
  dot1x: string | undefined;
  mac: string | undefined;
  /** The first server group that is set, whether it can be read or not. */
  group: string | undefined;
  /** A login that is set and cannot be read. */
  unreadable: string | undefined;
}

function loginsOf(aaa: NamedAaa | undefined): Logins {
  const fields = new SourceFields(aaa?.fields ?? {});
  const dot1x = fields.text('dot1x_auth_profile');
  const mac = fields.text('mac_auth_profile');
  const group = SERVER_GROUPS.find((field) => fields.text(field) !== undefined || fields.isAside(field));
  return { dot1x, mac, group, unreadable: LOGINS.find((field) => fields.isAside(field)) };
}

/** Rules 6 and 7. Undefined: the profile says nothing about logins, so the opmode decides. */
function byAaa(
  object: string,
  aaa: NamedAaa | undefined,
  { dot1x, mac, group, unreadable }: Logins,
  signal: boolean,
): Found | undefined {
  if (aaa === undefined) return undefined;
  const unknown = (evidence: string, field: string, why: string): Found => ({
    mode: 'unknown',
    ambiguous: true,
    evidence,
    warn: warning('security_ambiguous', { object, field }, why),
  });
  if (aaa.name === undefined)
    return unknown('aaa_profile cannot be read', 'aaa_profile', 'the name of the AAA profile cannot be read');
  if (!aaa.fields) {
    const warn = warning('aaa_unresolved', { object, field: 'aaa_profile' }, JSON.stringify(aaa.name));
    return { mode: 'unknown', evidence: 'aaa_profile is not in the export', warn };
  }
  if (unreadable !== undefined)
    return unknown(`${unreadable} of aaa_profile cannot be read`, unreadable, `${unreadable} cannot be read`);
  if (dot1x !== undefined && mac !== undefined)
    return unknown('aaa_profile has both logins', 'aaa_profile', '802.1X and MAC authentication');
  if (dot1x !== undefined) return { mode: 'enterprise_dot1x', evidence: 'aaa_profile has an 802.1X profile' };
  if (mac !== undefined && signal)
    return { mode: 'mac_auth_psk', evidence: 'aaa_profile has a MAC profile, and there is a PSK signal' };
  if (mac !== undefined) return { mode: 'mac_auth_only', evidence: 'aaa_profile has a MAC profile' };
  if (group === undefined) return undefined;
  const field = group === 'rad_acct_sg' ? 'accounting_server_group' : group;
  return unknown(`aaa_profile sets ${field}`, field, `the AAA profile sets ${field} without a login`);
}

/** Rule 4. */
function byTransition(transition: boolean | undefined): Found | undefined {
  return transition === true ? { mode: 'wpa3_transition_personal', evidence: 'opmode_transition is true' } : undefined;
}

/** Rule 8, of several opmodes by which clients join in different ways. A word that stands alone, such as `personal`, is none. */
function byMixture(object: string, opmode = ''): Found | undefined {
  const names = opmode
    .toLowerCase()
    .split(/[\s,;|+]+/)
    .filter((name) => /wpa|open|wep/.test(name));
  const isPersonal = (name: string) => name.split(/[^a-z0-9]+/).some((token) => PSK_TOKEN.test(token));
  const ways = names.map((name) => (isPersonal(name) ? 'personal' : name.includes('wpa') ? '802.1X' : name));
  if (new Set(ways).size < 2) return undefined;
  const evidence = 'opmode names several ways to join';
  const warn = warning('security_ambiguous', { object, field: 'opmode' }, evidence);
  return { mode: 'unknown', ambiguous: true, evidence, warn };
}

/** Rules 1, 2, 3, 5 and 8. */
function byOpmode(
  object: string,
  opmode: string | undefined,
  tokens: readonly string[],
  { signal, secret }: { signal: boolean; secret: boolean },
): Found {
  const text = (opmode ?? '').trim().toLowerCase();
  const unknown = (why: string, ambiguous = false): Found => {
    const code = ambiguous ? 'security_ambiguous' : 'security_unknown';
    return { mode: 'unknown', ambiguous, evidence: why, warn: warning(code, { object, field: 'opmode' }, why) };
  };
  if (['open', 'opensystem'].includes(text)) return { mode: 'open', evidence: 'opmode is open' };
  if (text.includes('enhanced') && text.includes('open'))
    return { mode: 'enhanced_open', evidence: 'opmode is enhanced and open' };
  const wpa2 = text.includes('wpa2');
  const wpa3 = text.includes('wpa3');
  if (!wpa2 && !wpa3)
    return unknown(opmode === undefined ? 'there is no opmode' : 'opmode is neither open nor WPA2 nor WPA3');
  const alsoWpa = tokens.some((token) => WPA_TOKEN.test(token));
  const doubt = wpa2 && wpa3 ? 'opmode names WPA2 and WPA3' : doubtOf(tokens, wpa3 && alsoWpa, secret);
  if (doubt !== undefined) return unknown(doubt, true);
  if (!signal) return unknown('opmode is WPA2 or WPA3 without a PSK signal and no login is known');
  if (wpa3) return { mode: 'wpa3_sae', evidence: 'opmode is WPA3 with a PSK signal' };
  const lost = warning('opmode_lossy', { object, field: 'opmode' }, 'it takes clients of the first WPA as well');
  return { mode: 'wpa2_personal', evidence: 'opmode is WPA2 with a PSK signal', ...(alsoWpa ? { warn: lost } : {}) };
}

/** Why an opmode of one generation can be read in more than one way. */
function doubtOf(tokens: readonly string[], spansGenerations: boolean, secret: boolean): string | undefined {
  if (spansGenerations || tokens.includes('mpsk')) return 'opmode names a further key management';
  const isEnterprise = tokens.some((token) => ENTERPRISE_TOKENS.includes(token));
  return secret && isEnterprise ? 'opmode is for 802.1X and there is a passphrase' : undefined;
}

/** Whether a secret is there: a marker stands in its place, or a flag of the export says so. */
const presenceOf = (value: unknown): boolean | undefined => (value === PRESENT ? true : flagOf(value));

/** A text, the texts of a list, or the names that a dictionary of flags switches on; undefined where one of them cannot be read. */
function opmodeOf(value: unknown): string | undefined {
  const inner = scalarOf(value);
  if (inner !== undefined && flagOf(inner) === undefined) return textOf(inner);
  if (typeof value !== 'object' || value === null) return textOf(value);
  const names = Array.isArray(value) ? listOf(value).map(textOf) : Object.entries(value).map(switchedOn);
  return names.includes(undefined) ? undefined : names.filter(Boolean).sort().join(' ') || undefined;
}

/** The name where its flag is on, an empty text where it is off. */
function switchedOn([name, flag]: [string, unknown]): string | undefined {
  const isOn = isEmptyShape(flag) || flagOf(flag);
  // It was respelled at the door.
  return isOn === undefined ? undefined : isOn ? name.replaceAll('_', '-') : '';
}

const isEmptyShape = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
