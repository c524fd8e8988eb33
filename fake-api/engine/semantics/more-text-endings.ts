/** Further last words of field names, and the text that a field of this name holds: rules, software, messages, radio. */
import { VLANS } from './address-plan.ts';
import { hostFor as host, networkFor as network } from './hosts.ts';
import { kindOf } from './kind-names.ts';
import { cityOf } from './person.ts';
import {
  address,
  armoured,
  attribute,
  bodyFor,
  type Draw,
  deviceName,
  distinguished,
  duration,
  encoded,
  expression,
  familyOf,
  fileByKind,
  identifier,
  keyText,
  objectName,
  path,
  pem,
  phone,
  pick,
  SERIALS,
  subjectFor,
  userName,
  valueText,
} from './text-draws.ts';
import { CONFIG_LINES, CONFIG_PATHS, INTERFACES, RELEASES, SERVICE_HOSTS, TEXT_KEYS } from './word-pools.ts';

export const MORE_ENDINGS: readonly (readonly [endings: string, draw: Draw])[] = [
  [
    'mask,mac mask',
    ({ dice }) => dice.pick(['ff:ff:ff:00:00:00', 'ff:ff:ff:ff:ff:ff', 'FF:FF:FF:00:00:00', 'FF:FF:FF:FF:FF:FF']),
  ],
  ['path,href,request', path],
  [
    'file path,folder,directory,directory path',
    ({ dice }) => `/exports/2026/${dice.pick(['inventory', 'audit', 'clients'])}`,
  ],
  [
    'file name,filename,file,report name',
    (field) =>
      fileByKind(field) ??
      (/configlet/.test(String(field.row[2]))
        ? 'snmpd.conf'
        : /backup|snapshot/.test(String(field.row[2]))
          ? `backup-2026-0${field.dice.int(1, 2)}-${field.dice.int(10, 28)}.tar.gz`
          : `${field.dice.pick(['inventory', 'audit', 'clients', 'roster', 'invoices', 'floor-plan'])}-2026-0${field.dice.int(1, 2)}.${field.dice.pick(['csv', 'csv', 'pdf'])}`),
  ],
  ['subject,certificate subject,dn', subjectFor],
  ['common name,cert cn,subject cn', ({ dice }) => `${dice.pick(SERVICE_HOSTS)}.harbour.example`],
  ['subject c', () => 'IE'],
  ['subject o', () => 'Harbour Campus'],
  ['subject format', () => 'CN={username},O=Harbour Campus'],
  ['issuer,issued by', () => 'CN=Harbour Campus Issuing CA 1,O=Harbour Campus,C=IE'],
  ['base dn,bind dn,admin dn,basedn,binddn,admindn', distinguished],
  ['section condition', () => "role in ['leaf']"],
  ['filter,query,condition,expression,group filter,filter text', expression],
  [
    'match',
    ({ dice }) => dice.pick(['tcp any any eq 443', 'udp any any eq 53', 'any 10.10.0.0/16', 'tcp any 10.10.20.0/24']),
  ],
  ['certificate,pem,chain,idp cert,public key,cert,body key', pem],
  ['phone,phone number,mobile,telephone', phone],
  [
    'serial,serial number,serialnumber',
    ({ dice, words, row }) =>
      `${SERIALS[familyOf([...words, ...kindOf(String(row[2] ?? ''))]) ?? 'ap']}${dice.base32(8)}`,
  ],
  ['number,order number', ({ dice }) => `ORD-${dice.int(10_000, 99_999)}`],
  ['po number,po', ({ dice }) => `PO-${dice.int(10_000, 99_999)}`],
  ['case number,ticket number,ticket', ({ dice }) => `INC-${dice.int(10_000, 99_999)}`],
  ['auth method,authentication method', ({ dice }) => dice.pick(['EAP-TLS', 'PEAP', 'MAC-auth'])],
  ['bypass,no proxy', ({ dice }) => dice.pick(['*.harbour.example', '10.0.0.0/8', 'localhost'])],
  ['sender,sender name', () => 'Campus Wi-Fi'],
  ['mac,bssid,hardware address', ({ dice }) => dice.mac()],
  ['code,error code,errorcode,claim code', ({ dice }) => `E${dice.int(1001, 1099)}`],
  ['units,unit', ({ dice }) => dice.pick(['%', '%', 'ms'])],
  ['tier,license,licence,feature,features,includes', ({ dice }) => dice.pick(['foundation', 'advanced'])],
  ['regex,pattern', ({ dice }) => dice.pick(['^CN=.*\\.harbour\\.example$', '^hq-', '^(hq|depot)-ap-'])],
  ['html,page,login page', () => '<h1>Guest access</h1><p>Sign in with the code that you received.</p>'],
  ['button text,submit label', () => 'Sign in with campus account'],
  ['missing texts,missing variables,placeholders,unknown placeholders,text key', pick(TEXT_KEYS)],
  [
    'line,lines,missing lines,extra lines,template text,negation template text,rendered,diff,cmd,cmds,config cmds,before,after,intended',
    pick(CONFIG_LINES),
  ],
  ['config path,node,node path', pick(CONFIG_PATHS)],
  ['signing request,csr', (field) => armoured('CERTIFICATE REQUEST', 8, field)],
  ['auth source,directory', ({ dice }) => dice.pick(['campus-directory', 'guest-accounts', 'device-registry'])],
  ['forbidden word,forbidden words', ({ dice }) => dice.pick(['password', 'campus', 'harbour'])],
  [
    'ip,address,ip address,source,destination,src,dst,gateway,next hop,target,endpoint,host,ip_address,dest,lost at,hop',
    address,
  ],
  ['subnet,network,prefix,networks,prefixes,route,routes', network],
  [
    'domain,domains,email domain',
    ({ dice, row }) =>
      dice.pick(
        /dns|web|log|domain|threat|traffic|sum|url/.test(String(row[2]))
          ? [
              'meetings.example.net',
              'updates.example.com',
              'files.example.org',
              'intranet.harbour.example',
              'news.example.net',
            ]
          : ['harbour.example', 'harbour.example', 'clinic.example'],
      ),
  ],
  [
    'mapping from,claim,source attribute',
    ({ dice }) => dice.pick(['department', 'manager', 'memberOf', 'mail', 'title']),
  ],
  ['x source', () => 'campus-network'],
  ['site code', ({ dice }) => dice.pick(['HQ01', 'DEP02', 'CLI03'])],
  ['pattern text,patterns text', ({ dice }) => dice.pick(['patient number', 'account number', 'confidential'])],
  [
    'triage contents,contents',
    ({ dice }) => dice.pick(['sensor.log', 'radio-scan.csv', 'dhcp-trace.pcap', 'settings.json']),
  ],
  ['allowed tenants,tenant id', ({ dice }) => dice.pick(['harbour.example', '7c1f8f0e-campus'])],
  ['driver version', () => '23.40.0.4'],
  ['fqdn,realm,dns name,search domain,san,host pattern,proxy', host],
  [
    'id,external id,resource id,object id,client id,user id,site id,token,uid,reference,next,cursor,scope id,clientid,debug id',
    identifier,
  ],
  ['key', keyText],
  ['control', ({ dice }) => dice.pick(['Access control', 'Encryption at rest', 'Patch level', 'Log retention'])],
  ['cost centre,cost center', ({ dice }) => dice.pick(['4410', '4420', '4475'])],
  [
    'entity id',
    (field) => (field.words.length > 1 ? 'https://login.harbour.example/saml/metadata' : identifier(field)),
  ],
  ['leaf,spine,busiest leaf', deviceName],
  ['point,assigned point', pick(INTERFACES)],
  ['worst domain,hostile domain', ({ dice }) => dice.pick(['update-check.example.net', 'login-verify.example.org'])],
  ['chassis,chassis id', ({ dice }) => dice.mac()],
  ['row', ({ dice }) => dice.pick(['A1', 'B2', 'C1'])],
  ['cabinet', ({ dice }) => dice.pick(['C01', 'C02', 'C07'])],
  ['hall', ({ dice }) => dice.pick(['Hall A', 'Hall B'])],
  ['vm,virtual machine', ({ dice }) => dice.pick(['srv-app-01', 'srv-db-02', 'srv-web-03', 'srv-mail-01'])],
  ['principal', userName],
  [
    'rule',
    ({ dice }) =>
      dice.pick([
        'Time servers are set',
        'Management only over SSH',
        'No default SNMP community',
        'Guards on access ports',
      ]),
  ],
  [
    'rationale,why',
    ({ dice }) =>
      dice.pick([
        'Management in plain text can be read on the wire',
        'Logs without the right time cannot be compared',
        'A wrong cable must not close a loop',
      ]),
  ],
  ['interval,window,granularity,duration,period', duration],
  [
    'start,start time,off time,on,off,upgrade time,time of day,end,from time,until time',
    ({ dice }) => `${String(dice.int(6, 22)).padStart(2, '0')}:${dice.pick(['00', '15', '30'])}`,
  ],
  ['mon,tue,wed,thu,fri', ({ dice }) => dice.pick(['07:00-19:00', '08:00-18:00', '06:30-20:00'])],
  ['sat,sun', ({ dice }) => dice.pick(['09:00-13:00', '10:00-16:00'])],
  ['month', ({ dice }) => `2026-0${dice.int(1, 2)}`],
  [
    'cron,schedule',
    ({ dice }) => `${dice.pick(['0', '15', '30'])} ${dice.int(1, 5)} * * ${dice.pick(['*', '0', '1-5'])}`,
  ],
  ['channel pairs 40,pairs 40', ({ dice }) => dice.pick(['36-40', '44-48', '52-56', '100-104', '149-153', '157-161'])],
  ['channel groups 80,groups 80', ({ dice }) => dice.pick(['36-48', '52-64', '100-112', '149-161'])],
  ['port span,port range', ({ dice }) => dice.pick(['1-24', '25-48', '49-54', '1-8'])],
  ['colour,color,primary,background', ({ dice }) => dice.pick(['#1f4e79', '#2e7d32', '#5d4037', '#f4f6f8'])],
  ['ethertype', ({ dice }) => dice.pick(['0x0800', '0x0806', '0x86dd', '0x888e', '0x88cc'])],
  ['alpha 2,isocc,override,country override', (field) => cityOf(field).code],
  [
    'slug',
    (field) =>
      objectName(field)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-'),
  ],
  ['community,rd,origin,route target', ({ dice }) => `65010:${dice.int(1, 40) * 10}`],
  ['file content,picture,photo,content base 64,data,payload,blob,logo', encoded],
  ['template,body', bodyFor],
  [
    'config,configuration,cli,output,running config,command output,log tail',
    (field) => `hostname ${deviceName(field)}\nntp server ntp.harbour.example\nvlan ${field.dice.pick(VLANS)}`,
  ],
  ['image,image file,image name', ({ dice }) => `AX_${dice.pick(RELEASES)}.swi`],
  [
    'command,commands',
    ({ dice, row }) =>
      /install/.test(String(row))
        ? 'sudo sh install-connector.sh --key KEY'
        : dice.pick(['show version', 'show interfaces', 'show lldp neighbours', 'show clients']),
  ],
  ['user agent', () => 'Mozilla/5.0 (X11; Linux x86_64)'],
  [
    'attribute,field,column,columns,fields,metric,dimension,dimensions,setting,property,key attribute,attribute name,field name',
    attribute,
  ],
  ['header header,header name,header key', ({ dice }) => dice.pick(['Content-Type', 'Accept', 'X-Source'])],
  ['header value', ({ dice }) => dice.pick(['application/json', 'campus-nac'])],
  [
    'profile category,device category',
    ({ dice }) => dice.pick(['Computer', 'Smart device', 'Medical device', 'Printer']),
  ],
  [
    'profile product,device product',
    ({ dice }) => dice.pick(['Alder Phone 9', 'Brightline Book 14', 'Castor Pump 3', 'Delta Badge 2']),
  ],
  ['url,uri', ({ dice }) => dice.pick(['/api/v1/devices', '/api/v1/sessions', '/hooks/network'])],
  [
    'urls,web pages,pages',
    ({ dice }) => dice.pick(['intranet.harbour.example', '*.clinic.example', 'files.harbour.example/public']),
  ],
  ['hours,opening hours', () => '08:00-18:00'],
  ['vlan id,vlan ids', ({ dice }) => String(dice.pick(VLANS))],
  [
    'active,inactive',
    (field) =>
      /template/.test(String(field.row[2]))
        ? field.dice.pick(['banner', 'logging', 'snmp', 'timeServers', 'dnsServers', 'localUsers'])
        : objectName(field),
  ],
  [
    'value,values,default value,expected,actual,allowed values,old value,new value,found,running,ours,theirs,operand,default',
    valueText,
  ],
  ['banner,footer,terms text,terms,footer text,wording', () => 'Authorised use only. Use of this network is recorded.'],
  [
    'label,vrf,vrf name,routing instance,fabric name,policy,policy name,profile,profile name,pool,pool name,alias,domain name,list name,acl name,template name,name,tunnel name,acc name,accname,profilename,route map,import map,export map,map,acl,cluster,tunnel,apn,instance,section,session,menu,scope,svc,rname,pname,dstname,svcname,parent',
    objectName,
  ],
  [
    'classifier,symptom',
    ({ dice }) => dice.pick(['weak signal', 'no DHCP answer', 'slow DNS', 'authentication failed', 'roaming loop']),
  ],
  ['cve,cves', ({ dice }) => `CVE-202${dice.int(4, 5)}-${dice.int(10_100, 48_900)}`],
  ['threat,malware', ({ dice }) => dice.pick(['Trojan.Agent', 'Phishing.Form', 'Miner.Script'])],
  ['cipher,encrypt algo', ({ dice }) => dice.pick(['aes-256-gcm', 'aes-128-gcm', 'aes-256-cbc'])],
  ['algo,auth algo', ({ dice }) => dice.pick(['sha256', 'sha384'])],
  ['language,locale', ({ dice }) => dice.pick(['en', 'ga', 'de', 'fr'])],
  ['currency', () => 'EUR'],
  [
    'feedback',
    ({ dice }) => dice.pick(['Works well on our switches', 'Charts load slowly', 'Please add export to CSV']),
  ],
  ['colour name,color name', ({ dice }) => dice.pick(['blue', 'grey', 'green', 'amber'])],
];
