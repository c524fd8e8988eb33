/**
 * Text for fields that say by their name what they hold. A value depends on the row it stands in, so the parts of one row agree: a person's names,
 * login and mail address, or city, country and time zone.
 */
import { Dice, type Part } from '../state/determinism.ts';
import { atLongestEnding, endingTable, wordsOf } from './field-words.ts';
import {
  ADVICE,
  APPLICATIONS,
  CITIES,
  COMPANIES,
  CONFIG_LINES,
  CONFIG_PATHS,
  COUNTIES,
  DEPARTMENTS,
  DEVICE_KINDS,
  FAMILY_NAMES,
  GIVEN_NAMES,
  INTERFACES,
  MESSAGES,
  MODELS,
  NOTES,
  OPERATING_SYSTEMS,
  OS_VERSIONS,
  PART_NUMBERS,
  PLACES,
  PURPOSES,
  REASONS,
  RELEASES,
  ROOMS,
  SERVICE_HOSTS,
  SSIDS,
  STREETS,
  TEAMS,
  TEXT_KEYS,
  VENDORS,
} from './word-pools.ts';

export interface TextField {
  /** Lower-case words of the field's name. */
  words: readonly string[];
  /** Draws for this field alone. */
  dice: Dice;
  /** Seed, platform, resource and key: what the fields of one row share. */
  row: readonly Part[];
}

type Draw = (field: TextField) => string;

const ofRow = ({ row }: TextField, what: string) => new Dice(...row, what);
const personOf = (field: TextField) => {
  const dice = ofRow(field, 'person');
  return { given: dice.pick(GIVEN_NAMES), family: dice.pick(FAMILY_NAMES) };
};
const cityOf = (field: TextField) => ofRow(field, 'city').pick(CITIES);
const osOf = (field: TextField) => ofRow(field, 'os').int(0, OPERATING_SYSTEMS.length - 1);
const login = ({ given, family }: { given: string; family: string }) => `${given[0]}${family}`.toLowerCase();
const fullName: Draw = (field) => Object.values(personOf(field)).join(' ');
const userName: Draw = (field) => login(personOf(field));
const pick =
  (pool: readonly string[]): Draw =>
  ({ dice }) =>
    dice.pick(pool);
/** Singular noun of the resource of the row, in the words of its name. */
export function nounOf(resource: string): readonly string[] {
  const words = wordsOf(resource);
  const last = words.at(-1) ?? 'object';
  return [...words.slice(0, -1), last.replace(/ies$/, 'y').replace(/(?<=[^su])s$/, '')];
}

/** What a name is about: what stands before `name` or `label`, else the kind of object the row is. */
function subjectOf({ words, row }: TextField): readonly string[] {
  const before = words.slice(0, -1).filter((word) => !GENERAL.has(word));
  return before.length > 0 ? before.slice(-2) : nounOf(String(row[2] ?? 'object')).slice(-2);
}
const GENERAL = new Set([
  'display',
  'full',
  'short',
  'new',
  'old',
  'own',
  'name',
  'current',
  'proposed',
  'worst',
  'object',
]);

/** `branch-syslog-server`: how engineers name what they configure. */
const objectName: Draw = (field) => {
  const subject = subjectOf(field);
  if (PEOPLE.test(subject.at(-1) ?? '')) return fullName(field);
  if (FIRMS.test(subject.at(-1) ?? '')) return field.dice.pick(COMPANIES);
  return [field.dice.pick(PLACES), ...subject].join('-');
};
const PEOPLE = /^(visitor|guest|contact|person|user|admin|registration|technician)$/;
const FIRMS = /^(org|organisation|tenant|workspace|msp|customer|company)$/;
const sentenceName: Draw = (field) => `${cityOf(field).city} ${subjectOf(field).join(' ')}`;
const deviceName: Draw = ({ dice }) =>
  `${dice.pick(['hq', 'depot', 'clinic'])}-${dice.pick(['ap', 'sw', 'gw'])}-${String(dice.int(1, 9)).padStart(2, '0')}`;
