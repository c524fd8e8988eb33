/** A WLAN is a virtual AP together with its SSID profile; an SSID profile that no virtual AP uses stands for itself. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import { securityOf } from '../security.ts';
import type { Source } from '../source.ts';
import { isNothing, type Neutral, unmodelledOf } from '../source-fields.ts';
import { flagOf, numberOf, textOf } from '../unwrap.ts';

const SSID_FIELDS = [
  'profile_name',
  'name',
  'essid',
  'opmode',
  'opmode_transition',
  'wpa_passphrase',
  'passphrase',
  'wpa_hexkey',
  'psk_hexkey',
  'hide_ssid',
  'dtim_period',
  'max_clients',
  'inactivity_timeout',
];
const SSID_NEUTRAL: Neutral = {
  ssid_enable: true,
  deny_bcast: false,
  mcast_rate_opt: false,
  ft11r: false,
  mobility_domain_id: 1,
  advertise_ap_name: false,
};
const VAP_FIELDS = [
  'profile_name',
  'name',
  'ssid_prof',
  'aaa_prof',
  'vlan',
  'forward_mode',
  'deny_inter_user',
  'cluster_name',
];
const VAP_NEUTRAL: Neutral = {
  vap_enable: true,
  allowed_band: 'all',
  allowed_band_6: false,
  band_steering: false,
  steering_mode: 'prefer-5ghz',
  dos_prevention: false,
  mobile_ip: true,
  drop_mcast: false,
  broadcast_filter: 'arp',
  rap_operation: 'standard',
  auth_failure_blacklist: 3600,
  preserve_vlan: false,
};
/** A wider range is not taken apart into single VLANs. */
const MOST_VLANS = 64;

export function wlanCandidate(vap: SourceItem, source: Source): Candidate {
  const object = `wlan:${vap.name}`;
  const warnings: Warning[] = [];
  const missing = (field: string, what: string) =>
    warnings.push(warning('dependency_missing', { object, field }, what));
  const ssidName = textOf(vap.fields['ssid_prof']);
  const ssid = ssidName === undefined ? undefined : source.item('ssid_profiles', ssidName);
  if (!ssid) missing('ssid_prof', ssidName === undefined ? 'no SSID profile is named' : JSON.stringify(ssidName));
  return build({ object, identifier: vap.name, vap, ssid, warnings, missing, source });
}

export function loneSsidCandidate(ssid: SourceItem, source: Source): Candidate {
  const object = `wlan:ssid:${ssid.name}`;
  const warnings = [warning('dependency_missing', { object }, 'no virtual AP uses the SSID profile')];
  const missing = (field: string, what: string) =>
    warnings.push(warning('dependency_missing', { object, field }, what));
  return build({ object, identifier: `ssid:${ssid.name}`, vap: undefined, ssid, warnings, missing, source });
}

interface Parts {
  object: string;
  identifier: string;
  vap: SourceItem | undefined;
  ssid: SourceItem | undefined;
  warnings: Warning[];
  missing: (field: string, what: string) => void;
  source: Source;
}

