/** The WLAN profile that both builders write; they differ in where client traffic goes. */
import type { PlannedCandidate } from '../../plan.ts';
import type { WlanMode } from '../../security.ts';
import type { Rule } from '../adapter.ts';
import {
  essidIsProfile,
  noAaaProfile,
  noHexKeyForSae,
  noTransition,
  notAmbiguous,
  vlanRequired,
} from '../wlan-rules.ts';
import { isApPersona, isPersona, nothingUnmapped, resolvedPersona, resolvedScope } from './shared.ts';

/** Modes that are written, by the platform's own name. */
export const OPMODES: Partial<Record<WlanMode, string>> = {
  open: 'OPEN',
  wpa2_personal: 'WPA2_PERSONAL',
  wpa3_sae: 'WPA3_SAE',
  enhanced_open: 'ENHANCED_OPEN',
};

const PERSONAL: readonly (string | undefined)[] = ['wpa2_personal', 'wpa3_sae'];
export const isPersonal = ({ payload }: PlannedCandidate): boolean => PERSONAL.includes(payload.security?.mode);

const apPersona: Rule = {
  id: 'new.wlan-ap-persona',
  refusal: 'error',
  keeps: 'WLAN rules: AP persona.',
  // One that is not named yet is another matter, and can still be named.
  broken: (_, { persona }) =>
    !isPersona(persona) || isApPersona(persona) ? undefined : `${persona} is no access point`,
};

const mappedMode: Rule = {
  id: 'new.wlan-mode',
  refusal: 'error',
  keeps: 'New-generation WLAN mapping: OPEN, WPA2_PERSONAL, WPA3_SAE, ENHANCED_OPEN.',
  broken: ({ payload: { security } }) => {
    const mode = security?.mode ?? 'unknown';
    // Transition has a rule of its own, which is not an error.
    return OPMODES[mode] || mode === 'wpa3_transition_personal' ? undefined : `the mode ${mode} is not written`;
  },
};

const noOlderClients: Rule = {
  id: 'new.wlan-older-clients',
  refusal: 'blocker',
  keeps: 'WLAN WPA2 Personal: conditional (needs a precondition such as live confirmation).',
  broken: ({ warnings }) =>
    warnings.some(({ code }) => code === 'opmode_lossy')
      ? 'the network takes clients of the first WPA, which WPA2_PERSONAL refuses: set its opmode to wpa2-psk-aes in the export if none are left'
      : undefined,
};

export const WLAN_RULES: readonly Rule[] = [
  resolvedScope,
  resolvedPersona,
  apPersona,
  nothingUnmapped(),
  noAaaProfile,
  notAmbiguous,
  noTransition,
  mappedMode,
  noOlderClients,
  noHexKeyForSae,
  essidIsProfile,
  vlanRequired,
];

export interface Forwarding {
  'forward-mode': 'FORWARD_MODE_BRIDGE' | 'FORWARD_MODE_L2';
  'out-of-service': 'NONE' | 'TUNNEL_DOWN';
}

/** The body without its passphrase: what a read-back can show. */
export function wlanBody(candidate: PlannedCandidate, forwarding: Forwarding): Record<string, unknown> {
  const { identifier, payload } = candidate;
  const optional = (name: string, value: unknown) => (value === null ? {} : { [name]: value });
  return {
    enable: true,
    essid: { 'use-alias': false, name: identifier },
    opmode: OPMODES[payload.security?.mode ?? 'unknown'],
    'advanced-wireless-security': { 'wpa3-transition-mode-enable': false },
    ...forwarding,
    'vlan-selector': 'VLAN_RANGES',
    'vlan-id-range': payload['vlan_ids'],
    'hide-ssid': payload['hide_ssid'],
    'client-isolation': payload['client_isolation'],
    ...optional('dtim-period', payload['dtim_period']),
    ...optional('max-clients-threshold', payload['max_clients']),
    ...optional('inactivity-timeout', payload['inactivity_timeout']),
    'rf-band': payload['rf_band'] ?? 'BAND_ALL',
    denylist: true,
  };
}

/** What an update must find at the target: otherwise it would take protection away. Nothing that is written protects more than SAE. */
export function protectionOf({ payload }: PlannedCandidate): Record<string, unknown> {
  const { mode = 'unknown' } = payload.security ?? {};
  return {
    ...(mode === 'wpa3_sae' ? {} : { opmode: OPMODES[mode] }),
    ...(payload['client_isolation'] === true ? {} : { 'client-isolation': false }),
  };
}

/** A passphrase has at most 63 characters, so 64 hexadecimal digits are the key itself. SAE knows passphrases only. */
const isHexKey = ({ payload }: PlannedCandidate, secret: string): boolean =>
  payload.security?.mode === 'wpa2_personal' && /^[0-9a-f]{64}$/i.test(secret);

/** Personal modes take the caller's passphrase; the others carry none. */
export function personalSecurity(candidate: PlannedCandidate, passphrase: string | undefined): Record<string, unknown> {
  if (!isPersonal(candidate)) return {};
  const format = isHexKey(candidate, passphrase ?? '') ? 'HEX' : 'STRING';
  return { 'personal-security': { 'passphrase-format': format, 'wpa-passphrase': passphrase } };
}
