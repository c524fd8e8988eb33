/** The networks that svc-mcp-run-ssid builds: from options or rows to the same candidates, rules and writes as a migration. */
import { RouterError } from '../errors.ts';
import type { TargetContext } from '../migration/adapters/adapter.ts';
import { adapterOf } from '../migration/adapters/adapters.ts';
import { applyRun, WOULD_CREATE } from '../migration/apply.ts';
import { candidateOf } from '../migration/candidate.ts';
import { type Entry, newRun, type Run } from '../migration/migration-run.ts';
import type { PlannedCandidate } from '../migration/plan.ts';
import { callsOf, type PlannedCall, plannedWrites } from '../migration/planned-writes.ts';
import type { WlanMode } from '../migration/security.ts';
import { look, type TargetPort } from '../migration/target-port.ts';

export const OPMODES: Readonly<Record<string, WlanMode>> = {
  ENHANCED_OPEN: 'enhanced_open',
  WPA3_SAE: 'wpa3_sae',
  WPA2_PERSONAL: 'wpa2_personal',
  OPEN: 'open',
};
/** Taken with a warning and never sent. */
const DEPRECATED: Readonly<Record<string, string>> = { WPA2_PSK: 'WPA2_PERSONAL' };
export const BANDS = ['24GHZ_5GHZ', '24GHZ', '5GHZ', '6GHZ'] as const;

export interface Network {
  ssid: string;
  vlans: readonly string[];
  scopeId: string;
  opmode: string;
  band: (typeof BANDS)[number];
  hidden: boolean;
  maxClients: number;
}

export interface Target {
  persona: string;
  /** With a cluster the network is an overlay one: its traffic goes to that gateway cluster. */
  cluster?: { name: string; scopeId: string };
}

/** The platform's own name of a mode; `warn` hears of a name that is going away. */
export function opmodeOf(asked: string, warn: (text: string) => void): string {
  const renamed = DEPRECATED[asked];
  if (renamed !== undefined) warn(`opmode ${asked} is deprecated: ${renamed} is used`);
  const opmode = renamed ?? asked;
  if (Object.hasOwn(OPMODES, opmode)) return opmode;
  throw new RouterError(
    'USAGE',
    `opmode should be ${Object.keys(OPMODES).join(', ')}, got ${JSON.stringify(asked.slice(0, 40))}`,
  );
}

/** Numbers and ranges, as 10 or 10,20-22, without leading zeros. */
export function vlansOf(text: string): string[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const isOne = (part: string) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return /^\d{1,4}(-\d{1,4})?$/.test(part) && first >= 1 && last <= 4094 && first <= last;
  };
  const wrong = parts.find((part) => !isOne(part));
  if (parts.length > 0 && wrong === undefined) return parts.map((part) => part.split('-').map(Number).join('-'));
  throw new RouterError(
    'USAGE',
    `vlans should be numbers from 1 to 4094 or ranges, got ${JSON.stringify((wrong ?? '').slice(0, 40))}`,
  );
}

export const isPersonal = ({ opmode }: Network): boolean => opmode === 'WPA3_SAE' || opmode === 'WPA2_PERSONAL';

/** IEEE 802.11: 8 to 63 printable ASCII characters. The value stays out of the message. */
export function checkPassphrase(passphrase: string, ssid: string): void {
  if (!/^[\x20-\x7e]{8,63}$/.test(passphrase))
    throw new RouterError(
      'USAGE',
      `the passphrase of ${ssid} should have 8 to 63 printable ASCII characters, got ${passphrase.length}`,
    );
}

/** One run per scope, because a run goes to one. An existing network that is as asked for counts as done. */
export function runsOf(networks: readonly Network[], { persona, cluster }: Target): Run[] {
  const scopes = Map.groupBy(networks, ({ scopeId }) => scopeId);
  return [...scopes].map(([scope_id, own]) => {
    const target: TargetContext = {
      target: 'new',
      scope_id,
      persona,
      ...(cluster ? { cluster_name: cluster.name, cluster_scope_id: cluster.scopeId } : {}),
    };
    return newRun({
      target,
      policy: 'skip-existing',
      candidates: own.map((network) => candidateFor(network, cluster !== undefined)),
      secretsOf: (candidate) => adapterOf(candidate, 'new').secretsOf(candidate),
      now: new Date().toISOString(),
    });
  });
}