const pem: Draw = ({ dice }) => `-----BEGIN CERTIFICATE-----\nMIIB${dice.base32(56)}\n-----END CERTIFICATE-----`;
const subjectName: Draw = (field) => `CN=${field.dice.pick(SERVICE_HOSTS)}.campus.example,O=Harbour Campus,C=IE`;
/** Two to four numbers, because platforms differ in how many of them they write. */
const version: Draw = (field) => {
  if (field.words.includes('os')) return OS_VERSIONS[osOf(field)] as string;
  const release = field.dice.pick(RELEASES);
  return field.dice.chance(0.6) ? release : release.split('.').slice(0, field.dice.int(2, 3)).join('.');
};
const address: Draw = ({ dice }) => `10.${dice.pick([10, 20, 30])}.${dice.int(10, 60)}.${dice.int(2, 250)}`;
const network: Draw = ({ dice }) => `10.${dice.pick([10, 20, 30])}.${dice.int(10, 60)}.0/24`;
const host: Draw = ({ dice }) => `${dice.pick(SERVICE_HOSTS)}.campus.example`;
const encoded: Draw = ({ dice }) => Buffer.from(dice.base32(18)).toString('base64');
const identifier: Draw = ({ dice }) => dice.hex(12);
const phone: Draw = ({ dice }) => `+353 1 555 0${dice.int(100, 199)}`;
const path: Draw = ({ dice }) => `/${dice.pick(['sites', 'devices', 'policies', 'networks'])}/${dice.hex(6)}`;
const expression: Draw = ({ dice }) =>
  dice.pick(["status eq 'ONLINE'", "site eq 'Harbour House'", "severity eq 'MAJOR'", "model eq 'AX-720'"]);
const distinguished: Draw = ({ dice }) => `ou=${dice.pick(['staff', 'services', 'groups'])},dc=campus,dc=example`;
const vlanName: Draw = ({ dice }) => dice.pick(['staff', 'guest', 'voice', 'iot', 'management', 'printers', 'cameras']);
const duration: Draw = ({ dice }) => dice.pick(['5m', '15m', '1h', '1d']);

