/** Verdicts that the management cloud draws from what it sees: why an access point is down, what spoils a client's day. */
import { isoSeconds } from '../clock.ts';
import { rowId } from '../collection.ts';
import type { Look, Values } from '../platform-behaviour.ts';

const BUSY_PERCENT = 75;
const GOOD_SCORE = 70;

/** Operational state of one access point, from its own report and from the switch port that feeds it. */
export function accessPointVerdict(ap: Values, look: Look): Values {
  const uplink = (ap['uplink'] ?? {}) as Values;
  const port = feedingPort(uplink, look);
  const online = ap['status'] === 'ONLINE';
  const reason = online ? onlineReason(ap, look) : offlineReason(ap, port);
  const uptime = Number(ap['uptimeSeconds'] ?? 0);
  const power = String(port?.['poeState'] ?? 'NOT_POE');
  return {
    state: !online ? 'OFFLINE' : reason === 'NONE' ? 'ONLINE' : 'DEGRADED',
    reason,
    since: online ? isoSeconds(look.now() - uptime * 1000) : ap['lastSeenAt'],
    lastHeartbeatAt: ap['lastSeenAt'],
    uplinkState: port?.['operStatus'] === 'UP' ? 'UP' : 'DOWN',
    powerState: ['DELIVERING', 'DENIED', 'SEARCHING'].includes(power) ? power : 'NOT_POE',
    suggestedAction: advice(reason, uplink),
  };
}

function feedingPort(uplink: Values, look: Look): Values | undefined {
  const port = String(uplink['neighbourPort'] ?? '').replaceAll('/', '-');
  return look.one('switch-interfaces', rowId([String(uplink['neighbourSerial'] ?? ''), port]));
}

function offlineReason(ap: Values, port: Values | undefined): string {
  if (port?.['poeState'] === 'DENIED') return 'POWER_DENIED';
  if (port?.['operStatus'] === 'DOWN') return 'NO_LINK';
  return ap['offlineReason'] === 'POWER_DENIED' ? 'POWER_DENIED' : 'NO_HEARTBEAT';
}

function onlineReason(ap: Values, look: Look): string {
  const radios = look.all('radios').filter((radio) => radio['apSerial'] === ap['serialNumber']);
  if (radios.some((radio) => radio['healthReason'] === 'RADIO_DOWN')) return 'RADIO_DOWN';
  return radios.some((radio) => Number(radio['utilizationPercent']) > BUSY_PERCENT) ? 'HIGH_UTILIZATION' : 'NONE';
}

function advice(reason: string, uplink: Values): string | null {
  const feed = `port ${String(uplink['neighbourPort'])} of ${String(uplink['neighbourName'])}`;
  switch (reason) {
    case 'POWER_DENIED':
      return `Look at the PoE budget of ${String(uplink['neighbourName'])}: ${feed} is refused its power`;
    case 'NO_LINK':
      return `Test the cable at ${feed}`;
    case 'NO_HEARTBEAT':
      return `Look at ${feed} and at the way to the management service`;
    case 'HIGH_UTILIZATION':
      return 'Move clients to another band or add an access point';
    case 'RADIO_DOWN':
      return 'Check the radio profile, then restart the access point';
    default:
      return null;
  }
}

/** Experience score of one client, split into the areas that make it. */
export function clientVerdict(client: Values, look: Look): Values {
  const parts = scoresOf(client, look);
  const ranked = Object.entries(parts).filter((part): part is [string, number] => part[1] !== null);
  const [worst, least] = ranked.toSorted((left, right) => left[1] - right[1])[0] as [string, number];
  const score = client['status'] === 'FAILED' ? 0 : Number(client['healthScore'] ?? 0);
  return {
    score,
    band: score < 40 ? 'POOR' : score < GOOD_SCORE ? 'FAIR' : 'GOOD',
    parts,
    worstPart: least < GOOD_SCORE ? worst.toUpperCase() : 'NONE',
    windowMinutes: 15,
    ratedAt: isoSeconds(look.now()),
  };
}

/** Score of each area; null where it does not apply to a wired client. */
function scoresOf(client: Values, look: Look): Record<string, number | null> {
  const failed = client['status'] === 'FAILED';
  const wireless = client['connectionType'] === 'WIRELESS';
  const snr = Number(client['snrDb'] ?? 0);
  const moves = look.state.rows('mgmt', 'client-mobility-trail').under([String(client['macAddress'])]);
  const slowest = Math.max(0, ...moves.map((move) => Number(move.value['latencyMs'] ?? 0)));
  return {
    signal: wireless ? Math.min(100, Math.round(snr * 2.4)) : null,
    onboarding: failed ? 0 : 96,
    addressing: failed ? 0 : 97,
    roaming: wireless ? (slowest > 1000 ? 40 : 92) : null,
    throughput: failed ? 0 : wireless ? Math.min(98, 40 + snr) : 96,
  };
}