function build({ object, identifier, vap, ssid, warnings, missing, source }: Parts): Candidate {
  const own = vap?.fields ?? {};
  const radio = ssid?.fields ?? {};
  const aaaName = textOf(own['aaa_prof']);
  const aaa = aaaName === undefined ? undefined : (source.item('aaa_profiles', aaaName)?.fields ?? null);
  const { security, warnings: doubts } = securityOf(object, radio, aaaName, aaa);
  const { numbers, known } = checkedVlans(own, source, missing);
  const forward = textOf(own['forward_mode']) ?? 'tunnel';
  if (vap && forward !== 'bridge' && forward !== 'tunnel')
    warnings.push(warning('forward_mode_lossy', { object, field: 'forward_mode' }, JSON.stringify(forward)));
  if (aaaName !== undefined && aaa === null) missing('aaa_prof', JSON.stringify(aaaName));
  const personal = ['wpa2_personal', 'wpa3_sae', 'wpa3_transition_personal', 'mac_auth_psk'].includes(security.mode);
  const ofSsid = unmodelledOf(radio, SSID_FIELDS, SSID_NEUTRAL);
  const ofVap = unmodelledOf(own, VAP_FIELDS, VAP_NEUTRAL);
  return candidateOf({
    object_type: 'wlan',
    identifier,
    payload: {
      profile: ssid?.name ?? null,
      ...networkOf(radio, own, numbers, vap ? forward : null),
      security,
    },
    dependencies: [
      ...known.map((number) => `vlan:${number}`),
      ...(aaaName !== undefined && aaa ? [`aaa_profile:${aaaName}`] : []),
    ],
    unsupported: {
      ...prefixed('ssid', ofSsid.unsupported),
      ...prefixed('virtual_ap', ofVap.unsupported),
      ...wrongTexts(radio, own),
    },
    assumed: [...ofSsid.assumed.map((name) => `ssid.${name}`), ...ofVap.assumed.map((name) => `virtual_ap.${name}`)],
    warnings: [...warnings, ...doubts],
    secrets: personal ? ['wpa_passphrase'] : [],
  });
}

function networkOf(
  radio: SourceItem['fields'],
  own: SourceItem['fields'],
  vlan_ids: readonly string[],
  forward_mode: string | null,
) {
  return {
    essid: textOf(radio['essid']) ?? null,
    vlan: textOf(own['vlan']) ?? null,
    vlan_ids,
    forward_mode,
    cluster_name: textOf(own['cluster_name']) ?? null,
    hide_ssid: flagOf(radio['hide_ssid']) ?? false,
    client_isolation: flagOf(own['deny_inter_user']) ?? false,
    dtim_period: numberOf(radio['dtim_period']) ?? null,
    max_clients: numberOf(radio['max_clients']) ?? null,
    inactivity_timeout: numberOf(radio['inactivity_timeout']) ?? null,
  };
}

/** The VLANs that are named, and those of them that the export has. */
function checkedVlans(
  own: SourceItem['fields'],
  source: Source,
  missing: Parts['missing'],
): { numbers: string[]; known: string[] } {
  const { numbers, other } = vlansOf(textOf(own['vlan']));
  const known = numbers.filter((number) => source.item('vlans', number));
  for (const number of numbers) if (!known.includes(number)) missing('vlan', `VLAN ${number}`);
  if (other !== undefined) missing('vlan', `VLAN ${JSON.stringify(other)} is no number`);
  return { numbers, known };
}

/** Modelled fields whose content could not be read: kept aside like any field without a place. */
function wrongTexts(radio: SourceItem['fields'], own: SourceItem['fields']): Record<string, unknown> {
  const wrong: Record<string, unknown> = {};
  for (const field of ['dtim_period', 'max_clients', 'inactivity_timeout'])
    if (!isNothing(radio[field]) && numberOf(radio[field]) === undefined) wrong[`ssid.${field}`] = radio[field];
  if (!isNothing(radio['hide_ssid']) && flagOf(radio['hide_ssid']) === undefined)
    wrong['ssid.hide_ssid'] = radio['hide_ssid'];
  if (!isNothing(own['deny_inter_user']) && flagOf(own['deny_inter_user']) === undefined)
    wrong['virtual_ap.deny_inter_user'] = own['deny_inter_user'];
  return wrong;
}

const prefixed = (prefix: string, fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]));

/** `20,30-32` as numbers; a name, or more than can be taken apart, as it stands. */
function vlansOf(text: string | undefined): { numbers: string[]; other?: string } {
  if (text === undefined) return { numbers: [] };
  const numbers = new Set<number>();
  for (const part of text.split(',')) {
    const range = /^\s*(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part);
    if (!range) return { numbers: [], other: text };
    const first = Number(range[1]);
    const last = Number(range[2] ?? range[1]);
    if (first < 1 || last > 4094 || first > last || last - first >= MOST_VLANS) return { numbers: [], other: text };
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  if (numbers.size > MOST_VLANS) return { numbers: [], other: text };
  return { numbers: [...numbers].sort((a, b) => a - b).map(String) };
}
