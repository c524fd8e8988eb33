/** Joins the operator console with the parts of a router. Loaded only where there is a console. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gateState } from './access/access-policy.ts';
import { Operators } from './approvals/operators.ts';
import { readAuditKeys } from './audit/audit-key.ts';
import { checkpointPath } from './audit/audit-log.ts';
import { verifyInThread } from './audit/verification-thread.ts';
import type { Config } from './config/config.ts';
import type { AuditRow, AuditView, ConsoleSources } from './console/console-sources.ts';
import { OidcSignIn } from './console/oidc-sign-in.ts';
import { type ServedConsole, serveConsole } from './console/serve-console.ts';
import type { CallParts } from './dispatch/open-call-parts.ts';
import { Egress } from './egress/egress.ts';
import { agentBearers } from './principals/agent-bearers.ts';
import type { Finder } from './search/find.ts';
import { explainScore } from './search/score-explanation.ts';
import type { Logger } from './telemetry/logger.ts';
import { MOST_CALLS, type RecentCalls } from './telemetry/recent-calls.ts';

export interface ConsoleParts {
  config: Config;
  approvals: CallParts['approvals'];
  finder: () => Finder;
  configured: (platform: string) => boolean;
  calls: RecentCalls;
  logger: Logger;
}

/** Throws PORT_IN_USE or ADDRESS_UNAVAILABLE. */
export async function openConsole(parts: ConsoleParts): Promise<ServedConsole> {
  const { config, approvals, calls, logger } = parts;
  const { console: binding, operatorsPath } = config.approvals;
  if (binding === undefined) throw new TypeError('there is no console here');
  const { service, writes, keys, used, audit } = approvals;
  const operators = new Operators(operatorsPath);
  const served = await serveConsole({
    binding,
    state: { keys, used },
    service,
    writes,
    operators,
    oidc: oidcOf(parts, operators),
    isBearer: agentBearers(config),
    audit,
    sources: sourcesOf(parts),
    logger,
  });
  const sampling = setInterval(() => calls.sample(), SAMPLE_MS).unref();
  calls.sample();
  return {
    ...served,
    close: async () => {
      clearInterval(sampling);
      await served.close();
    },
  };
}

/** Throws CONFIG_INVALID. */
function oidcOf({ config, approvals, logger }: ConsoleParts, operators: Operators): OidcSignIn | undefined {
  const { oidc: settings, url: origin } = config.approvals.console ?? {};
  if (settings === undefined || origin === undefined) return undefined;
  const { keys, used, audit } = approvals;
  return new OidcSignIn({
    settings,
    origin,
    state: { keys, used },
    operators,
    egress: new Egress({ listed: config.egress, network: config.network }),
    learn: (secret) => logger.secrets.hold('console sign-in', [secret]),
    record: (line) => audit?.record(line),
  });
}

const SAMPLE_MS = 10_000;
const MOST_HITS = 10;

function sourcesOf({ config, finder, configured, calls }: ConsoleParts): ConsoleSources {
  const { auditLog, stateDir } = config;
  let verifying: Promise<string> | undefined;
  /** One at a time, however many ask. */
  const verified = (path: string) => {
    verifying ??= chainOf(path, join(stateDir, 'audit-key')).finally(() => {
      verifying = undefined;
    });
    return verifying;
  };
  return {
    profile: config.access.readonly ? `${config.access.profile}, read-only` : config.access.profile,
    platforms: () =>
      config.platforms.map((platform) => {
        const { state, source, env_var } = gateState(config.access, platform);
        return {
          id: platform.id,
          configured: configured(platform.id),
          gate: state === 'enabled' ? 'open' : 'closed',
          source: env_var === null ? source : `${env_var} (${source})`,
          ratePerSecond: config.ratePerSecond,
          last: calls.lastRequestTo(platform.id),
        };
      }),
    calls: (word) => calls.find(word),
    trace: (id) => calls.trace(id),
    mostCalls: MOST_CALLS,
    audit: async (word, verify) => {
      if (auditLog === undefined) return undefined;
      const chain = verify ? await verified(auditLog) : undefined;
      return { ...linesWith(auditLog, word), chain };
    },
    metrics: () => calls.metricRows(),
    find: (query) => {
      const { hits, note } = finder().find({ query, topK: MOST_HITS });
      const rows = hits.map((hit) => {
        const { name, capability, method, path, line } = hit.tool;
        return { name, capability, request: `${method} ${path}`, line, why: explainScore(hit) };
      });
      return { rows, note };
    },
  };
}

/** How much of the end of the log is searched, and how many lines are shown. */
const TAIL_BYTES = 4 * 1024 * 1024;
const MOST_LINES = 100;
const LONGEST_CELL = 160;

function linesWith(path: string, word: string): Pick<AuditView, 'rows' | 'found'> {
  const wanted = word.toLowerCase();
  const found = tailOf(path)
    .split('\n')
    .filter((line) => line.startsWith('{') && line.toLowerCase().includes(wanted));
  return { rows: found.slice(-MOST_LINES).reverse().flatMap(rowOf), found: found.length };
}

async function chainOf(path: string, keyPath: string): Promise<string> {
  const verified = await verifyInThread(path, {
    keys: readAuditKeys(keyPath),
    checkpoint: checkpointPath(path, keyPath),
  });
  if (verified.ok) return `${verified.lines} lines in ${verified.files} files, whole`;
  return `BROKEN: ${verified.file.slice(dirname(path).length + 1)}:${verified.line}: ${verified.problem}`;
}

/** Also of the file that was put aside last: behind a rotation the current one holds next to nothing. */
function tailOf(path: string): string {
  const { text, left } = endOf(path, TAIL_BYTES);
  return left > 0 ? endOf(`${path}.1`, left).text + text : text;
}

/** Whole lines at the end of a file, none where there is no file; `left`: how many bytes fewer than the most it has. */
function endOf(path: string, most: number): { text: string; left: number } {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return { text: '', left: most };
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, most));
    const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8', 0, read);
    // The first line may be cut.
    return { text: size > most ? text.slice(text.indexOf('\n') + 1) : text, left: Math.max(0, most - size) };
  } finally {
    closeSync(fd);
  }
}

function rowOf(line: string): AuditRow[] {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return [];
  }
  const text = (name: string) => (record[name] === undefined ? '' : String(record[name]));
  const approval = record['approval'] as { how?: unknown; answered_by?: unknown } | undefined;
  const what = [
    text('event'),
    text('outcome'),
    text('code'),
    approval ? `approved by ${String(approval.answered_by)}` : '',
    text('reason'),
  ];
  return [
    {
      seq: Number(record['seq']),
      at: text('at'),
      kind: text('kind'),
      tool: text('tool'),
      who: text('operator') || text('principal'),
      what: shortened(what.filter((part) => part !== '').join(' ')),
    },
  ];
}

/** A row of a table; the log has the line whole. */
const shortened = (text: string): string => (text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)} …` : text);
