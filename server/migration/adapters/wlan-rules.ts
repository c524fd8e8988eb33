/** What both generations refuse about a WLAN. */
import type { Rule } from './adapter.ts';

export const noAaaProfile: Rule = {
  id: 'wlan.no-aaa-profile',
  refusal: 'error',
  keeps: 'Every WLAN with a non-empty AAA profile reference is rejected (AdapterError) by both adapters.',
  broken: ({ payload: { security } }) =>
    security?.aaa_profile ? `the network names the AAA profile ${JSON.stringify(security.aaa_profile)}` : undefined,
};

export const notAmbiguous: Rule = {
  id: 'wlan.not-ambiguous',
  refusal: 'error',
  keeps: 'Any other combination gives unknown with a warning; nothing is guessed or defaulted.',
  broken: ({ payload: { security } }) =>
    security === undefined || security.ambiguous || security.mode === 'unknown'
      ? 'the security of the network cannot be told from the export'
      : undefined,
};

export const noTransition: Rule = {
  id: 'wlan.no-transition',
  refusal: 'blocker',
  keeps: 'WLAN WPA2/WPA3 transition: the adapter returns a dry-run-only blocker.',
  broken: ({ payload: { security } }) =>
    security?.mode === 'wpa3_transition_personal' ? 'transition networks are shown and not written' : undefined,
};

export const noHexKeyForSae: Rule = {
  id: 'wlan.sae-hex-key',
  refusal: 'error',
  keeps: 'Personal modes take a transient caller-supplied wpa_passphrase.',
  broken: ({ payload: { security } }) =>
    security?.mode === 'wpa3_sae' && security.psk_hexkey_present && !security.passphrase_present
      ? 'SAE takes a passphrase, and the network has a hexadecimal key only'
      : undefined,
};

export const essidIsProfile: Rule = {
  id: 'wlan.essid-is-name',
  refusal: 'error',
  keeps: 'The profile name must equal the ESSID.',
  broken: ({ identifier, payload: { essid } }) =>
    essid === identifier
      ? undefined
      : `the network is called ${JSON.stringify(identifier)} and sends ${JSON.stringify(essid)}`,
};

export const vlanRequired: Rule = {
  id: 'wlan.vlan',
  refusal: 'error',
  keeps: 'A VLAN is required.',
  broken: ({ payload }) =>
    (payload['vlan_ids'] as readonly string[]).length > 0
      ? undefined
      : `the VLAN ${JSON.stringify(payload['vlan'])} should be one or more numbers`,
};
