/** Numbers that a network shows for a field of that name, inside the range of its schema. */
import type { Schema } from '../openapi/openapi-document.ts';
import type { Dice } from '../state/determinism.ts';
import { atLongestEnding, endingTable } from './field-name-words.ts';
import { between, few, level, magnitude, type NumberDraw, near, oneOf, type Range, scaled } from './number-draws.ts';
import { saidNumber } from './said-number.ts';

const UPTIME = between(86_400, 7_000_000);
const COUNTED = few(40);
const TRAFFIC = magnitude(30, 40_000);
const CEILING = oneOf(10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000);
const GOOD_SHARE = between(93, 100);
const UP_SHARE = between(99.1, 100);
/** A rating in points of a hundred, else a count. */
const RATED: NumberDraw = (dice, range) => (range.most === 100 ? between(72, 97) : few(40))(dice, range);
const SECONDS = oneOf(5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 86_400);

/** Words at the end of a name, longest ending first: `password min length` is asked for before `length`. */
const BY_ENDING: readonly (readonly [endings: string, draw: NumberDraw])[] = [
  ['uptime in millis,uptime ms,uptime millis', scaled(UPTIME, 1000)],
  ['uptime,uptime seconds,up seconds', UPTIME],
  ['min length,minimum length,minimum len,passphrase length,password length', oneOf(8, 10, 12, 14, 16)],
  ['minimum digits,minimum upper,minimum lower,minimum special,minimum classes', oneOf(0, 1, 2)],
  [
    'http status code,status code,response code,httpstatuscode',
    oneOf(200, 200, 200, 201, 204, 400, 401, 404, 429, 503),
  ],
  ['port id,port number,port index', between(1, 48)],
  ['sport,source port', between(49_152, 65_535)],
  ['port priority', oneOf(128, 32_768)],
  ['auth server port,auth port,radius port,server port', oneOf(1812)],
  ['acct server port,acct port,accounting port', oneOf(1813)],
  ['coa server port,coa port,das port', oneOf(3799)],
  ['target port,syslog port,log port', oneOf(514)],
  ['dport,destination port,dst port', oneOf(443, 443, 443, 53, 80, 3478, 5060, 8443, 123)],
  ['dport,port,ports,listen port', oneOf(443, 1812, 1813, 514, 123, 53, 8443, 49, 636, 4343)],
  ['proto,protocol,protocol number', oneOf(6, 17, 1)],
  ['day bytes,daily bytes,hour bytes,monthly bytes', magnitude(500_000_000, 50_000_000_000)],
  ['size bytes,file size,bytes per run', magnitude(200_000, 400_000_000)],
  ['cpu cores,cores', oneOf(2, 4, 8, 16)],
  ['size mb,size megabytes', between(40, 190)],
  ['bytes', magnitude(400_000, 60_000_000_000)],
  ['packets,frames', magnitude(900, 80_000_000)],
  ['kbps', magnitude(800, 200_000)],
  ['bps', magnitude(800_000, 900_000_000)],
  ['mbps', magnitude(2, 900)],
  ['rows', magnitude(1000, 500_000_000)],
  ['mtbf,mtbf hours', magnitude(60_000, 400_000)],
  ['faults,reboots,unplanned,restarts,crashes,flaps,flap count', few(7)],
  [
    'adjacencies up,adjacencies,full neighbours,full neighbors,neighbours,neighbors,peers up,sessions up,hubs,connected collectors,tunnels up,ports held down,phase 2 count',
    between(1, 4),
  ],
  ['adjacencies down,peers down,sessions down,hubs down,duplicate macs,config differences', few(2)],
  [
    'trips,violations,switchovers,failovers,transitions,overruns,wraps,mismatches,overload events,rate exceeded',
    few(4),
  ],
  ['stratum', between(2, 4)],
  ['offset ms,clock offset ms,clock offset', between(0, 4)],
  ['rpm', between(2500, 9000)],
  ['watts', between(4, 26)],
  ['kwh', between(1, 40)],
  ['celsius,temperature', between(31, 52)],
  ['humidity', between(35, 55)],
  ['latitude', between(53.2, 54.2)],
  ['longitude', between(-6.5, -6.2)],
  ['retry rate,retry percent,retries percent', between(1, 9)],
  ['rate', oneOf(1, 2, 5, 10, 20, 50, 100, 256, 512)],
  ['mw,budget mw,poe budget mw', magnitude(60_000, 740_000)],
  ['rssi,rssi dbm,signal,signal dbm,signal db,signal strength,mean rssi,avg rssi,rx power,rx dbm', level(-74, -46)],
  ['noise,noise floor,noise dbm,noise floor dbm', level(-97, -88)],
  ['snr,snr db', between(18, 44)],
  ['gain,antenna gain,ant gain', between(2, 6)],
  ['optical power,rx optical power,tx optical power,light level', level(-9, -2)],
  ['eirp,dbm,tx power,power', between(9, 21)],
  ['mos', between(3.6, 4.5)],
  ['quality', between(2, 5)],
  ['jitter,jitter ms,variation ms', between(1, 9)],
  ['latency,latency ms,rtt,rtt ms,roundtrip ms,round trip ms,delay ms,response ms', between(4, 60)],
  ['interval ms,hold time ms,timeout ms,backoff ms', oneOf(100, 250, 500, 1000, 2000, 5000)],
  ['ms,millis,milliseconds', between(5, 180)],
  [
    'compliance,adoption,success,success percent,success rate,healthy percent,covered percent,compliant percent,passed percent,reachable percent,met percent,online percent,delivered percent,success ratio,coverage percent,coverage',
    GOOD_SHARE,
  ],
  ['availability,availability percent,available percent,uptime percent,availability ratio,availability up', UP_SHARE],
  ['capacity watts,rated watts,supply watts', oneOf(350, 600, 1100)],
  ['session port,nat port', between(49_152, 65_535)],
  ['plan score,score after', between(84, 97)],
  ['score before', between(61, 83)],
  ['swap,swap percent,wait percent,iowait', between(0, 3)],
  ['idle,idle percent,cpu idle', between(58, 92)],
  ['cpu,cpu percent,cpu utilisation,cpu utilization,cpu load,user,system', between(3, 38)],
  ['memory percent,memory utilisation,memory utilization,disk percent,disk usage,storage percent', between(31, 72)],
  [
    'loss percent,error percent,drop percent,loss,packet loss,rx loss,tx loss,loss ratio,error rate,max loss',
    between(0, 2),
  ],
  ['change since last,since last,growth,change,delta,growth per month,change percent', between(-8, 12)],
  ['percent,pct,utilization,utilisation,ratio', between(8, 64)],
  ['share', between(8, 64)],
  ['cvss,cvss score', between(4.3, 9.1)],
  ['percentile', between(22, 88)],
  ['completeness', between(91, 100)],
  ['port 1,source port number', between(49_152, 65_535)],
  ['port 2,service port', oneOf(443, 443, 53, 80, 5060, 8443)],
  ['arrivals,departures,joined,left', between(2, 9)],
  ['rows per day', magnitude(20_000, 4_000_000)],
  ['contract value', magnitude(2000, 90_000)],
  ['unit price,list price', magnitude(20, 400)],
  ['discount percent,discount', oneOf(0, 5, 10, 15, 20)],
  ['size kb,image size', magnitude(40_000, 900_000)],
  ['retransmits,crc errors,input errors', few(40)],
  ['score,health,rating,experience,health points,mean score', between(72, 97)],
  ['overall,services,wireless,roaming,usability', RATED],
  ['path loss', between(58, 92)],
  ['confidence,confidence percent', between(72, 97)],
  ['frequency,wait', oneOf(2, 3, 4, 5)],
  ['pause', oneOf(3, 5, 10, 15)],
  ['age seconds', oneOf(4, 11, 26, 47, 83, 128, 190, 274)],
  ['seconds,timeout,interval,timer,hold time', SECONDS],
  ['minutes', oneOf(5, 10, 15, 30, 60, 120, 240, 480, 1440)],
  ['hours', oneOf(1, 4, 8, 12, 24, 48, 168)],
  ['days', oneOf(7, 14, 30, 60, 90, 180, 365)],
  ['remembered', oneOf(3, 5, 10)],
  ['channel a,band 5 channels,channels 5', oneOf(36, 40, 44, 48, 52, 56, 100, 104, 149, 153)],
  ['channel g,band 24 channels,channels 24,channel 24', oneOf(1, 6, 11)],
  ['channel 6,band 6 channels,channels 6', oneOf(5, 21, 37, 53, 69, 85)],
  ['channels,allowed channels', oneOf(36, 40, 44, 48, 1, 6, 11)],
  ['channel', oneOf(36, 40, 44, 48, 52, 100, 104, 149, 1, 6, 11)],
  ['vlan,vlan id,vlans,vlan ids,native vlan,vid', oneOf(10, 20, 30, 40, 50, 60, 100, 110, 120, 200)],
  ['asn,as', oneOf(65_010, 65_020, 65_030, 64_512)],
  ['dscp', oneOf(0, 8, 10, 18, 26, 34, 46)],
  ['cos,dot 1 p,dot1p', oneOf(0, 3, 5, 6)],
  ['mtu', oneOf(1500, 9000, 1400, 9198)],
  ['speed,speed mbps,link speed', oneOf(1000, 2500, 10_000, 100, 25_000)],
  ['priority,precedence,order', oneOf(1, 10, 20, 30, 50, 100, 32_768)],
  ['retries,attempts', between(2, 5)],
  ['cost,price,amount,net total,gross total,invoice total,spent', magnitude(20, 20_000)],
  ['per year', magnitude(20, 20_000)],
  ['year', oneOf(2025, 2026)],
  ['floor', between(0, 3)],
  ['revision,version', few(14)],
  ['progress', oneOf(20, 45, 60, 80, 100)],
  ['hits,queries,lookups,look ups,messages,sent,received,events,records,requests,flows,accepts,answers', TRAFFIC],
  ['limit,ceiling,quota,capacity,seats,max clients,table size', CEILING],
  ['position,rank,place,slot,hop,sequence,step,choice', few(8)],
  ['seq,line', oneOf(10, 20, 30, 40, 50, 100)],
  ['x,y', between(2, 48)],
  ['width,width metres,width m,depth metres,height m,length metres', between(12, 60)],
  ['lat', between(53.2, 54.2)],
  ['lng,lon', between(-6.5, -6.2)],
  ['weight,metric,preference', oneOf(10, 20, 50, 100)],
  ['prefix length,mask,prefix', oneOf(24, 24, 22, 26, 28)],
  ['vni', between(10_010, 10_990)],
  ['tag', oneOf(10, 20, 30, 100, 200, 300)],
  ['distance,admin distance', oneOf(1, 20, 110, 200)],
  ['hour', oneOf(1, 2, 3, 4, 9, 10, 11, 14, 22)],
  ['slow users,poor users,impacted users,affected users,affected clients,impacted devices,affected sites', few(9)],
  ['memory kb,size kb,used kb', magnitude(2_000, 90_000)],
  ['total kb,installed kb', oneOf(2_097_152, 4_194_304, 8_388_608)],
  ['memory gb,memory gigabytes', oneOf(16, 32, 64, 128)],
  ['memory mb,memory megabytes', oneOf(2048, 4096, 8192, 16_384)],
  ['occupancy limit', oneOf(10, 20, 30, 60, 120)],
  ['people,visitors,occupants', between(3, 60)],
  ['dwell,dwell minutes', between(8, 95)],
  ['count,total,number', COUNTED],
  ['quantity', oneOf(1, 2, 4, 5, 10, 20, 24, 40)],
];

