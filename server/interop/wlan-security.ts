/** Security modes of both WLAN families side by side. One table, read in both directions. */
import type { Translation } from './translation.ts';

export const PASSPHRASE =
  'no platform reveals a passphrase, and it never passes here: add it when you create the network';

export interface CloudSecurity {
  auth_type: 'open' | 'psk' | 'eap' | 'eap192' | 'wep';
  pairwise?: readonly string[];
  owe?: 'enabled';
  multi_psk_only?: true;
}

interface Row {
  opmode: string;
  cloud: CloudSecurity;
  /** Details that are lost on the way to the cloud WLAN. */
  loses?: string;
  /** The one that comes back from the cloud side where several go there. */
  back?: true;
}

const ROWS: readonly Row[] = [
  { opmode: 'OPEN', cloud: { auth_type: 'open' }, back: true },
  { opmode: 'ENHANCED_OPEN', cloud: { auth_type: 'open', owe: 'enabled' }, back: true },
  { opmode: 'WPA2_PERSONAL', cloud: { auth_type: 'psk', pairwise: ['wpa2-ccmp'] }, back: true },
  { opmode: 'WPA3_SAE', cloud: { auth_type: 'psk', pairwise: ['wpa3'] }, back: true },
  { opmode: 'WPA_PERSONAL', cloud: { auth_type: 'psk', pairwise: ['wpa1-ccmp'] }, back: true },
  { opmode: 'BOTH_WPA_WPA2_PSK', cloud: { auth_type: 'psk', pairwise: ['wpa2-ccmp', 'wpa1-ccmp'] }, back: true },
  { opmode: 'WPA2_ENTERPRISE', cloud: { auth_type: 'eap', pairwise: ['wpa2-ccmp'] }, back: true },
  { opmode: 'WPA3_ENTERPRISE_CCM_128', cloud: { auth_type: 'eap', pairwise: ['wpa3'] }, back: true },
  {
    opmode: 'WPA3_ENTERPRISE_GCM_256',
    cloud: { auth_type: 'eap', pairwise: ['wpa3'] },
    loses: 'GCM-256 becomes the 128-bit cipher of WPA3',
  },
  { opmode: 'WPA3_ENTERPRISE_CNSA', cloud: { auth_type: 'eap192', pairwise: ['wpa3'] }, back: true },
  { opmode: 'WPA_ENTERPRISE', cloud: { auth_type: 'eap', pairwise: ['wpa1-ccmp'] }, back: true },
  { opmode: 'BOTH_WPA_WPA2_DOT1X', cloud: { auth_type: 'eap', pairwise: ['wpa2-ccmp', 'wpa1-ccmp'] }, back: true },
  {
    opmode: 'WPA2_MPSK_LOCAL',
    cloud: { auth_type: 'psk', pairwise: ['wpa2-ccmp'], multi_psk_only: true },
    loses: 'the keys of the MPSK profile are not carried over: create them as keys of the site or organisation',
    back: true,
  },
  {
    opmode: 'WPA2_MPSK_AES',
    cloud: { auth_type: 'psk', pairwise: ['wpa2-ccmp'], multi_psk_only: true },
    loses: 'keys that a server hands out become a key list, which is not carried over',
  },
  {
    opmode: 'WPA3_MPSK_SAE',
    cloud: { auth_type: 'psk', pairwise: ['wpa3'], multi_psk_only: true },
    loses: 'the keys of the MPSK profile are not carried over: create them as keys of the site or organisation',
    back: true,
  },
  {
    opmode: 'STATIC_WEP',
    cloud: { auth_type: 'wep' },
    loses: 'WEP protects nothing; its key is not carried over',
    back: true,
  },
  ...(
    ['WPA2_PSK_AES_DPP', 'WPA2_AES_DPP', 'WPA3_SAE_DPP', 'WPA3_AES_CCM_128_DPP', 'WPA3_AES_GCM_256_DPP'] as const
  ).map(
    (opmode): Row => ({
      opmode,
      cloud: {
        auth_type: opmode.includes('PSK') || opmode.includes('SAE') ? 'psk' : 'eap',
        pairwise: [opmode.startsWith('WPA3') ? 'wpa3' : 'wpa2-ccmp'],
      },
      loses: 'device provisioning (DPP) has no counterpart: devices must be given the network in another way',
    }),
  ),
];

/** Undefined where the mode has no counterpart at all. */
export function cloudSecurityOf(opmode: string, translation: Translation): CloudSecurity | undefined {
  const row = ROWS.find((known) => known.opmode === opmode);
  if (row?.loses !== undefined) translation.note('approximated', 'opmode', `${opmode}: ${row.loses}`);
  return row?.cloud;
}

export function opmodeOf({ auth_type, pairwise = [], owe, multi_psk_only }: CloudSecurity): string | undefined {
  const same = (row: CloudSecurity) =>
    row.auth_type === auth_type &&
    row.owe === owe &&
    row.multi_psk_only === multi_psk_only &&
    [...(row.pairwise ?? [])].sort().join() === [...pairwise].sort().join();
  return ROWS.find(({ cloud, back }) => back === true && same(cloud))?.opmode;
}