/** Longest endings first: `os version` is asked for before `version`. */
const ENDINGS: readonly (readonly [endings: string, draw: Draw])[] = [
  ['first name,given name,firstname', (field) => personOf(field).given],
  ['last name,family name,surname,lastname', (field) => personOf(field).family],
  ['full name,visitor name,sponsor name,admin name,contact,person,technician,caller', fullName],
  [
    'user name,username,login,user,owner,author,account,by,actor,admin,identity,requester,sponsor,operator,member,watcher,follower,assignee,holder',
    userName,
  ],
  ['display name,displayname,title,headline,label,header,summary', sentenceName],
  [
    'host name,hostname,system name,device name,devicename,ap name,apname,switch name,peer name,gw name,device,server name,system label,attached name,ap,peer,neighbour,neighbor,from,to,learned on,local,remote,hub,from node,to node',
    deviceName,
  ],
  [
    'site name,sitename,site,location,venue,building,place,scope name',
    (field) => field.dice.pick(['Harbour House', 'North Depot', 'Mill Clinic']),
  ],
  ['room,where,position,floor name,floor,zone,zone name,area,pod', pick(ROOMS)],
  ['street,street address,postal address,address line', pick(STREETS)],
  ['city,town,locality', (field) => cityOf(field).city],
  ['country,country name', (field) => cityOf(field).country],
  ['region,county,province', pick(COUNTIES)],
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
  ['vendor,vendor name,manufacturer,mfg,maker,carrier,provider', pick(VENDORS)],
  ['model,product,hardware,platform', pick(MODELS)],
  ['part number,partnumber,sku,replacement', pick(PART_NUMBERS)],
  ['os,operating system,os name', (field) => OPERATING_SYSTEMS[osOf(field)] as string],
  ['os version,version,firmware,firmware version,software,release,build,target version,installed,distro', version],
  ['family,device type,device family,device category', pick(DEVICE_KINDS)],
  [
    'object type,type,kind,class,category,profile type,resource',
    pick(['site', 'device', 'network', 'policy', 'user', 'role']),
  ],
  ['application,applications,app,service,service name,app name,process', pick(APPLICATIONS)],
  [
    'interface,interfaces,port,port id,ports,port name,source interface,uplink,member ports,portid,sourceinterface,downlink',
    pick(INTERFACES),
  ],
  [
    'reason,fail reason,failreason,cause,last error,error,problem,problems,fault,finding,diagnosis,reason text,status text,error text,failure,first failure',
    pick(REASONS),
  ],
  ['remedy,workaround,recommendation,suggested action,hint,advice,advice text,instructions', pick(ADVICE)],
  [
    'message,detail,details,alarm text,event text,display,status str,statusstr,remediation,warning,warnings',
    pick(MESSAGES),
  ],
  ['note,notes,remark,comment,comments,content,justification', pick(NOTES)],
  ['description,purpose,description text,descriptiontext,descr,meaning,about', pick(PURPOSES)],
  ['path,href,link,file path,folder,request', path],
  [
    'file name,filename,file,report name',
    ({ dice }) => `${dice.pick(['inventory', 'audit', 'backup', 'clients'])}-2026-0${dice.int(1, 2)}.csv`,
  ],
  ['subject,common name,subject name,dn,cert cn', subjectName],
  ['issuer,issued by', () => 'CN=Harbour Campus Issuing CA 1,O=Harbour Campus,C=IE'],
  ['base dn,bind dn,admin dn,basedn,binddn,admindn', distinguished],
  ['filter,query,condition,expression,group filter,filter text,match,rule', expression],
  ['certificate,pem,chain,idp cert,public key,cert,body key', pem],
  ['phone,phone number,mobile,telephone', phone],
  ['serial,serial number,serialnumber', ({ dice }) => `PH${dice.base32(8)}`],
  [
    'number,po number,case number,order number,ticket number,po,ticket',
    ({ dice }) => `${dice.pick(['PO', 'INC', 'ORD'])}-${dice.int(10_000, 99_999)}`,
  ],
  ['sender,sender name', () => 'Campus Wi-Fi'],
  ['mac,bssid,hardware address', ({ dice }) => dice.mac()],
  ['code,error code,errorcode,claim code', ({ dice }) => `E${dice.int(1001, 1099)}`],
  ['units,unit', ({ dice }) => dice.pick(['%', 'ms', 'Mbit/s', 'dBm'])],
  ['tier,license,licence,feature,features,includes', ({ dice }) => dice.pick(['foundation', 'advanced'])],
  ['regex,pattern', ({ dice }) => dice.pick(['^CN=.*\\.campus\\.example$', '^hq-', '^(hq|depot)-ap-'])],
  ['html,page,login page', () => '<h1>Guest access</h1><p>Sign in with the code that you received.</p>'],
  ['button text,submit label', () => 'Sign in with campus account'],
  ['missing texts,missing variables,placeholders,unknown placeholders,text key', pick(TEXT_KEYS)],
  [
    'line,lines,missing lines,extra lines,template text,negation template text,rendered,diff,cmd,cmds,config cmds,before,after,intended',
    pick(CONFIG_LINES),
  ],
  ['config path,node,node path', pick(CONFIG_PATHS)],
  [
    'signing request,csr',
    ({ dice }) => `-----BEGIN CERTIFICATE REQUEST-----\nMIIB${dice.base32(56)}\n-----END CERTIFICATE REQUEST-----`,
  ],
  ['auth source,directory', ({ dice }) => dice.pick(['campus-directory', 'guest-accounts', 'device-registry'])],
  ['forbidden word,forbidden words', ({ dice }) => dice.pick(['password', 'campus', 'harbour'])],
  ['ip,address,ip address,source,destination,src,dst,gateway,next hop,server,target,endpoint,host,ip_address', address],
  ['subnet,network,prefix,networks,prefixes,route,routes', network],
  ['domain,fqdn,realm,dns name,search domain,san,host pattern,proxy', host],
  [
    'id,key,external id,resource id,object id,entity id,client id,user id,site id,token,uid,reference,next,cursor,scope id,clientid,debug id',
    identifier,
  ],
  ['interval,window,granularity,duration,period', duration],
  ['file content,picture,photo,content base 64,data,payload,blob,logo', encoded],
  ['template,body', ({ dice }) => `hostname %hostname%\nntp server ntp.campus.example\nvlan ${dice.int(2, 40) * 10}`],
  [
    'config,configuration,cli,output,running config,command output,text',
    (field) => `hostname ${deviceName(field)}\nntp server ntp.campus.example\nvlan ${field.dice.int(2, 40) * 10}`,
  ],
  ['image,image file,image name', ({ dice }) => `AX_${dice.pick(RELEASES)}.swi`],
  [
    'command,commands',
    ({ dice }) => dice.pick(['show version', 'show interfaces', 'show lldp neighbours', 'show clients']),
  ],
  ['user agent', () => 'Mozilla/5.0 (X11; Linux x86_64)'],
  [
    'attribute,field,column,columns,fields,metric,dimension,dimensions,setting,property,key attribute',
    ({ dice }) => dice.pick(['department', 'status', 'vlan', 'role', 'site', 'severity']),
  ],
  [
    'value,values,default value,expected,actual,allowed values,state,old value,new value,found,running,ours,theirs',
    ({ dice }) => dice.pick(['enabled', 'disabled', 'staff', 'guest', '20', 'wpa3-enterprise']),
  ],
  ['banner,footer,terms text,terms,footer text,wording', () => 'Authorised use only. Use of this network is recorded.'],
  [
    'vrf,routing instance,fabric name,policy,policy name,profile,profile name,pool,pool name,alias,domain name,list name,acl name,template name,name,tunnel name,acc name,accname,profilename,route map,import map,export map,map,acl,cluster,tunnel,apn,instance,section,session',
    objectName,
  ],
  ['language,locale', ({ dice }) => dice.pick(['en', 'ga', 'de', 'fr'])],
  ['currency', () => 'EUR'],
  ['colour,color', ({ dice }) => dice.pick(['blue', 'grey', 'green', 'amber'])],
];