const byEnding = endingTable(BY_ENDING);

/** What is rare in a network that works. */
const RATHER_LOW =
  /^(saturated|congested|overloaded|vulnerable|loss|lost|error|errors|crc|damaged|failed|failure|failures|retry|retransmits|drop|drops|dropped|late|spoofed|unmatched|discard|discards|discarded|degraded|reject|rejected|offline|missing|violation|violations|conflict|conflicts|bad|blocked|timeouts?|interference|radar|down|failing|faulty|brownouts?|blackouts?|refused|denied|unreachable|orphaned|duplicates?|impacted|unlicensed|expired|waiting|affected)$/;
/** What counts traffic: few of it is still some hundred. */
const FLOWS = /^(bytes|packets|frames)$/;
/** `views 30 days`, `flaps last 24 hours`: the span is not what is counted. */
const SPAN = / (last )?\d+ ?(minutes|hours|days|h|d)$/;

const NO_WORDS: readonly string[] = [];
/** By the words of the holder and of the name; both are the same lists each time. */
const known = new Map<readonly string[], Map<readonly string[], NumberDraw | undefined>>();

function drawOf(words: readonly string[], holder: readonly string[]): NumberDraw | undefined {
  const ofHolder = known.get(holder) ?? new Map<readonly string[], NumberDraw | undefined>();
  known.set(holder, ofHolder);
  if (ofHolder.has(words)) return ofHolder.get(words);
  const draw = lookUp(words.join(' ').replace(SPAN, '').split(' '), holder);
  ofHolder.set(words, draw);
  return draw;
}

