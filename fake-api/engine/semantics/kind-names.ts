/** How engineers name objects of a kind: groups after what is in them, rules after what they do, people after themselves. */
import { singularOf, wordsOf } from './field-words.ts';
import { personAt } from './person.ts';
import { APPLICATIONS, CARRIERS, COMPANIES, ROOMS, SSIDS } from './word-pools.ts';

const PEOPLE = Array.from({ length: 600 }, (_, at) => Object.values(personAt(at)).join(' '));

const SITES = ['Harbour House', 'North Depot', 'Mill Clinic', 'Quay Offices', 'Canal Yard', 'Abbey Surgery'] as const;
const AP_NAMES = ['hq-ap-04', 'depot-ap-02', 'clinic-ap-01', 'hq-ap-11', 'depot-ap-07', 'clinic-ap-03'] as const;
const SWITCHES = ['hq-sw-01', 'depot-sw-02', 'clinic-sw-01', 'hq-sw-04', 'depot-sw-03', 'hq-sw-06'] as const;
const GATEWAYS = ['hq-gw-01', 'depot-gw-01', 'clinic-gw-01', 'hq-gw-02', 'depot-gw-02'] as const;
const CLIENTS = [
  'LT-20417',
  'PH-33180',
  'TAB-1182',
  'LT-20931',
  'PRN-0412',
  'LT-21044',
  'CAM-0077',
  'SCN-0315',
] as const;
const SERVERS = ['srv-app-01', 'srv-db-02', 'esx-03', 'fw-edge-1', 'lb-01', 'nas-02', 'srv-backup-01'] as const;
const PROCESSES = ['authd', 'stationd', 'httpd', 'snmpd', 'dhcpd', 'routed', 'syslogd', 'configd'] as const;

