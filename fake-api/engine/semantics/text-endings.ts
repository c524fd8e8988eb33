/** Last words of field names, and the text that a field of this name holds: people, places, devices, addresses. */
import { Dice } from '../state/determinism.ts';
import { siteOf } from './address-plan.ts';
import { networkFor as network } from './hosts.ts';
import { cityOf, countyOf, personOf } from './person.ts';
import { aboutFor, detailFor, messageFor } from './row-text.ts';
import { ADVICE, MEANINGS, NOTES, REASONS } from './sentence-pools.ts';
import {
  address,
  type Draw,
  deviceName,
  fullName,
  osOf,
  PRODUCTS_OF,
  pick,
  rowKind,
  sentenceName,
  userName,
  version,
  vlanName,
} from './text-draws.ts';
import {
  APPLICATIONS,
  CARRIERS,
  COMPANIES,
  DEPARTMENTS,
  DEVICE_KINDS,
  INTERFACES,
  MODELS,
  OPERATING_SYSTEMS,
  PART_NUMBERS,
  ROOMS,
  SSIDS,
  STREETS,
  TEAMS,
  VENDORS,
} from './word-pools.ts';

/** Longest endings first: `os version` is asked for before `version`. */
export const ENDINGS: readonly (readonly [endings: string, draw: Draw])[] = [
  ['first name,given name,firstname,forename', (field) => personOf(field).given],
  ['last name,family name,surname,lastname', (field) => personOf(field).family],
  ['full name,visitor name,sponsor name,admin name,contact,person,technician,caller', fullName],
  [
    'user name,username,typed name,login,user,owner,author,account,by,actor,admin,identity,requester,sponsor,operator,member,watcher,follower,assignee,holder',
    userName,
  ],
  ['display name,displayname,title,headline,header,summary', sentenceName],
  ['auth server name,auth server,radius server,radius server name', ({ dice }) => dice.pick(['radius-1', 'radius-2'])],
  [
    'server name,server',
    (field) =>
      /auth|radius|server group|aaa/.test(rowKind(field))
        ? field.dice.pick(['radius-1', 'radius-2'])
        : field.dice.pick(['radius-1', 'radius-2', 'ntp-1', 'dns-1', 'syslog-1', 'dhcp-1']),
  ],
  ['process,process name', ({ dice }) => dice.pick(['authd', 'stationd', 'httpd', 'snmpd', 'dhcpd', 'routed'])],
  [
    'event name,event type,trap',
    ({ dice }) => dice.pick(['ap-down', 'port-flap', 'client-auth-failed', 'config-changed', 'tunnel-down']),
  ],
  ['person name,customer name,guest name,client name', fullName],
  ['maker name,vendor,vendor name', pick(VENDORS)],
  [
    'host name,hostname,system name,device name,devicename,ap name,apname,switch name,peer name,gw name,device,system label,attached name,ap,peer,neighbour,neighbor,from,to,learned on,local,remote,hub,from node,to node,far name,remote name,announced name,isolated name,neighbor name,neighbour name,peer system,nas name',
    deviceName,
  ],
  ['location text,site name,sitename,site,location,venue,building,place,scope name', (field) => siteOf(field).name],
  ['ospf area,area id', ({ dice }) => dice.pick(['0.0.0.0', '0.0.0.1', '0.0.0.10'])],
  [
    'room,where,position,floor name,floor,zone,zone name,area,pod',
    (field) =>
      /ospf|routing/.test(String(field.row[2]))
        ? '0.0.0.0'
        : /flow|policy|firewall|security|segment|session/.test(String(field.row[2])) && field.words.includes('zone')
          ? field.dice.pick(['trusted', 'guest', 'servers', 'untrusted'])
          : field.dice.pick(ROOMS),
  ],
  ['street,street address,postal address,address line', pick(STREETS)],
  ['city,town,locality', (field) => cityOf(field).city],
  ['country,country name', (field) => cityOf(field).country],
  ['region,county,province,state', countyOf],
  ['links to disable,links to monitor,excluded uplinks,trusted ports,leaf port', pick(INTERFACES.slice(0, -2))],
  ['model family', ({ dice }) => dice.pick(['SX-800', 'SX-500', 'SX-300'])],
  ['lag', ({ dice }) => dice.pick(['lag10', 'lag20'])],
  ['link 1', () => '1/1/49'],
  ['link 2', () => '1/1/50'],
  [
    'communities,export targets,import targets,export route targets,import route targets,route targets',
    ({ dice }) => `65010:${dice.int(1, 40) * 10}`,
  ],
  ['roaming oi,consortium ids', ({ dice }) => dice.pick(['506f9a', '5a03ba', '506F9A', '5A03BA'])],
  ['schema', () => 'urn:ietf:params:scim:schemas:core:2.0:User'],
  ['dialect', () => 'https://json-schema.org/draft/2020-12/schema'],
  ['cohort', ({ dice }) => dice.pick(['Health care, ten to fifty sites', 'Education, below ten sites'])],
  ['engineer,fullname', fullName],
  ['question', ({ dice }) => dice.pick(['Which site?', 'Which device shall restart?', 'Until when?'])],
  ['replaces', ({ dice }) => dice.pick(['web-browsing', 'streaming-video', 'file-sharing'])],
  [
    'privileges,granted,implied,sensitive',
    ({ dice }) => dice.pick(['devices.read', 'devices.write', 'policies.read', 'users.delete']),
  ],
  ['required,mandatory', ({ dice }) => dice.pick(['siteId', 'from', 'to', 'format'])],
  ['basic constraints', () => 'CA:TRUE, pathlen:0'],
  ['key usage', ({ dice }) => dice.pick(['digitalSignature', 'keyCertSign', 'cRLSign', 'keyEncipherment'])],
  ['rule protocol', ({ dice }) => dice.pick(['tcp', 'udp', 'icmp'])],
  ['missing parts', ({ dice }) => dice.pick(['acl', 'vlan', 'captive-portal'])],
  ['tcp fingerprint', () => '65535:64:1:52:M1460,N,W8,N,N,S'],
  [
    'dhcp options,dhcp fingerprint',
    ({ dice }) => dice.pick(['1,3,6,15,31,33,43', '1,121,3,6,15,114,119', '1,3,6,12,15,28']),
  ],
  [
    'resp attrs',
    ({ dice }) => dice.pick(['Tunnel-Private-Group-Id=20', 'Filter-Id=employee', 'Session-Timeout=28800']),
  ],
  ['component', ({ dice }) => dice.pick(['tunnel-service', 'updater', 'collector'])],
  ['dhcp vendor class identifier,vendor class', ({ dice }) => dice.pick(['MSFT 5.0', 'android-dhcp-15', 'udhcp 1.36'])],
  ['masked', ({ dice }) => `…${dice.hex(4)}`],
  [
    'observed',
    ({ dice }) => dice.pick(['DHCP options of a laptop', 'hardware address of a printer', 'user agent of a phone']),
  ],
  ['adapter', ({ dice }) => dice.pick(['Wi-Fi 6E AX211', 'Wi-Fi 7 BE200'])],
  ['driver', ({ dice }) => dice.pick(['23.40.0.4', '23.110.0.5'])],
  ['systems', pick(OPERATING_SYSTEMS)],
  ['native', ({ dice }) => dice.pick(['English', 'Gaeilge', 'Deutsch'])],
  ['slot', ({ dice }) => dice.pick(['1/1', '1/2', '1/5'])],
  ['counters', ({ dice }) => dice.pick(['in-errors', 'crc-errors', 'out-drops'])],
  ['debug modules', ({ dice }) => dice.pick(['dot1x', 'dhcp', 'stp', 'roaming'])],
  ['view', ({ dice }) => dice.pick(['all', 'interfaces', 'system'])],
  ['datacentres', () => 'dc1'],
  ['concentrator', () => 'bras-dub-1'],
  ['asset tag', ({ dice }) => `HC-${dice.int(20_100, 29_900)}`],
  ['timezone name,zonename', (field) => cityOf(field).zone],
  ['latitude', () => '53.3478'],
  ['longitude', () => '-6.2397'],
  ['zipcode', () => 'D01 AB12'],
  ['measure,measures', ({ dice }) => dice.pick(['retry rate', 'dhcp time', 'failed logins', 'bytes'])],
  [
    'explains',
    ({ dice }) =>
      dice.pick(['State of every port', 'Neighbours and the ports they are on', 'Release and time since the start']),
  ],
  ['excluded i ps,included i ps', (field) => (field.dice.chance(0.5) ? network(field) : address(field))],
  ['queue', ({ dice }) => dice.pick(['Network operations', 'Field service', 'Service desk'])],
  ['orderby', ({ dice }) => dice.pick(['value', 'label', 'updated_at'])],
  [
    'inputs',
    ({ dice, row }) =>
      dice.pick(
        row[1] === 'fabric' ? ['interface counters', 'BGP sessions', 'MAC table'] : ['bytes', 'seconds', 'failures'],
      ),
  ],
  ['formula', () => 'sum(bytes) * 8 / sum(seconds)'],
  ['primary time', () => 'time'],
  ['asic', ({ dice }) => dice.pick(['FX-48', 'FX-56'])],
  ['reserved for', ({ dice }) => dice.pick(['second data centre', 'spare parts', 'lab'])],
  ['keywords', ({ dice }) => dice.pick(['torrent', 'casino', 'webmail'])],
  ['blocklisted', ({ dice }) => dice.pick(['mail-reputation', 'scanner-list'])],
  ['match authstring', () => 'campus'],
  ['match fqdn', () => 'harbour.example'],
  ['subcat', ({ dice }) => dice.pick(['dot1x', 'dhcp', 'all'])],
  ['trunk', () => '20,30,40'],
  ['tracking object', ({ dice }) => dice.pick(INTERFACES.slice(0, 6))],
  ['hardware revision', ({ dice }) => dice.pick(['A1', 'B2', 'R03'])],
  ['outcome', ({ dice }) => dice.pick(['employee', 'guest', 'voice'])],
  ['only', () => 'tcp and not host 10.10.10.51'],
  ['description prefix', ({ dice }) => dice.pick(['access port', 'desk port', 'uplink', 'ward port'])],
  ['saml assertion', () => '<saml:Assertion ID="_a75adf55" Version="2.0">…</saml:Assertion>'],
  ['document', () => '<EntityDescriptor entityID="https://login.harbour.example/saml">…</EntityDescriptor>'],
  ['name format', () => '{site}-ap-{number}'],
  ['style sheet', () => '.button { border-radius: 4px; }'],
  ['allow addrs', ({ dice }) => dice.pick(['10.10.10.20-10.10.10.60', '10.20.10.20-10.20.10.40'])],
  ['exceptions', ({ dice }) => dice.pick(['*.harbour.example', 'meetings.example.net'])],
  ['status,detailed status', pick(REASONS)],
  ['postal code,postal,zip', (field) => (cityOf(field).code === 'IE' ? 'A92 X4P7' : 'BT35 6PH')],
  ['country code', (field) => cityOf(field).code],
  ['time zone,timezone', (field) => cityOf(field).zone],
  ['ssid,essid,wlan,wlan name,network name,wlans,ssids', pick(SSIDS)],
  [
    'vlan name,vlan,segment,role,role name,roles,group,group name,groups,tag,tags,labels,user group,tenant,radius group',
    vlanName,
  ],
  ['department,organisational unit', pick(DEPARTMENTS)],
  ['company,organisation,organization,org,customer,seller,reseller,partner,supplier', pick(COMPANIES)],
  ['team,audience,approver', pick(TEAMS)],
  ['manufacturer,manufacture,mfg,maker,publisher', pick(VENDORS)],
  ['carrier,provider,isp,provider name,carrier name,operator name', pick(CARRIERS)],
  [
    'model,product,hardware,platform,hw model',
    ({ row }) => new Dice(...row, 'model').pick<string>(PRODUCTS_OF[String(row[1])] ?? MODELS),
  ],
  ['part number,partnumber,sku,replacement', pick(PART_NUMBERS)],
  ['os,operating system,os name', (field) => OPERATING_SYSTEMS[osOf(field)] as string],
  ['os version,version,firmware,firmware version,software,release,build,target version,installed,distro', version],
  [
    'family,device type,device family,device category',
    ({ row }) => new Dice(...row, 'kind of device').pick(DEVICE_KINDS),
  ],
  [
    'object type,type,kind,class,category,profile type,resource',
    (field) =>
      /app(lication)?s?$/.test(String(field.row[2])) && field.words.includes('category')
        ? field.dice.pick(['Collaboration', 'Business', 'Streaming'])
        : /device|endpoint|fingerprint|profil/.test(String(field.row[2]))
          ? new Dice(...field.row, 'kind of device').pick(DEVICE_KINDS)
          : field.dice.pick(['site', 'device', 'network', 'policy', 'user', 'role']),
  ],
  ['application,applications,app,service,service name,app name', pick(APPLICATIONS)],
  ['interface,interfaces,source interface,sourceinterface,uplink,downlink', pick(INTERFACES)],
  ['port,port id,ports,port name,member ports,portid,link,links', pick(INTERFACES.slice(0, -2))],
  [
    'reason,fail reason,failreason,cause,last error,error,problem,problems,fault,finding,diagnosis,reason text,status text,error text,failure,first failure',
    (field) =>
      field.dice.pick(
        /suppression|capture|pcap|window|elevation|exception|approval/.test(String(field.row[2])) ? NOTES : REASONS,
      ),
  ],
  ['remedy,workaround,recommendation,suggested action,hint,advice,advice text,instructions', pick(ADVICE)],
  [
    'language display,display',
    (field) =>
      /language/.test(rowKind(field)) ? field.dice.pick(['English', 'Irish', 'German', 'French']) : messageFor(field),
  ],
  ['message,alarm text,event text,status str,statusstr,warning,warnings,text,outcome text', messageFor],
  ['detail,details,reply,provider reply,answer,because', detailFor],
  ['remediation,action,suggestion,next step', pick(ADVICE)],
  ['note,notes,remark,comment,comments,content,justification', pick(NOTES)],
  ['description,purpose,description text,descriptiontext,descr,about', aboutFor],
  ['meaning', ({ dice }) => dice.pick(MEANINGS)],
  ['var,parameter', ({ dice }) => dice.pick(['site_code', 'guest_vlan', 'dns_primary', 'uplink_speed'])],
  ['cpu', () => '8 cores at 2.4 GHz'],
];