function lookUp(words: readonly string[], holder: readonly string[]): NumberDraw | undefined {
  const low = words.some((word) => RATHER_LOW.test(word));
  if (low && words.some((word) => FLOWS.test(word)))
    return words.at(-1) === 'bytes' ? magnitude(1000, 400_000) : few(400);
  if (words[0] === 'num') return few(low ? 6 : 40);
  // `denied ports` are counted, `tcp ports` are numbers of ports.
  if (
    words.length > 1 &&
    words.at(-1) === 'ports' &&
    !/^(tcp|udp|destination|source|server|listen)$/.test(words.at(-2) ?? '')
  )
    return few(low ? 4 : 24);
  const draw = atLongestEnding([...holder, ...words], 4, (ending) => byEnding.get(ending));
  return low && (draw === COUNTED || draw === TRAFFIC) ? few(6) : draw;
}

/** A range of at most this many values is drawn evenly where the name says nothing. */
const NARROW = 200;
/** What a number without an upper bound hardly exceeds where the name says nothing. */
const OPEN = 1000;
/** Draws that know the kind of a number and not its unit. */
const VAGUE: ReadonlySet<NumberDraw> = new Set([SECONDS, COUNTED, TRAFFIC, CEILING]);

/** Whether the name says what the number is. */
export const hasNumberType = (words: readonly string[]): boolean => drawOf(words, NO_WORDS) !== undefined;

