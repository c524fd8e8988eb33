/** A WLAN of the cloud WLAN in the form of the management cloud. */
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
import { opmodeOf, PASSPHRASE } from './wlan-security.ts';

export function wlanToMgmt(source: Json, shape: SourceShape): Translated {
  const from = new Translation(source, shape);
  const ssid = from.text('ssid');
  if (ssid === undefined) throw untranslatable('/wlan/ssid', 'nothing', 'should be the network name');
  const body = {
    ssid,
    essid: { name: ssid },
    enable: from.flag('enabled', true),
    'hide-ssid': from.flag('hide_ssid'),
    ...mgmtSecurity(from),
    'rf-band': mgmtBand(from),
    ...mgmtVlan(from),
    'client-isolation': mgmtIsolation(from),
    'forward-mode': mgmtForwarding(from),
    'broadcast-filter': { ipv4: mgmtBroadcast(from), ipv6: 'ra' },
    ...mgmtNumbers(from),
    roaming: mgmtRoaming(from),
    type: mgmtType(from),
  };
  return translated(
    { from: 'cloudwlan', to: 'mgmt', target_tool: 'mgmt_create_wlan_ssid' },
    { ssid, body },
    from.warnings(),
  );
}

function mgmtSecurity(from: Translation): Json {
  const asked = from.text('auth_type');
  if (asked === undefined)
    throw untranslatable('/wlan/auth_type', 'nothing', 'should be how clients prove who they are, such as open or psk');
  const legacy = asked === 'psk-tkip';
  const auth_type = legacy ? 'psk' : (asked as 'psk');
  const stated = from.list('auth.pairwise').map(String);
  const named = stated.filter((cipher) => cipher !== 'wpa2-tkip');
  if (legacy)
    from.note(
      'approximated',
      'auth_type',
      'TKIP is not offered: the network becomes WPA2 personal, which old clients may not join',
    );
  else if (named.length < stated.length) from.note('lost', 'auth.pairwise', 'TKIP is not offered');
  const pairwise = named.length > 0 ? named : (USUAL_PAIRWISE.get(auth_type) ?? []);
  const transition = auth_type === 'psk' && pairwise.includes('wpa3') && pairwise.includes('wpa2-ccmp');
  const owe = from.text('auth.owe') ?? 'disabled';
  if (!['disabled', 'enabled', 'transition'].includes(owe))
    throw untranslatable('/wlan/auth/owe', owe, 'should be disabled, enabled or transition');
  const manyKeys = from.flag('auth.multi_psk_only');
  const opmode = opmodeOf({
    auth_type,
    pairwise: transition ? ['wpa3'] : pairwise,
    ...(owe === 'disabled' ? {} : { owe: 'enabled' as const }),
    ...(manyKeys ? { multi_psk_only: true as const } : {}),
  });
  if (opmode === undefined)
    throw untranslatable(
      '/wlan/auth',
      `${asked} ${pairwise.join('+')}`,
      'should be a mode that the management cloud has',
    );
  noteKeys(from, auth_type, manyKeys);
  return {
    opmode,
    'mac-authentication': from.flag('auth.enable_mac_auth'),
    ...transitionModes(transition, owe === 'transition'),
    ...mgmtServers(from, auth_type),
  };
}

function transitionModes(wpa3: boolean, owe: boolean): Json {
  const advanced = {
    ...(wpa3 ? { 'wpa3-transition-mode-enable': true } : {}),
    ...(owe ? { 'owe-transition': true } : {}),
  };
  return wpa3 || owe ? { 'advanced-wireless-security': advanced } : {};
}

/** Ciphers that hold where the source names none. */
const USUAL_PAIRWISE = new Map<string, string[]>([
  ['psk', ['wpa2-ccmp']],
  ['eap', ['wpa2-ccmp']],
  ['eap192', ['wpa3']],
]);

function noteKeys(from: Translation, auth_type: string, manyKeys: boolean): void {
  if (manyKeys)
    from.note(
      'needed',
      'auth.multi_psk_only',
      'name the MPSK profile with the keys in body.personal-security.mpsk-profile',
    );
  else if (auth_type === 'wep')
    from.note(
      'approximated',
      'auth_type',
      'WEP protects nothing; its key is not carried over: set it at the target by hand',
    );
  else if (auth_type === 'psk')
    from.note('secret', 'auth.psk', `${PASSPHRASE}, in body.personal-security.wpa-passphrase`);
  for (const field of ['eap_reauth', 'private_wlan'] as const)
    if (from.flag(`auth.${field}`)) from.note('lost', `auth.${field}`, 'the target has no counterpart');
}

