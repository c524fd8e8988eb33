/** What tests of the management cloud find out. Every figure comes from state and hash, so a test can be repeated. */
import { isoSeconds } from '../clock.ts';
import { Dice } from '../determinism.ts';
import { textList } from '../json-value.ts';
import type { Look, Subject, TaskCall, Values } from '../platform-behaviour.ts';
import { showOutput } from './mgmt-show.ts';

interface Reach {
  address: string;
  up: boolean;
  roundTripMs: number;
}

interface Test {
  /** What the operation is called, without the verb. */
  name: string;
  input: Values;
  subject: Subject | null;
  serial: string;
  look: Look;
  dice: Dice;
  now: string;
}

/** By the name of the operation; the first that matches tells the values. */
const TESTS: readonly (readonly [RegExp, (test: Test) => Values])[] = [
  [/^clientping$/, ({ subject, dice }) => echoOfClient(subject, dice)],
  [/ping$/, ({ input, look, dice }) => ping(input, look, dice)],
  [/traceroute$/, ({ input, subject, look, dice }) => traceroute(input, subject, look, dice)],
  [/nslookup$/, ({ input, look, dice }) => lookUp(input, look, dice)],
  [/https?$/, ({ input, dice }) => fetchPage(input, dice)],
  [/(aaa|testauthentication)$/, ({ input, subject, look, dice }) => login(input, subject, look, dice)],
  [
    /arptable$/,
    ({ input, serial, subject, look, now }) => ({ entries: neighbours(input, serial, subject, look), readAt: now }),
  ],
  [/mactable$/, ({ input, serial, look, now }) => ({ entries: learned(input, serial, look), readAt: now })],
  [/cabletest$/, ({ input, serial, look, dice }) => cables(input, serial, look, dice)],
  [/showcommands$/, ({ input, subject, look, now }) => ({ outputs: shown(input, subject, look), finishedAt: now })],
  [/^locate|locate$/, ({ input, look }) => lamp(input, look)],
  [/(poe|port)bounce$/, ({ name, input, serial, look }) => bounce(input, serial, look, name.endsWith('poebounce'))],
  [/speedtest$/, ({ dice }) => speed(dice)],
  [/iperf$/, ({ input, dice }) => throughput(input, dice)],
  [/channel.*test|test.*channel/, ({ dice }) => ({ outcome: 'DELIVERED', latencyMs: dice.int(60, 700) })],
];

/** Values of a test's result; what is left out is filled from the result's schema. */
export function diagnosticOutput(of: TaskCall, subject: Subject | null, look: Look): Values {
  const name = of.operationId.replace(/^(start|run|test|get)/, '').toLowerCase();
  const serial = String(subject?.values['serialNumber'] ?? '');
  const dice = new Dice(of.state.seed, 'diagnostic', of.operationId, serial, JSON.stringify(of.input));
  const now = isoSeconds(look.now());
  const test = TESTS.find(([pattern]) => pattern.test(name));
  if (test !== undefined) return test[1]({ name, input: of.input, subject, serial, look, dice, now });
  return {
    requestedAt: now,
    acknowledgedAt: now,
    classifiedAt: now,
    changedAt: now,
    reactivatedAt: now,
    'rotated-at': now,
  };
}

function speed(dice: Dice): Values {
  return {
    downloadMbps: dice.int(310, 880),
    uploadMbps: dice.int(180, 420),
    idleLatencyMs: dice.int(4, 12),
    loadedLatencyMs: dice.int(14, 48),
    usedResponder: 'nearest.speed.example',
  };
}

function throughput(input: Values, dice: Dice): Values {
  const isUdp = input['protocol'] === 'UDP';
  return {
    throughputMbps: dice.int(420, 930),
    retransmissions: isUdp ? null : dice.int(0, 60),
    jitterMs: isUdp ? dice.int(1, 9) / 10 : null,
    lostPercent: isUdp ? 0 : null,
  };
}

/** A client that is connected answers; one that is gone does not. */
function echoOfClient(subject: Subject | null, dice: Dice): Values {
  if (subject?.values['status'] !== 'CONNECTED')
    return { verdict: 'UNREACHABLE', answered: 0, meanMs: null, replies: [] };
  return { verdict: 'HEALTHY', meanMs: dice.int(2, 18) };
}