/** Ports by what listens: words of the object, its holder and the field. */
const LISTENERS: readonly (readonly [test: RegExp, port: number])[] = [
  [/\b(e?mail|smtp)\b/, 587],
  [/\bproxy\b/, 3128],
  [/\bsyslog\b/, 514],
  [/\bldaps?\b/, 636],
  [/\btacacs\b/, 49],
  [/\bsnmp\b/, 161],
  [/\bntp\b/, 123],
  [/\bdns\b/, 53],
  [/\b(radsec)\b/, 2083],
  [/\b(coa|das|dynamic auth(orization)?|rfc 3576)\b/, 3799],
  [/\b(radius|auth server)\b/, 1812],
  [/\b(netflow|ipfix|flow|collector)\b/, 2055],
  [/\b(ssh|scp|sftp|backup)\b/, 22],
  [/\b(hypervisor|vcenter|portal|web ?hook|siem|cloud|web server|https)\b/, 443],
];

/** The port on which something of that name listens; undefined where the name says nothing. */
export function listenerPort(words: string, { minimum = 0, maximum = 65_535 }: Schema): number | undefined {
  const [, port] = LISTENERS.find(([test]) => test.test(words)) ?? [];
  return port !== undefined && port >= minimum && port <= maximum ? port : undefined;
}

/** A number for the field, not yet snapped to the schema's step. `holder` are the words of the object that the field stands in. */
export function numberFor(
  words: readonly string[],
  schema: Schema,
  dice: Dice,
  holder: readonly string[] = NO_WORDS,
): number {
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
  const stated = schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - 1);
  const named = drawOf(words, holder);
  const open = { least, most: stated ?? Number.MAX_SAFE_INTEGER };
  if (named !== undefined && !VAGUE.has(named)) return named(dice, open);
  const usual = schema.default;
  if (typeof usual === 'number' && usual > 0) return near(usual)(dice, open);
  const draw = saidNumber(schema.description, stated === 100) ?? named;
  if (draw !== undefined) return draw(dice, open);
  const range = { least, most: stated ?? Math.max(least, 1) * OPEN };
  return unnamed(
    range,
    words.some((word) => RATHER_LOW.test(word)),
  )(dice, range);
}

/** What to draw where neither name nor description say what: evenly from a narrow range, else rather small. */
function unnamed({ least, most }: Range, low: boolean): NumberDraw {
  if (low) return few(6);
  if (most - least <= NARROW) return between(least, most);
  if (least >= 100) return magnitude(least, least * 50);
  return few(90);
}