function candidateFor(network: Network, tunnelled: boolean): PlannedCandidate {
  const { ssid, vlans, opmode, band, hidden, maxClients } = network;
  const security = {
    opmode,
    mode: OPMODES[opmode] as WlanMode,
    ambiguous: false,
    aaa_profile: null,
    dot1x_auth_profile: null,
    mac_auth_profile: null,
    passphrase_present: isPersonal(network),
    psk_hexkey_present: false,
    wpa3_transition: false,
    evidence: ['asked for by the operator'],
  };
  const payload = {
    essid: ssid,
    vlan: vlans.join(','),
    vlan_ids: vlans,
    forward_mode: tunnelled ? 'tunnel' : 'bridge',
    hide_ssid: hidden,
    client_isolation: false,
    dtim_period: null,
    inactivity_timeout: null,
    max_clients: maxClients,
    rf_band: band,
    security,
  };
  const candidate = candidateOf({ object_type: 'wlan', identifier: ssid, payload });
  return {
    ...candidate,
    classification: 'conditional',
    row: '',
    note: 'asked for by the operator',
    dry_run_only: false,
  };
}

export interface Built {
  ssid: string;
  scope: string;
  outcome: 'would be created' | 'would be assigned' | 'created' | 'exists' | 'blocked' | 'failed' | 'refused';
  message: string;
}

/** Reads what is there, or writes what was found ready by such a reading; passphrases by network name. */
export async function build(
  run: Run,
  port: TargetPort,
  passphrases: ReadonlyMap<string, string>,
  { dryRun }: { dryRun: boolean },
): Promise<Built[]> {
  // After an interruption the operator starts the command again: it reads before it writes.
  await applyRun({ ...optionsFor(run, port, passphrases), save: async () => {}, dryRun });
  const built: Built[] = [];
  for (const entry of run.candidates) {
    const { candidate, status, last_error, last_result } = entry;
    const outcome = status === 'pending' ? await wouldBe(entry, run, port) : OUTCOMES[status];
    const message = last_error ?? last_result ?? '';
    built.push({ ssid: candidate.identifier, scope: run.target.scope_id ?? '', outcome, message });
  }
  return built;
}

/** A dry run looks at the network alone; one that is there may lack its assignment to this scope. */
async function wouldBe(
  { candidate, last_result }: Entry,
  { target }: Run,
  port: TargetPort,
): Promise<Built['outcome']> {
  if (last_result === WOULD_CREATE) return WOULD_CREATE;
  const [, ...others] = adapterOf(candidate, 'new').stepsOf(candidate, target, {});
  for (const step of others) if ((await look(step, port)).kind !== 'same') return 'would be assigned';
  return 'exists';
}

/** The writes of a run, and the state of the target. Their calls contain secrets. */
export async function plannedCallsOf(
  run: Run,
  port: TargetPort,
  passphrases: ReadonlyMap<string, string>,
): Promise<PlannedCall[]> {
  const options = optionsFor(run, port, passphrases);
  return callsOf(await plannedWrites(options), options);
}

function optionsFor(run: Run, port: TargetPort, passphrases: ReadonlyMap<string, string>) {
  const secrets = Object.fromEntries(
    [...passphrases].map(([ssid, wpa_passphrase]) => [`wlan:${ssid}`, { wpa_passphrase }]),
  );
  return {
    run,
    port,
    secrets,
    retryFailed: false,
    limit: run.candidates.length,
    offset: 0,
    now: () => new Date().toISOString(),
  };
}

const OUTCOMES: Record<Exclude<Entry['status'], 'pending'>, Built['outcome']> = {
  applied: 'created',
  skipped: 'exists',
  blocked: 'blocked',
  failed: 'failed',
  unsupported: 'refused',
};
