/** A WLAN is a virtual AP together with its SSID profile; an SSID profile that no virtual AP uses stands for itself. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import { type NamedAaa, securityOf } from '../security.ts';
import { forwardingOf, type Source } from '../source.ts';
import { type Neutral, SourceFields } from '../source-fields.ts';
import { textOf } from '../unwrap.ts';

const SSID_NEUTRAL: Neutral = {
  ssid_enable: true,
  deny_bcast: false,
  mcast_rate_opt: false,
  ft11r: false,
  mobility_domain_id: 1,
  advertise_ap_name: false,
};
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
  if (source.isOffAir(vap.name)) warnings.push(warning('not_broadcast', { object }));
  if (source.clusters.size > 1 && forwardingOf(vap) === 'tunnel') {
    const cluster = JSON.stringify(textOf(vap.fields['cluster_name']) ?? null);
    warnings.push(warning('several_clusters', { object, field: 'cluster_name' }, cluster));
  }
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
  const own = new SourceFields(vap?.fields ?? {}, VAP_NEUTRAL);
  const radio = new SourceFields(ssid?.fields ?? {}, SSID_NEUTRAL);
  for (const fields of [own, radio]) fields.text('profile_name', 'name');
  own.text('ssid_prof');
  const aaa = aaaOf(own, source);
  const { security, warnings: doubts } = securityOf(object, radio, aaa);
  const vlan = own.text('vlan');
  const { numbers, known } = checkedVlans(vlan, source, missing);
  const forward = own.text('forward_mode') ?? 'tunnel';
  if (vap && forward !== 'bridge' && forward !== 'tunnel')
    warnings.push(warning('forward_mode_lossy', { object, field: 'forward_mode' }, JSON.stringify(forward)));
  if (aaa?.name !== undefined && !aaa.fields) missing('aaa_prof', JSON.stringify(aaa.name));
  const personal = ['wpa2_personal', 'wpa3_sae', 'wpa3_transition_personal', 'mac_auth_psk'].includes(security.mode);
  const network = networkOf(radio, own);
  const ofSsid = radio.left();
  const ofVap = own.left();
  return candidateOf({
    object_type: 'wlan',
    identifier,
    payload: {
      profile: ssid?.name ?? null,
      ...network,
      vlan: vlan ?? null,
      vlan_ids: numbers,
      forward_mode: vap ? forward : null,
      security,
    },
    dependencies: [...known.map((number) => `vlan:${number}`), ...(aaa?.fields ? [`aaa_profile:${aaa.name}`] : [])],
    unsupported: { ...prefixed('ssid', ofSsid.unsupported), ...prefixed('virtual_ap', ofVap.unsupported) },
    assumed: [...ofSsid.assumed.map((name) => `ssid.${name}`), ...ofVap.assumed.map((name) => `virtual_ap.${name}`)],
    warnings: [...warnings, ...doubts],
    secrets: personal ? ['wpa_passphrase'] : [],
  });
}

function aaaOf(own: SourceFields, source: Source): NamedAaa | undefined {
  const name = own.text('aaa_prof');
  if (name === undefined) return own.isAside('aaa_prof') ? {} : undefined;
  return { name, fields: source.item('aaa_profiles', name)?.fields };
}

function networkOf(radio: SourceFields, own: SourceFields) {
  return {
    essid: radio.text('essid') ?? null,
    cluster_name: own.text('cluster_name') ?? null,
    // The bands of VAP_NEUTRAL: another `allowed_band`, or 6 GHz besides, is kept aside and refuses the network.
    rf_band: '24GHZ_5GHZ',
    hide_ssid: radio.flag('hide_ssid') ?? false,
    client_isolation: own.flag('deny_inter_user') ?? false,
    dtim_period: radio.number('dtim_period') ?? null,
    max_clients: radio.number('max_clients') ?? null,
    inactivity_timeout: radio.number('inactivity_timeout') ?? null,
  };
}

/** The VLANs that are named, and those of them that the export has. */
function checkedVlans(
  vlan: string | undefined,
  source: Source,
  missing: Parts['missing'],
): { numbers: string[]; known: string[] } {
  const { numbers, other } = vlansOf(vlan);
  const known = numbers.filter((number) => source.item('vlans', number));
  for (const number of numbers) if (!known.includes(number)) missing('vlan', `VLAN ${number}`);
  if (other !== undefined) missing('vlan', `VLAN ${JSON.stringify(other)} is no number`);
  return { numbers, known };
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