function mgmtServers(from: Translation, auth_type: string): Json {
  const logins = from.list('auth_servers').length;
  const accounting = from.list('acct_servers').length;
  if (logins > 0 || auth_type.startsWith('eap'))
    from.note(
      'needed',
      'auth_servers',
      `create a server group of these ${logins} servers and name it in body.auth-server-group`,
    );
  if (accounting > 0)
    from.note(
      'needed',
      'acct_servers',
      `create a server group of these ${accounting} servers and name it in body.acct-server-group`,
    );
  return {};
}

function mgmtBand(from: Translation): string {
  const bands = from.list('bands').map(String);
  if (bands.length === 0) return 'BAND_ALL';
  const exact = Object.entries(BANDS).find(
    ([, own]) => own.length === bands.length && own.every((band) => bands.includes(band)),
  );
  if (exact) return exact[0];
  from.note('approximated', 'bands', `${bands.join(' and ')} have no mode of their own: all bands are offered`);
  return 'BAND_ALL';
}

function mgmtVlan(from: Translation): Json {
  const tagged = from.flag('vlan_enabled');
  const { ids, unreadable } = vlansIn([...from.list('vlan_id'), ...from.list('vlan_ids')]);
  if (from.flag('dynamic_vlan.enabled'))
    from.note(
      'lost',
      'dynamic_vlan',
      'the VLAN of the RADIUS answer is used by the role of a client, not by the network',
    );
  if (!tagged) return { 'vlan-selector': 'NATIVE' };
  if (ids.length === 0 || unreadable.length > 0)
    from.note(
      'needed',
      'vlan_id',
      `${unreadable.length > 0 ? shownVlans(unreadable) : 'no VLAN is named'}: put what is meant into body.vlan-id-range`,
    );
  if (ids.length === 0) return { 'vlan-selector': 'VLAN_RANGES' };
  if (ids.length > 32) from.note('approximated', 'vlan_ids', `${ids.length} VLANs become the first 32`);
  return { 'vlan-selector': 'VLAN_RANGES', 'vlan-id-range': ids.slice(0, 32).map(String) };
}

function mgmtIsolation(from: Translation): boolean {
  const [within, whole] = [from.flag('isolation'), from.flag('l2_isolation')];
  if (whole) from.note('approximated', 'l2_isolation', 'isolation in the whole VLAN becomes isolation in the network');
  else if (within)
    from.note('approximated', 'isolation', 'isolation at one access point becomes isolation in the network');
  return within || whole;
}

function mgmtForwarding(from: Translation): string {
  const leaves = from.text('interface') ?? 'all';
  if (leaves.endsWith('tunnel') || leaves === 'site_edge') {
    from.note(
      'approximated',
      'interface',
      `${leaves} becomes a tunnel to a gateway cluster, which must be assigned with the network`,
    );
    return 'FORWARD_MODE_L2';
  }
  if (leaves !== 'all') from.note('lost', 'interface', `traffic cannot be sent to ${leaves} only`);
  return 'FORWARD_MODE_BRIDGE';
}

function mgmtBroadcast(from: Translation): string {
  const [arp, limited, mdns] = [from.flag('arp_filter', true), from.flag('limit_bcast'), from.flag('allow_mdns')];
  if (limited && mdns) from.note('lost', 'allow_mdns', 'multicast DNS cannot be let through on its own');
  return limited ? 'all' : arp ? 'arp' : 'none';
}

function mgmtNumbers(from: Translation): Json {
  const dtim = from.number('dtim');
  const idle = from.number('max_idletime');
  const clients = from.number('max_num_clients') ?? 0;
  if (clients === 0) from.note('approximated', 'max_num_clients', 'no ceiling becomes 1,024, the highest there is');
  return {
    ...(dtim === undefined ? {} : { 'dtim-period': dtim }),
    ...(idle === undefined ? {} : { 'inactivity-timeout': idle }),
    'max-clients-threshold': clients === 0 ? 1024 : clients,
  };
}

function mgmtRoaming(from: Translation): Json {
  const mode = from.text('roam_mode');
  if (mode === 'okc') from.note('lost', 'roam_mode', 'opportunistic key caching cannot be asked for: it is always on');
  else if (mode !== undefined && mode !== '11r' && mode !== 'none')
    from.note('lost', 'roam_mode', `${mode} has no counterpart`);
  return { dot11r: mode === '11r' };
}

function mgmtType(from: Translation): string {
  const enabled = from.flag('portal.enabled');
  const quality = from.text('qos.class');
  if (from.flag('qos.overwrite')) from.note('lost', 'qos.overwrite', 'the target has no counterpart');
  if (enabled) from.note('needed', 'portal', 'create the login page and name it in body.captive-portal');
  if (quality !== undefined && quality !== 'best_effort' && quality !== 'voice')
    from.note('lost', 'qos.class', `${quality} has no counterpart`);
  if (enabled) return 'GUEST';
  return quality === 'voice' ? 'VOICE' : 'EMPLOYEE';
}
