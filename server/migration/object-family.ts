/**
 * The object families of an export: where they are in it, and the order in which they can be written (specification
 * 1.6, 3.3).
 */

/** Apply order: an object is written after all of a lower number (3.3; the reference-only families stand between them). */
export const APPLY_ORDER = {
  vlan: 10,
  auth_server: 10,
  network_destination: 15,
  whitelist_rule: 15,
  dot1x_auth_profile: 20,
  mac_auth_profile: 20,
  server_group: 20,
  policy: 20,
  ethernet_acl: 20,
  role: 30,
  captive_portal_profile: 35,
  roaming_portal_profile: 35,
  kerberos_profile: 35,
  ntlm_profile: 35,
  stateful_dot1x_profile: 35,
  aaa_profile: 40,
  wired_auth_profile: 45,
  wlan: 50,
  ap_group: 60,
  route: 70,
  vrrp: 80,
  controller: 90,
} as const;

export type ObjectType = keyof typeof APPLY_ORDER;

export interface Section {
  /** Where the export keeps the list. */
  pointer: string;
  /** Fields that name an item, joined where there are several. */
  key: readonly (readonly string[])[];
  /** The read tool of the legacy platform that lists the same objects; none where the platform has no such list. */
  tool?: string;
  /** The list is of the whole installation, not of one node of its hierarchy. */
  everywhere?: true;
  /** An item is named by its number, in whatever way its digits are written. */
  numbered?: true;
}

const PROFILE = [['profile_name', 'name']] as const;

/** Every section of an accepted export. The first name of a key that an item has counts. */
export const SECTIONS = {
  vlans: { pointer: '/vlans', key: [['id', 'vlan_id']], tool: 'legacy_list_vlan_ids', numbered: true },
  ssid_profiles: { pointer: '/wlans/ssid_profiles', key: PROFILE, tool: 'legacy_list_ssid_profs' },
  virtual_aps: { pointer: '/wlans/virtual_aps', key: PROFILE, tool: 'legacy_list_virtual_aps' },
  ap_groups: { pointer: '/ap_groups', key: PROFILE, tool: 'legacy_list_ap_groups' },
  roles: { pointer: '/roles', key: [['rname', 'name']], tool: 'legacy_list_roles' },
  policies: { pointer: '/policies', key: [['accname', 'name']], tool: 'legacy_list_acl_sesses' },
  controllers: { pointer: '/controllers', key: [['ip', 'name']], tool: 'legacy_list_controllers', everywhere: true },
  aaa_profiles: { pointer: '/aaa/aaa_profiles', key: PROFILE, tool: 'legacy_list_aaa_profs' },
  dot1x_auth_profiles: {
    pointer: '/aaa/dot1x_auth_profiles',
    key: PROFILE,
    tool: 'legacy_list_dot1x_auth_profiles',
  },
  mac_auth_profiles: { pointer: '/aaa/mac_auth_profiles', key: PROFILE, tool: 'legacy_list_mac_auth_profiles' },
  server_groups: { pointer: '/aaa/server_groups', key: [['sg_name', 'name']], tool: 'legacy_list_server_group_profs' },
  radius_servers: {
    pointer: '/aaa/radius_servers',
    key: [['rad_server_name', 'name']],
    tool: 'legacy_list_rad_servers',
  },
  ldap_servers: { pointer: '/aaa/ldap_servers', key: [['ldap_server_name', 'name']], tool: 'legacy_list_ldap_servers' },
  tacacs_servers: {
    pointer: '/aaa/tacacs_servers',
    key: [['tacacs_server_name', 'name']],
    tool: 'legacy_list_tacacs_servers',
  },
  wired_auth_profiles: { pointer: '/aaa/wired_auth_profiles', key: PROFILE },
  stateful_dot1x_profiles: {
    pointer: '/aaa/stateful_dot1x_profiles',
    key: PROFILE,
    tool: 'legacy_list_stateful_dot1x_profiles',
  },
  roaming_portal_profiles: {
    pointer: '/aaa/roaming_portal_profiles',
    key: PROFILE,
    tool: 'legacy_list_wispr_auth_profiles',
  },
  captive_portal_profiles: {
    pointer: '/aaa/captive_portal_profiles',
    key: PROFILE,
    tool: 'legacy_list_cp_auth_profiles',
  },
  kerberos_profiles: { pointer: '/aaa/kerberos_profiles', key: PROFILE, tool: 'legacy_list_krb_auth_profiles' },
  ntlm_profiles: { pointer: '/aaa/ntlm_profiles', key: PROFILE, tool: 'legacy_list_ntlm_auth_profiles' },
  ipv4_routes: {
    pointer: '/routing/ipv4_routes',
    key: [['destip', 'dest'], ['destmask', 'mask'], ['nexthop']],
    tool: 'legacy_list_ip_routes',
  },
  ipv6_routes: {
    pointer: '/routing/ipv6_routes',
    key: [['dest'], ['prefix'], ['nexthop']],
    tool: 'legacy_list_ipv6_routes',
  },
  vrrp: { pointer: '/routing/vrrp', key: [['id']], tool: 'legacy_list_vrrps' },
  vrrp6: { pointer: '/routing/vrrp6', key: [['id']], tool: 'legacy_list_vrrp6s' },
  netdst: { pointer: '/netdst', key: [['dstname', 'name']], tool: 'legacy_list_netdsts' },
  netdst6: { pointer: '/netdst6', key: [['dstname', 'name']], tool: 'legacy_list_netdst6s' },
  acl_eth: { pointer: '/acl_eth', key: [['accname', 'name']], tool: 'legacy_list_acl_eths' },
  whitelist_rule: { pointer: '/whitelist_rule', key: [['mac', 'name']], tool: 'legacy_list_ap_allowlist_campuses' },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof SECTIONS;

export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

/** Items read of one section; the rest is named in a warning. */
export const MOST_ITEMS = 20_000;