/** Pools a field may draw from, by its ending of one to three words. */
const byEnding = endingTable(ENDINGS);

/** What fills a field whose name says nothing that is known: an ordinary name in a configuration. */
const COMMON = ['standard', 'default', 'primary', 'campus', 'branch', 'shared', 'staff', 'guest'] as const;

/** How a field of that name is filled; undefined where no ending of up to three words is known. */
const drawOf = (words: readonly string[]): Draw | undefined =>
  atLongestEnding(words, 3, (ending) => byEnding.get(ending) ?? byEnding.get(ending.replace(/s$/, '')));

/** Whether the name says what the text is. */
export const hasTextType = (words: readonly string[]): boolean => drawOf(words) !== undefined;

/** A text that fits the name of the field; the caller sees to length and pattern. */
export const textFor = (field: TextField): string => drawOf(field.words)?.(field) ?? field.dice.pick(COMMON);

/** A mail address of the person whom the row is about. */
export const mailFor: Draw = (field) => {
  const { given, family } = personOf(field);
  return `${given}.${family}@campus.example`.toLowerCase();
};

export const hostFor: Draw = host;
export const addressFor: Draw = address;
export const networkFor: Draw = network;

const DAY = 86_400_000;
const AHEAD =
  /^(expires?|expiry|expiration|expired|until|next|due|renewal?|upcoming|planned|scheduled|ends?|exhausted|exhaustion)$/;
const TO_COME = /(not after|valid to|active to|effective to|end of (life|sale|support|software|maintenance))/;
const LONG_AGO =
  /^(created|added|registered|installed|purchased|activated|issued|manufactured|onboarded|enrolled|released)$/;

/** Milliseconds of a moment that fits the name: ahead for an expiry, long ago for a creation, else within the last three weeks; whole seconds. */
export function momentFor({ words, dice }: TextField, nowMs: number): number {
  const daysAway =
    words.some((word) => AHEAD.test(word)) || TO_COME.test(words.join(' '))
      ? dice.int(3, 380)
      : words.some((word) => LONG_AGO.test(word))
        ? -dice.int(30, 700)
        : -dice.unit() * 20;
  return Math.floor((nowMs + daysAway * DAY - dice.int(60_000, DAY)) / 1000) * 1000;
}

/** Texts of fixed forms, for a field whose pattern none of its own draws fits. */
const FORMS: readonly Draw[] = [
  mailFor,
  (field) => cityOf(field).code,
  (field) => login(personOf(field)),
  (field) => field.dice.pick(RELEASES).split('.').slice(0, 3).join('.'),
  address,
  network,
  host,
  objectName,
  ({ dice }) => dice.pick(INTERFACES),
  phone,
  ({ dice }) => `${String(dice.int(6, 20)).padStart(2, '0')}:${dice.pick(['00', '15', '30'])}`,
];