/** Where a name or address leads: to one of our devices, to a login server, or out to the internet. */
function reach(target: string, look: Look, dice: Dice): Reach {
  const wanted = target.toLowerCase();
  const device = look
    .all('devices')
    .find((row) => [row['deviceName'], row['ipv4']].some((each) => String(each).toLowerCase() === wanted));
  if (device !== undefined) {
    return { address: String(device['ipv4']), up: device['status'] === 'ONLINE', roundTripMs: dice.int(4, 19) / 10 };
  }
  const server = look
    .all('authentication-health')
    .find((row) => [row['server'], row['serverAddress']].some((each) => String(each).toLowerCase() === wanted));
  if (server !== undefined)
    return { address: String(server['serverAddress']), up: true, roundTripMs: dice.int(6, 22) / 10 };
  const isAddress = /^[0-9.]+$|:/.test(wanted);
  return {
    address: isAddress ? wanted : `198.51.100.${dice.int(2, 250)}`,
    up: !wanted.endsWith('.invalid') && !wanted.startsWith('192.0.2.'),
    roundTripMs: dice.int(60, 240) / 10,
  };
}

function ping(input: Values, look: Look, dice: Dice): Values {
  const target = reach(String(input['destination'] ?? ''), look, dice);
  const sent = Number(input['count'] ?? 5);
  const replies = Array.from({ length: sent }, (_, at) => ({
    sequence: at + 1,
    roundTripMs: target.up ? Math.round((target.roundTripMs + dice.unit()) * 10) / 10 : null,
    ttl: target.up ? 62 : null,
  }));
  const times = replies.flatMap((reply) => (reply.roundTripMs === null ? [] : [reply.roundTripMs]));
  const mean =
    times.length === 0 ? null : Math.round((times.reduce((sum, each) => sum + each, 0) / times.length) * 10) / 10;
  return {
    verdict: target.up ? 'PASSED' : 'FAILED',
    resolvedAddress: target.address,
    sent,
    received: times.length,
    lossPercent: sent === 0 ? 0 : Math.round(((sent - times.length) / sent) * 100),
    averageRoundTripMs: mean,
    replies,
  };
}

function traceroute(input: Values, subject: Subject | null, look: Look, dice: Dice): Values {
  const target = reach(String(input['destination'] ?? ''), look, dice);
  const site = subject?.values['siteId'];
  const gateway = look.all('gateways').find((row) => row['siteId'] === site);
  const first = gateway === undefined ? '10.0.0.1' : String(gateway['ipv4']);
  const hops: Values[] = [{ hop: 1, address: first, hostName: gateway?.['gatewayName'] ?? null, roundTripMs: 0.7 }];
  if (!target.address.startsWith('10.'))
    hops.push({ hop: 2, address: '203.0.113.1', hostName: 'edge.provider.example', roundTripMs: 3.4 });
  hops.push({
    hop: hops.length + 1,
    address: target.up ? target.address : null,
    hostName: target.up ? String(input['destination'] ?? '') : null,
    roundTripMs: target.up ? target.roundTripMs : null,
  });
  return { reached: target.up, hopCount: hops.length, hops };
}

function lookUp(input: Values, look: Look, dice: Dice): Values {
  const name = String(input['hostName'] ?? '');
  const target = reach(name, look, dice);
  const resolver = look.all('dns-health')[0];
  const base = {
    usedResolver: input['resolver'] ?? resolver?.['server'] ?? '10.10.10.53',
    lookupMs: Number(resolver?.['latencyMs'] ?? 9),
  };
  if (!target.up) return { ...base, outcome: 'NO_SUCH_NAME', answers: [] };
  return { ...base, outcome: 'ANSWERED', answers: [{ recordType: 'A', value: target.address, ttlSeconds: 300 }] };
}

function fetchPage(input: Values, dice: Dice): Values {
  const url = String(input['url'] ?? '');
  const fails = /\.invalid(\/|:|$)/.test(url);
  const isTls = url.startsWith('https:');
  const [dns, connect, tls, first] = [dice.int(4, 22), dice.int(6, 30), dice.int(10, 45), dice.int(20, 120)];
  return {
    outcome: fails ? 'DNS_FAILED' : 'OK',
    statusCode: fails ? null : 200,
    dnsMs: dns,
    connectMs: fails ? null : connect,
    tlsMs: fails || !isTls ? null : tls,
    firstByteMs: fails ? null : first,
    totalMs: dns + (fails ? 0 : connect + (isTls ? tls : 0) + first),
  };
}

/** The test meets the same server the clients meet: a slow one answers late, and to some accounts never. */
function login(input: Values, subject: Subject | null, look: Look, dice: Dice): Values {
  const server = String(input['serverName'] ?? subject?.values['name'] ?? '');
  const health = look.one('authentication-health', server);
  const silent = isSilent(health, dice);
  const latency = silent ? null : Number(health?.['medianLatencyMs'] ?? dice.int(14, 40));
  const reject = /^(nobody|unknown|wrong)/i.test(String(input['username'] ?? ''));
  const outcome = silent ? 'TIMEOUT' : reject ? 'REJECT' : 'ACCEPT';
  const accepted = outcome === 'ACCEPT';
  const reply = outcome === 'REJECT' ? 'Login incorrect' : null;
  return {
    outcome: 'serverName' in input ? outcome : outcome.toLowerCase(),
    responseMs: latency,
    'latency-ms': latency ?? 20_000,
    attempts: silent ? 4 : 1,
    returnedRole: accepted ? 'employee' : null,
    privilegeLevel: accepted ? 1 : null,
    replyText: reply,
    'reply-message': reply,
    attributes: accepted ? { 'Filter-Id': 'employee' } : {},
  };
}