/** Last words of a kind, and names of its objects in the order in which they are given out. */
const KINDS: readonly (readonly [kinds: string, names: readonly string[]])[] = [
  ['ids ap rule,classification rule,rogue rule', ['own-ssid-outside', 'strong-neighbour', 'unknown-on-wire']],
  ['mac acl', ['badge-readers', 'voice-phones', 'printers-by-address']],
  ['ethertype acl', ['ipv4-and-arp', 'no-old-protocols', 'fabric-only']],
  ['party license,open source notice', ['json-parser', 'tls-library', 'web-framework', 'time-zone-data']],
  ['snmp user', ['monitor', 'collector', 'backup-monitor']],
  ['sms gateway', ['liffey-sms', 'boyne-sms', 'test-sms']],
  ['fingerprint type', ['Computer', 'Printer', 'IP phone', 'Camera']],
  ['ip pool', ['loopback-pool', 'link-pool', 'guest-pool', 'staff-pool']],
  [
    'radius attr,vendor attribute',
    ['Campus-User-Role', 'Campus-Session-Vlan', 'Campus-Location', 'Campus-Device-Type'],
  ],
  ['custom attribute', ['asset-owner', 'cost-centre', 'contract-end', 'ward']],
  ['language', ['English', 'Irish', 'German', 'French']],
  [
    'intrusion signature,signature',
    [
      'Trojan beacon over DNS',
      'SQL injection attempt',
      'Port scan from inside',
      'Exploit of an old TLS library',
      'Brute force at SSH',
    ],
  ],
  ['dlp dictionary', ['Patient numbers', 'Bank accounts', 'Payroll words', 'Passport numbers', 'Project names']],
  ['dlp profile', ['Patient records', 'Payment data', 'Source code', 'Personal data']],
  ['application dictionary,app dictionary', ['booking-system', 'mobile-management', 'ticket-system', 'directory-sync']],
  ['radius dictionary,dictionary,ingress dictionary', ['Northwind', 'Alder', 'Castor', 'Brightline', 'Delta']],
  ['report type', ['inventory', 'client-usage', 'subscription-use', 'energy', 'audit']],
  ['event type', ['device.offline', 'device.claimed', 'user.signed_in', 'subscription.expiring', 'job.failed']],
  ['edge model', ['edge-s', 'edge-m', 'edge-l', 'edge-xl']],
  ['fingerprint', ['office-printer', 'ip-phone', 'badge-reader', 'infusion-pump', 'lecture-camera']],
  ['location type', ['office', 'warehouse', 'clinic', 'data-centre']],
  ['policy framework,framework', ['Campus baseline', 'Health care security', 'Payment cards', 'Hardening guide']],
  [
    'service offer,offer',
    ['Network management, standard', 'Network management, advanced', 'Analytics, standard', 'Sensors, per device'],
  ],
  ['provision', ['network-management-eu', 'analytics-eu', 'sensors-eu']],
  ['os image', ['fabric-os-4.2.1', 'fabric-os-4.1.3', 'open-os-202511']],
  ['config template', ['leaf-base', 'spine-base', 'border-bgp', 'ntp-and-syslog', 'banner']],
  ['property set', ['ntp-servers', 'syslog-servers', 'snmp-communities', 'site-codes']],
  ['connectivity template', ['server-trunk', 'storage-access', 'firewall-bgp', 'hypervisor-lag']],
  ['endpoint group', ['web-servers', 'databases', 'hypervisors', 'storage-nodes']],
  ['policy type', ['interface_speed', 'storm_control', 'static_route_tracking']],
  ['configlet', ['ntp', 'syslog', 'snmp', 'login-banner']],
  ['design tag,blueprint tag', ['production', 'lab', 'pci', 'storage', 'border']],
  ['egress point', ['dublin-1', 'london-2', 'frankfurt-1']],
  ['log stream', ['siem-web-log', 'archive-all', 'firewall-to-collector']],
  ['service account', ['ticket-bridge', 'siem-reader', 'backup-job']],
  ['trap', ['wlsxApDown', 'wlsxUserAuthFailed', 'linkDown', 'coldStart']],
  ['snmp trap', ['wlsxApDown', 'wlsxUserAuthFailed', 'linkDown', 'coldStart']],
  ['data quality', ['client-sessions', 'radio-health', 'dhcp-leases', 'flow-records']],
  ['export catalogue,export', ['client-sessions', 'device-inventory', 'login-events']],
  ['entity', ['hq-sw-02', 'depot-ap-03', 'clinic-gw-01', 'Harbour House', 'North Depot']],
  ['apn', ['internet.liffey.example', 'fleet.boyne.example']],
  ['menu', ['dashboards', 'configuration', 'reports', 'support']],
  ['stage', ['interface counters', 'match imbalance', 'anomaly check']],
  ['processor', ['collect counters', 'match systems', 'count in range']],
  ['section', ['base', 'interfaces', 'routing', 'access lists', 'services']],
  ['primitive', ['ip-link', 'bgp-peering', 'static-route', 'virtual-network']],
  ['predefined', ['bgp_session', 'device_health', 'bandwidth_utilization']],
  ['accessor', ['uptime', 'rx_errors', 'session_state']],
  ['object', ['staff', 'guest-access', 'hq-access-ports', 'quiet-hours']],
  ['tenant restriction', ['Office suite, own tenant only', 'File share, own tenant only']],
  ['budget', ['Subscriptions 2026', 'Sensors 2026', 'Energy 2026']],
  ['cost centre', ['Harbour House', 'North Depot', 'Mill Clinic', 'Research']],
  ['generic,service account', ['ticket-bridge', 'siem-reader', 'backup-job']],
  ['vm manager,virtual infra manager', ['vcenter-dc1', 'vcenter-lab']],
  ['external system', ['isp-router-1', 'fw-edge-1', 'fw-edge-2']],
  ['asn', ['leaf-asns', 'spine-asns']],
  ['lag', ['server-lag', 'storage-lag', 'firewall-lag']],
  ['tag policy', ['owner-required', 'cost-centre-required']],
  ['loopback interface,loopback', ['router-id', 'vtep-source', 'management-source']],
  ['checkpoint,config checkpoint', ['before-upgrade', 'after-move', 'weekly']],
  ['visitor,guest,contact,person,user,admin,administrator,registration,technician,employee,scim user,invite', PEOPLE],
  ['org,organisation,organization,tenant,workspace,msp,customer,company,partner,reseller', COMPANIES],
  ['site,location,venue,campus', SITES],
  ['sub location,zone,map zone,area,room', ROOMS],
  ['security zone,policy zone,posture zone', ['trusted', 'untrusted', 'guest', 'management', 'servers', 'iot']],
  [
    'floor,floor plan,site map,org map,installer map',
    ['Ground floor', 'First floor', 'Second floor', 'Warehouse hall', 'Basement', 'Roof'],
  ],
  ['virtual ap', ['staff-vap', 'guest-vap', 'iot-vap', 'voice-vap']],
  ['ap,aps,access point', AP_NAMES],
  ['switch,stack', SWITCHES],
  ['gateway,edge,controller,appliance', GATEWAYS],
  [
    'device,unmanaged device,isolated device',
    [...AP_NAMES.slice(0, 2), ...SWITCHES.slice(0, 2), ...GATEWAYS.slice(0, 2)],
  ],
  ['client,endpoint,machine,host', CLIENTS],
  ['generic system,virtual machine,vm', SERVERS],
  ['process,daemon', PROCESSES],
  ['column,dimension', ['site', 'device', 'clients', 'bytes', 'day']],
  ['service endpoint', ['fra-1', 'dub-2', 'lon-1']],
  [
    'country',
    [
      'Ireland',
      'United Kingdom',
      'Germany',
      'France',
      'Netherlands',
      'Spain',
      'Portugal',
      'Denmark',
      'Sweden',
      'Norway',
    ],
  ],
  ['widget', ['Clients by site', 'Uplink use', 'Failed logins this week', 'Top applications', 'Power by floor']],
  ['case category', ['Hardware fault', 'Licence question', 'Outage', 'Configuration help']],
  ['rack', ['rack-a01', 'rack-a02', 'rack-b01', 'rack-b02', 'rack-c01']],
  ['parameter,variable,var', ['siteCode', 'guestVlan', 'dnsPrimary', 'uplinkSpeed', 'contact']],
  ['label,tag', ['production', 'lab', 'phase-2', 'leased', 'outdoor', 'critical', 'spare', 'renovation']],
  [
    'ap group,device group,sensor group,collection,folder,management group',
    [
      'ground-floor-aps',
      'lecture-halls',
      'warehouse-scanners',
      'core-switches',
      'outdoor-aps',
      'ward-devices',
      'branch-gateways',
    ],
  ],
  ['group', ['pilot', 'head-office', 'clinic', 'warehouse', 'night-shift', 'contractors', 'visitors']],
  ['threat', ['Trojan.Agent', 'Phishing.Form', 'Miner.Script', 'Adware.Bundle']],
  ['custom block page,block page', ['Blocked site', 'Upload refused', 'Risky download', 'Caution before visit']],
  ['user group,role group', ['staff', 'nurses', 'contractors', 'it-operations', 'students', 'visitors']],
  ['application group,application set', ['collaboration', 'clinical', 'cloud-storage', 'streaming', 'updates']],
  [
    'rule,acl',
    [
      'allow-dns',
      'block-peer-to-peer',
      'permit-printers',
      'staff-to-servers',
      'guest-internet-only',
      'deny-management',
      'allow-ntp',
    ],
  ],
  [
    'policy',
    ['staff-access', 'guest-internet', 'iot-isolation', 'contractor-access', 'voice-priority', 'printer-lockdown'],
  ],
  ['role,downloadable role', ['employee', 'contractor', 'help-desk', 'auditor', 'nurse', 'kiosk', 'printer']],
  ['application,app,saas application', APPLICATIONS],
  ['service group,net service', ['web', 'mail', 'voice', 'directory', 'printing']],
  [
    'address group,net group,object group,address book',
    ['servers', 'printers', 'dns-servers', 'staff-networks', 'cameras'],
  ],
  ['attribute', ['department', 'title', 'memberOf', 'mail', 'employeeType']],
  ['const state,state', ['Leinster', 'Munster', 'Connacht', 'Ulster']],
  ['asn pool', ['leaf-asns', 'spine-asns', 'border-asns', 'lab-asns']],
  ['vni pool', ['evpn-l2-vnis', 'evpn-l3-vnis', 'lab-vnis']],
  [
    'shadow app,cloud app,linked app',
    ['Notebook sync', 'File drop', 'Whiteboard', 'Form builder', 'Mind maps', 'Photo share'],
  ],
  ['dashboard', ['Wireless overview', 'Uplinks', 'Guest access', 'Security this week', 'Power use']],
  [
    'report,query,saved query,search',
    [
      'Weekly clients',
      'Uplink utilisation',
      'Failed logins',
      'Firmware by model',
      'Idle switch ports',
      'Top applications',
    ],
  ],
  ['dataset,data set', ['client-sessions', 'radio-health', 'dhcp-leases', 'flow-records', 'login-events']],
  [
    'key,token,credential,api client,client credential',
    ['inventory-sync', 'backup-script', 'monitoring', 'ticket-bridge', 'ci-pipeline'],
  ],
  [
    'webhook,sink,integration,itsm connector,channel,notification channel',
    ['ticket-system', 'on-call-pager', 'siem', 'chat-ops', 'cmdb-sync'],
  ],
  [
    'certificate,trust anchor,server certificate',
    ['radius-2026', 'portal-tls', 'vpn-gateway', 'device-ca', 'syslog-tls'],
  ],
  [
    'vlan,named vlan,network,virtual network,vn',
    ['staff', 'guest', 'voice', 'iot', 'printers', 'cameras', 'management'],
  ],
  ['wlan,ssid,wireless network', SSIDS],
  [
    'schedule,time range,window,maintenance window,change window',
    ['weeknights', 'office-hours', 'sunday-maintenance', 'term-time', 'first-monday'],
  ],
  [
    'alert,alarm,threshold,alert rule,alert policy,monitor',
    ['ap-offline', 'uplink-down', 'high-cpu', 'pool-exhausted', 'tunnel-lost'],
  ],
  [
    'test,service test,probe,synthetic probe',
    ['dns-resolution', 'intranet-login', 'video-call', 'dhcp-lease', 'cloud-storage'],
  ],
  ['asset', ['infusion-pump-07', 'bed-112', 'wheelchair-03', 'trolley-14', 'forklift-02']],
  ['script,job,task', ['nightly-backup', 'port-audit', 'firmware-check', 'clear-stale-clients']],
  ['template', ['access-switch-48', 'branch-gateway', 'outdoor-ap', 'clinic-floor', 'depot-hall']],
  [
    'category,url category',
    ['Business', 'Collaboration', 'Streaming', 'Social media', 'Software updates', 'Health care'],
  ],
  ['provider,service provider,carrier,isp', CARRIERS],
  ['vrf,routing instance,segment', ['default', 'guest-net', 'voice-net', 'iot-net', 'management']],
  ['pool,address pool', ['staff-pool', 'guest-pool', 'voice-pool', 'iot-pool', 'depot-pool']],
  ['tunnel', ['hq-to-dc1', 'depot-to-hq', 'clinic-to-hq', 'depot-to-dc1', 'clinic-to-dc1']],
  ['identity provider,idp,auth provider,sso', ['campus-login', 'clinic-login', 'partner-login']],
  ['message provider,credential provider', ['mail-relay', 'text-messages', 'badge-printer']],
  ['portal page,page', ['Visitor sign-in', 'Contractor sign-in', 'Welcome to Harbour-Guest', 'Access refused']],
  [
    'knowledge article,article',
    [
      'Clients roam too late',
      'Move a licence to another gateway',
      'Read the log of a failed upgrade',
      'Replace a member of a stack',
    ],
  ],
  ['feature preview,feature', ['Capacity forecast', 'Floor view of sensors', 'Bulk edit of ports']],
  ['blueprint', ['dc1-fabric', 'lab-fabric', 'dc2-fabric']],
  ['node,blueprint node', ['leaf-1', 'leaf-2', 'spine-1', 'spine-2', 'border-1', 'border-2']],
  ['backup,snapshot', ['before-upgrade', 'weekly', 'before-cutover', 'monthly', 'lab-state']],
];