/** One draw of every form, from the likeliest on. */
export const formsFor = (field: TextField): string[] => FORMS.map((draw) => draw(field));

/** The name of the at-th object of its kind: `hq-syslog-server`, and from the eleventh on `hq-syslog-server-2`. */
export function nameInTurn(resource: string, at: number, longest: number, field: readonly string[] = []): string {
  const own = ownNames(field.at(-1) ?? '')[at];
  if (own !== undefined && own.length <= longest) return own;
  const round = Math.floor(at / PLACES.length);
  const ending = round === 0 ? '' : `-${round + 1}`;
  const name = [PLACES[at % PLACES.length], ...nounOf(resource).slice(-2)].join('-');
  return name.slice(0, longest - ending.length).replace(/-$/, '') + ending;
}

/** What an address, name or link of a standard format is for, where the field's name says it; else undefined. */
export function formattedFor(format: string, field: TextField): string | undefined {
  const { words, dice } = field;
  const says = (test: RegExp) => words.some((word) => test.test(word));
  if (format === 'ipv4' || format === 'ip') {
    if (says(/^(mask|netmask|destmask)$/)) return dice.pick(['255.255.255.0', '255.255.252.0', '255.255.255.128']);
    if (says(/^(public|external|wan)$/)) return `${dice.pick(['203.0.113', '198.51.100'])}.${dice.int(2, 250)}`;
  }
  if (format === 'host' || format === 'fqdn' || format === 'hostname') return namedHost(says);
  return format === 'url' || format === 'uri' ? namedUrl(says, dice) : undefined;
}

type Says = (test: RegExp) => boolean;

function namedHost(says: Says): string | undefined {
  if (says(/^(realm|suffix|domain|match)$/)) return 'campus.example';
  if (says(/^(controller|gateway)$/))
    return says(/^(backup|secondary|standby)$/) ? 'gw-2.campus.example' : 'gw-1.campus.example';
  if (says(/^(syslog|log|logging)$/)) return 'syslog.campus.example';
  if (says(/^(ntp|time)$/)) return 'ntp.campus.example';
  if (says(/^(ldap|directory)$/)) return 'ldap.campus.example';
  if (says(/^(radius|auth|authentication)$/)) return 'radius-1.campus.example';
  return says(/^(mail|smtp)$/) ? 'mail.campus.example' : undefined;
}

function namedUrl(says: Says, dice: Dice): string | undefined {
  if (says(/^proxy$/)) return 'http://proxy.campus.example:3128';
  if (says(/^(download|file|recording|report|export)$/)) return `https://files.campus.example/${dice.hex(6)}.csv`;
  if (says(/^(image|picture|logo|photo)$/)) return `https://files.campus.example/${dice.hex(6)}.png`;
  if (says(/^(acs|sso|logout|saml|idp)$/))
    return `https://login.campus.example/saml/${says(/^logout$/) ? 'slo' : 'acs'}`;
  if (says(/^(webhook|callback|notify)$/)) return `https://hooks.campus.example/${dice.hex(6)}`;
  return says(/^(portal|page|splash)$/) ? 'https://portal.campus.example/guest' : undefined;
}

/** `20-29` or `8080`: a number or an ascending range for a pattern that takes both. */
export function rangeFor({ words, dice }: TextField): string {
  const most = words.some((word) => /vlan/.test(word)) ? 400 : 9000;
  const first = dice.int(1, most / 10) * 10;
  return dice.chance(0.5) ? String(first) : `${first}-${first + dice.int(1, 9)}`;
}

/** Names of what a field holds that is no object of the network: applications and logins. */
function ownNames(word: string): readonly string[] {
  if (/^(application|app|service)$/.test(word)) return APPLICATIONS;
  return /^(user|username|login|owner)$/.test(word) ? LOGINS : [];
}

const LOGINS = GIVEN_NAMES.map((given, at) =>
  login({ given, family: FAMILY_NAMES[at % FAMILY_NAMES.length] as string }),
);
