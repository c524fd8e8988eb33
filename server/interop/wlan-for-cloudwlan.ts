/** A WLAN of the management cloud in the form of the cloud WLAN. */
import {
  type Json,
  type SourceShape,
  type Translated,
  Translation,
  translated,
  untranslatable,
} from './translation.ts';
import { shownVlans, vlansIn } from './vlan-ranges.ts';
import { BANDS } from './wlan-bands.ts';
import { cloudSecurityOf, PASSPHRASE } from './wlan-security.ts';

const LISTED_VLANS = 64;

export function wlanToCloud(source: Json, shape: SourceShape, orgId: string | undefined): Translated {
  const from = new Translation(source, shape);
  const body = {
    ssid: cloudSsid(from),
    enabled: from.flag('enable', true),
    hide_ssid: from.flag('hide-ssid'),
    ...cloudAuth(from),
    bands: cloudBands(from),
    ...cloudVlan(from),
    isolation: cloudIsolation(from),
    interface: cloudInterface(from),
    ...cloudBroadcast(from),
    ...cloudNumbers(from),
    roam_mode: cloudRoaming(from),
    ...cloudPurpose(from),
  };
  cloudLosses(from);
  if (orgId === undefined)
    from.note(
      'needed',
      'org_id',
      'the organisation that gets the network: name it in arguments.org_id, cloudwlan_list_orgs has them',
    );
  return translated(
    { from: 'mgmt', to: 'cloudwlan', target_tool: 'cloudwlan_create_org_wlan' },
    { ...(orgId === undefined ? {} : { org_id: orgId }), body },
    from.warnings(),
  );
}

function cloudSsid(from: Translation): string {
  const name = from.text('essid.name');
  const profile = from.text('ssid');
  if (from.flag('essid.use-alias'))
    from.note(
      'approximated',
      'essid',
      `the name comes from the alias ${String(from.text('essid.alias'))}, which differs per scope: ${String(name ?? profile)} is used everywhere`,
    );
  const ssid = name ?? profile;
  if (ssid === undefined) throw untranslatable('/wlan/essid/name', 'nothing', 'should be the network name');
  if (profile !== undefined && profile !== ssid)
    from.note('lost', 'ssid', `the profile's own name ${profile} differs from its network name and has no counterpart`);
  return ssid;
}

function cloudBands(from: Translation): readonly string[] | undefined {
  const asked = from.text('rf-band') ?? 'BAND_ALL';
  if (Object.hasOwn(BANDS, asked)) return BANDS[asked];
  from.note('approximated', 'rf-band', `${asked} is not known: all bands are offered`);
  return BANDS['BAND_ALL'];
}

function cloudAuth(from: Translation): Json {
  const opmode = from.text('opmode') ?? '';
  const security = cloudSecurityOf(opmode, from);
  if (security === undefined) throw untranslatable('/wlan/opmode', opmode, 'should be a mode that the cloud WLAN has');
  const oweTransition = from.flag('advanced-wireless-security.owe-transition');
  const wpa3Transition = from.flag('advanced-wireless-security.wpa3-transition-mode-enable');
  const {
    'owe-transition': _,
    'wpa3-transition-mode-enable': __,
    ...finer
  } = from.object('advanced-wireless-security');
  for (const [field, value] of Object.entries(finer))
    if (value !== null && !USUAL_SECURITY.includes(`${field}=${String(value)}`))
      from.note('lost', `advanced-wireless-security.${field}`, 'the target has no counterpart');
  const { auth_type, pairwise, owe, multi_psk_only } = security;
  const ciphers = opmode === 'WPA3_SAE' && wpa3Transition ? ['wpa3', 'wpa2-ccmp'] : pairwise;
  const auth = {
    ...(ciphers ? { pairwise: ciphers } : {}),
    ...(owe ? { owe: oweTransition ? 'transition' : owe } : {}),
    ...(multi_psk_only ? { multi_psk_only } : {}),
    ...(from.flag('mac-authentication') ? { enable_mac_auth: true } : {}),
  };
  cloudKeys(from, auth_type, multi_psk_only === true);
  return { auth_type, ...(Object.keys(auth).length > 0 ? { auth } : {}) };
}

const USUAL_SECURITY = ['key-rollover-minutes=0', 'max-authentication-failures=0', 'pmf=optional', 'sae-pwe=both'];

function cloudKeys(from: Translation, auth_type: string, many: boolean): void {
  const { 'mpsk-profile': keyList } = from.object('personal-security');
  if (auth_type === 'psk' && !many)
    from.note('secret', 'personal-security.wpa-passphrase', `${PASSPHRASE}, in body.auth.psk`);
  if (keyList)
    from.note('lost', 'personal-security.mpsk-profile', `the keys of ${String(keyList)} are not carried over`);
  const group = from.text('auth-server-group');
  const accounting = from.text('acct-server-group');
  if (group !== undefined || auth_type.startsWith('eap'))
    from.note(
      'needed',
      'auth-server-group',
      `list the servers of ${group ?? 'the group'} with their secrets in body.auth_servers: a group is only a name`,
    );
  if (accounting !== undefined)
    from.note(
      'needed',
      'acct-server-group',
      `list the servers of ${accounting} with their secrets in body.acct_servers`,
    );
}