const byKind = new Map(KINDS.flatMap(([kinds, names]) => kinds.split(',').map((kind) => [kind, names] as const)));

/** Words that say how a thing is looked at, and not what it is. */
const VIEW =
  /^(stat|health|state|status|summary|table|record|config|configuration|history|usage|info|detail|inventory|result|item|reference|derived|effective|database|last)$/;

/** Words that say whose a thing is. */
const SCOPE = /^(org|site|msp|const|self|derived|classic)$/;
/** Kinds that say little by themselves: what stands before them makes the name. */
const VAGUE = /^(group|rule|map|entry|policy|template|network|key|pool|node|zone|tag|list)$/;

/** Words of a resource's name without the view on it, in the singular: `org-device-stats` → `org device`. */
export function kindOf(resource: string): readonly string[] {
  const known = kinds.get(resource) ?? readKind(resource);
  kinds.set(resource, known);
  return known;
}
const kinds = new Map<string, readonly string[]>();

function readKind(resource: string): readonly string[] {
  const words = [...singularOf(wordsOf(resource))];
  while (words.length > 1 && SCOPE.test(words[0] as string)) words.shift();
  while (words.length > 1 && VIEW.test(words.at(-1) as string)) words.pop();
  return singularOf(words);
}

/** Names of objects of a kind, of its last two words or its last; undefined where each of them is named after its place. */
export function namesOf(kind: readonly string[]): readonly string[] | undefined {
  const last = kind.at(-1) ?? '';
  const pair = byKind.get(kind.slice(-2).join(' '));
  return (
    pair ?? (kind.length > 1 && VAGUE.test(last) && !ADDS_LITTLE.test(kind.at(-2) ?? '') ? undefined : byKind.get(last))
  );
}

/** Words before a vague kind that leave it what it is. */
const ADDS_LITTLE =
  /^(access|firewall|acl|nac|custom|named|wips|onboarding|device|client|sensor|authz|resource|asset|design|report|stack|job|classic|management|interface|route|config|virtual|wired|wireless|cloud|api|ssh|encryption|connector|nat|dhcp|address|map|rssi|site)$/;

/** Whether a login beside an object of the kind is that of a machine: the platform's own account at a server. */
export const isMachine = (kind: readonly string[]): boolean =>
  kind.some((word) => MACHINE.test(word)) && !kind.some((word) => PERSONAL.test(word));
const PERSONAL =
  /^(session|login|activity|event|log|audit|user|client|endpoint|guest|person|device|station|enrolled|health)$/;
const MACHINE =
  /^(proxy|snmp|backup|hypervisor|vcenter|smtp|mail|sms|collector|integration|connector|credential|storage|ldap|ddn|ddns|pppoe|est|scep|siem|syslog|stream|sink|itsm|agent|source|manager|profile|external|supplicant)$/;

/** Whether objects of the kind are people, whose name the mail address beside it repeats. */
export const isPerson = (kind: readonly string[]): boolean => namesOf(kind) === PEOPLE;
