/**
 * The security mode of a network, derived from its SSID profile and its AAA profile by the nine rules of specification
 * 3.3. It guesses nothing: without a matching rule the mode is `unknown`.
 */
import { type Warning, warning } from './plan-warning.ts';
import type { SourceItem } from './read-export.ts';
import { PRESENT } from './secret-field.ts';
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

const PSK_TOKENS = ['psk', 'sae', 'personal'];
/** Encryption that only exists with 802.1X: a passphrase beside it contradicts it. */
const ENTERPRISE_TOKENS = ['ccm', 'gcm', 'cnsa', 'enterprise'];
const SERVER_GROUPS = ['dot1x_server_group', 'mac_server_group', 'accounting_server_group', 'rad_acct_sg'];

/** `aaa`: undefined when none is named, null when the one named is not in the export. */
export function securityOf(
  object: string,
  ssid: SourceItem['fields'],
  aaaName: string | undefined,
  aaa: SourceItem['fields'] | null | undefined,
): { security: WlanSecurity; warnings: Warning[] } {
  const passphrase = ssid['wpa_passphrase'] === PRESENT || ssid['passphrase'] === PRESENT;
  const hexkey = ssid['wpa_hexkey'] === PRESENT || ssid['psk_hexkey'] === PRESENT;
  const opmode = opmodeOf(ssid['opmode']);
  const told = ssid['opmode_transition'];
  const transition = flagOf(told);
  const undetermined = told !== undefined && told !== null && transition === undefined;
  const tokens = (opmode ?? '').toLowerCase().split(/[^a-z0-9]+/);
  const signal = passphrase || hexkey || tokens.some((token) => PSK_TOKENS.includes(token));
  const found =
    byAaa(object, aaaName, aaa, signal) ??
    byTransition(transition) ??
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
      aaa_profile: aaaName ?? null,
      dot1x_auth_profile: textOf(aaa?.['dot1x_auth_profile']) ?? null,
      mac_auth_profile: textOf(aaa?.['mac_auth_profile']) ?? null,
      passphrase_present: passphrase,
      psk_hexkey_present: hexkey,
      wpa3_transition: transition ?? null,
      evidence: [found.evidence],
    },
    warnings,
  };
}

/** Rules 6 and 7. Undefined: the profile says nothing about logins, so the opmode decides. */
function byAaa(
  object: string,
  name: string | undefined,
  aaa: SourceItem['fields'] | null | undefined,
  signal: boolean,
): Found | undefined {
  if (name === undefined) return undefined;
  if (!aaa) {
    const warn = warning('aaa_unresolved', { object, field: 'aaa_profile' }, JSON.stringify(name));
    return { mode: 'unknown', evidence: 'aaa_profile is not in the export', warn };
  }
  const dot1x = textOf(aaa['dot1x_auth_profile']) !== undefined;
  const mac = textOf(aaa['mac_auth_profile']) !== undefined;
  if (dot1x && mac) {
    const warn = warning('security_ambiguous', { object, field: 'aaa_profile' }, '802.1X and MAC authentication');
    return { mode: 'unknown', ambiguous: true, evidence: 'aaa_profile has both logins', warn };
  }
  if (dot1x) return { mode: 'enterprise_dot1x', evidence: 'aaa_profile has an 802.1X profile' };
  if (mac && signal)
    return { mode: 'mac_auth_psk', evidence: 'aaa_profile has a MAC profile, and there is a PSK signal' };
  if (mac) return { mode: 'mac_auth_only', evidence: 'aaa_profile has a MAC profile' };
  const group = SERVER_GROUPS.find((field) => textOf(aaa[field]) !== undefined);
  if (group === undefined) return undefined;
  const field = group === 'rad_acct_sg' ? 'accounting_server_group' : group;
  const warn = warning('security_ambiguous', { object, field }, `the AAA profile sets ${field} without a login`);
  return { mode: 'unknown', ambiguous: true, evidence: `aaa_profile sets ${field}`, warn };
}

/** Rule 4. */
function byTransition(transition: boolean | undefined): Found | undefined {
  return transition === true ? { mode: 'wpa3_transition_personal', evidence: 'opmode_transition is true' } : undefined;
}

/** Rules 1, 2, 3, 5 and 8. */
function byOpmode(
  object: string,
  opmode: string | undefined,
  tokens: readonly string[],
  { signal, secret }: { signal: boolean; secret: boolean },
): Found {
  const has = (...names: string[]) => names.some((name) => tokens.includes(name));
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
  if (wpa2 && wpa3) return unknown('opmode names WPA2 and WPA3', true);
  if (has('mpsk', 'wpa')) return unknown('opmode names a further key management', true);
  if (secret && has(...ENTERPRISE_TOKENS)) return unknown('opmode is for 802.1X and there is a passphrase', true);
  if (!signal) return unknown('opmode is WPA2 or WPA3 without a PSK signal and no login is known');
  return wpa2
    ? { mode: 'wpa2_personal', evidence: 'opmode is WPA2 with a PSK signal' }
    : { mode: 'wpa3_sae', evidence: 'opmode is WPA3 with a PSK signal' };
}

/** A text, or the names that a dictionary of flags switches on. */
function opmodeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return textOf(value);
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).sort().join(' ') || undefined;
  const on = Object.entries(value).filter(([, flag]) => flagOf(flag) === true || isEmptyShape(flag));
  // The names of such a dictionary were respelled at the door.
  if (on.length > 0)
    return on
      .map(([name]) => name.replaceAll('_', '-'))
      .sort()
      .join(' ');
  const inner = scalarOf(value);
  return typeof inner === 'string' ? textOf(inner) : undefined;
}

const isEmptyShape = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