function cloudVlan(from: Translation): Json {
  const selector = from.text('vlan-selector') ?? 'VLAN_RANGES';
  const name = from.text('vlan-name');
  const { ids: given, unreadable } = vlansIn(from.list('vlan-id-range'));
  if (selector === 'NATIVE') return { vlan_enabled: false };
  if (selector === 'NAMED_VLAN' || (name !== undefined && given.length + unreadable.length === 0)) {
    from.note(
      'needed',
      'vlan-name',
      `the target knows numbers only: put the number of ${name ?? 'the VLAN'} into body.vlan_id`,
    );
    return { vlan_enabled: true };
  }
  const ids = [...given].sort((a, b) => a - b);
  if (unreadable.length > 0)
    from.note(
      'needed',
      'vlan-id-range',
      `${shownVlans(unreadable)}: put what is meant into body.vlan_id or body.vlan_ids`,
    );
  if (ids.length === 0) return { vlan_enabled: unreadable.length > 0 || from.isUnread('vlan-id-range') };
  if (ids.length === 1) return { vlan_enabled: true, vlan_id: ids[0] };
  if (ids.length > LISTED_VLANS)
    from.note('approximated', 'vlan-id-range', `${ids.length} VLANs become the first ${LISTED_VLANS}`);
  return { vlan_enabled: true, vlan_ids: ids.slice(0, LISTED_VLANS) };
}

function cloudIsolation(from: Translation): boolean {
  const isolated = from.flag('client-isolation');
  if (isolated)
    from.note(
      'approximated',
      'client-isolation',
      'clients are kept apart at one access point only: set body.l2_isolation to keep them apart in the whole VLAN',
    );
  return isolated;
}

function cloudInterface(from: Translation): string {
  const mode = from.text('forward-mode');
  if (mode === undefined || mode === 'FORWARD_MODE_BRIDGE') return 'all';
  const what =
    mode === 'FORWARD_MODE_L2' ? 'traffic tunnelled to a gateway cluster' : 'a forwarding that each VLAN decides';
  from.note(
    'approximated',
    'forward-mode',
    `${what} becomes a tunnel to an edge: the edge and its tunnel must exist there`,
  );
  return 'edgetunnel';
}

function cloudBroadcast(from: Translation): Json {
  const ipv4 = from.text('broadcast-filter.ipv4') ?? 'arp';
  const ipv6 = from.text('broadcast-filter.ipv6') ?? 'ra';
  if (ipv4 === 'unicast-arp-only')
    from.note(
      'approximated',
      'broadcast-filter.ipv4',
      'unicast-arp-only becomes answering ARP for clients and dropping other broadcasts',
    );
  if (ipv6 !== 'ra')
    from.note('lost', 'broadcast-filter.ipv6', 'the target filters IPv6 announcements in one way only');
  return { arp_filter: ipv4 !== 'none', limit_bcast: ipv4 === 'all' || ipv4 === 'unicast-arp-only' };
}

function cloudNumbers(from: Translation): Json {
  const dtim = from.number('dtim-period');
  const idle = from.number('inactivity-timeout');
  const clients = from.number('max-clients-threshold');
  if (clients === 0)
    from.note(
      'approximated',
      'max-clients-threshold',
      '0 admits no client, and is no ceiling at the target: set body.enabled to false where nobody is to join',
    );
  return {
    ...(dtim === undefined ? {} : { dtim }),
    ...(idle === undefined ? {} : { max_idletime: idle }),
    ...(clients === undefined ? {} : { max_num_clients: from.within('max-clients-threshold', clients, 0, 512) }),
  };
}

function cloudRoaming(from: Translation): string {
  const { 'mobility-domain': domain } = from.object('roaming');
  const [dot11k, dot11v] = [from.flag('roaming.dot11k', true), from.flag('roaming.dot11v', true)];
  if (!dot11k || !dot11v) from.note('lost', 'roaming', '802.11k and 802.11v cannot be switched off per network');
  if (domain !== undefined && domain !== null)
    from.note('lost', 'roaming.mobility-domain', 'the target numbers its mobility domains itself');
  return from.flag('roaming.dot11r') ? '11r' : 'none';
}

function cloudPurpose(from: Translation): Json {
  const type = from.text('type') ?? 'EMPLOYEE';
  const portal = from.text('captive-portal');
  if (portal !== undefined)
    from.note(
      'approximated',
      'captive-portal',
      `the login page ${portal} becomes the built-in one: set it up in body.portal`,
    );
  if (type === 'IOT') from.note('lost', 'type', 'the target does not mark networks of things');
  if (type === 'GUEST' && portal === undefined)
    from.note('lost', 'type', 'the target knows a guest network by its portal only');
  return {
    ...(type === 'VOICE' ? { qos: { class: 'voice', overwrite: false } } : {}),
    ...(portal === undefined ? {} : { portal: { enabled: true } }),
  };
}

function cloudLosses(from: Translation): void {
  const {
    'min-tx-rate-24': slow24,
    'min-tx-rate-5': slow5,
    'basic-rates-24': basic24,
    'basic-rates-5': basic5,
  } = from.object('legacy-rates');
  const usual = (slow24 ?? '5') === '5' && (slow5 ?? '12') === '12' && basic24 === undefined && basic5 === undefined;
  if (!usual)
    from.note(
      'lost',
      'legacy-rates',
      'choose a rate template per band in body.rateset: single rates are not carried over',
    );
}