/** A server that is not well misses as large a share of requests as its health tells. */
function isSilent(health: Values | undefined, dice: Dice): boolean {
  if (health === undefined || health['state'] === 'OK') return false;
  return dice.unit() < Number(health['timeouts'] ?? 0) / Math.max(1, Number(health['requests'] ?? 1));
}

function neighbours(input: Values, serial: string, subject: Subject | null, look: Look): Values[] {
  const site = subject?.values['siteId'];
  const rows = look
    .all('clients')
    .filter((client) => client['siteId'] === site && client['status'] === 'CONNECTED' && client['ipv4'] !== null);
  const near = rows.filter((client) => client['connectedDeviceSerial'] === serial);
  const entries = near.map((client) => ({
    address: client['ipv4'],
    mac: client['macAddress'],
    interface: `vlan${String(client['vlan'])}`,
    port: (client['connectedTo'] as Values | null)?.['port'] ?? 'lag1',
    vlan: client['vlan'],
    state: 'REACHABLE',
  }));
  return entries.filter((entry) => input['address'] === undefined || entry.address === input['address']);
}

function learned(input: Values, serial: string, look: Look): Values[] {
  return look
    .all('clients')
    .filter((client) => client['connectedDeviceSerial'] === serial)
    .map((client) => ({
      mac: client['macAddress'],
      vlan: client['vlan'],
      port: (client['connectedTo'] as Values | null)?.['port'] ?? 'lag1',
      type: 'DYNAMIC',
    }))
    .filter(
      (entry) =>
        (input['mac'] === undefined || entry.mac === input['mac']) &&
        (input['vlan'] === undefined || entry.vlan === input['vlan']),
    );
}

function interfaceRow(serial: string, port: string, look: Look): Values | undefined {
  const row = look.state.rows('mgmt', 'switch-interfaces').get(`${serial}\u001f${port.replaceAll('/', '-')}`);
  return row?.value;
}

function cables(input: Values, serial: string, look: Look, dice: Dice): Values {
  const reports = textList(input['ports']).map((port) => {
    const row = interfaceRow(serial, port, look);
    const isCopper = row?.['connector'] === 'RJ45';
    const faulty = row?.['errorReason'] === 'CABLE_FAULT';
    const length = dice.int(12, 78);
    const pairs = ['A', 'B', 'C', 'D'].map((pair) => ({
      pair,
      condition: faulty && pair === 'C' ? 'OPEN' : 'GOOD',
      faultDistanceMeters: faulty && pair === 'C' ? Math.round(length * 0.6) : null,
      lengthMeters: length,
    }));
    return { port, condition: !isCopper ? 'NOT_SUPPORTED' : faulty ? 'FAULTY' : 'GOOD', pairs: isCopper ? pairs : [] };
  });
  return { verdict: reports.every((report) => report.condition === 'GOOD') ? 'PASSED' : 'FAILED', reports };
}

function shown(input: Values, subject: Subject | null, look: Look): Values[] {
  const commands = textList(input['commands']);
  return commands.map((command) => {
    const text = showOutput(command, subject?.values ?? {}, look);
    return {
      command,
      text: text ?? `% Unknown command: ${command}`,
      exitState: text === null ? 'UNKNOWN_COMMAND' : 'OK',
    };
  });
}

function lamp(input: Values, look: Look): Values {
  if (input['action'] === 'STOP') return { ledState: 'ON', until: null };
  const until = isoSeconds(look.now() + Number(input['minutes'] ?? 5) * 60_000);
  return { ledState: input['action'] === 'STEADY' ? 'ON' : 'BLINKING', until };
}

function bounce(input: Values, serial: string, look: Look, isPower: boolean): Values {
  const pause = Number(input['offSeconds'] ?? input['downSeconds'] ?? 5);
  const bounced = textList(input['ports']).map((port) => {
    const row = interfaceRow(serial, port, look);
    const outcome =
      row === undefined ? 'NOT_PRESENT' : isPower && row['poeState'] === 'NOT_CAPABLE' ? 'NOT_POE_CAPABLE' : 'BOUNCED';
    return { port, wasUp: row?.['operStatus'] === 'UP', outcome, attachedDevice: row?.['neighbourName'] ?? null };
  });
  return { bounced, restoredAt: isoSeconds(look.now() + pause * 1000) };
}
