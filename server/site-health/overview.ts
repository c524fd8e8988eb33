/** Asks every loaded platform at once, puts what they say side by side by site, and names who did not answer in time. */
import type { Tool } from '../catalog/tool.ts';
import type { LocalToolContext, Result } from '../dispatch/dispatch-call.ts';
import { nearest } from '../nearest.ts';
import {
  type Band,
  type HealthReads,
  type HealthSource,
  type Reading,
  type ReadRows,
  type Row,
  SOURCES,
} from './readings.ts';
import { type PageCall, readToEnd } from './whole-list.ts';

export interface Asked {
  site?: string | undefined;
  platforms?: readonly string[] | undefined;
  deadlineMs: number;
}

export interface Unanswered {
  platform: string;
  code: string;
  message: string;
}

export interface Overview {
  /** Nothing of what was asked for is missing. */
  complete: boolean;
  answered: string[];
  not_answered: Unanswered[];
  /** Answered, but not all sites of them were read. */
  truncated: string[];
  /** Loaded, but without a reading of site health. */
  not_covered: string[];
  /** Worst first. */
  sites: { site: string; worst: Band; platforms: Record<string, Omit<Reading, 'platform' | 'site'>[]> }[];
  /** Sites that were read beside these; none of them is worse. */
  more_sites?: number;
  /** Where no site holds the name that was asked for: the platforms whose sites were all read, and the names that are close. */
  no_such_site?: { asked: string; among: string[]; nearest: string[] };
  platform_wide: Reading[];
}

/** How the lists of the platforms are read. */
export interface Lists {
  toolOf: (name: string) => Pick<Tool, 'list' | 'parameters'> | undefined;
  pageSize: number;
}

/** A read that ended in a refusal: the platform it was for did not answer. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ORDER: readonly Band[] = ['poor', 'fair', 'unknown', 'good'];
/** An answer with more sites would not fit; who needs another one asks for it by name. */
const SITES_SHOWN = 200;

export async function siteHealth(
  { site, platforms, deadlineMs }: Asked,
  loaded: readonly string[],
  { call, invoke }: Pick<LocalToolContext, 'call' | 'invoke'>,
  lists: Lists,
): Promise<Overview> {
  const wanted = platforms === undefined ? loaded : loaded.filter((id) => platforms.includes(id));
  const sources = SOURCES.filter(({ platform }) => wanted.includes(platform));
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
  const read = async (name: string, pageCall: PageCall) => {
    const { principal, approver } = call;
    return answerOf(await invoke({ dispatcher: 'invoke_read_tool', name, ...pageCall, principal, approver, signal }));
  };
  const truncated = new Set<string>();
  const names = new Set<string>();
  const readsOf = (platform: string): HealthReads => ({
    rows: rowsBy(read, lists, () => truncated.add(platform)),
    isAsked: (name) => {
      if (name !== undefined) names.add(name);
      return isAsked(name, site);
    },
    leaveOut: () => truncated.add(platform),
  });
  const ends = await Promise.all(
    sources.map((source) => endOf(source, readsOf(source.platform), { signal, deadlineMs })),
  );
  const readings = ends.flatMap((end) => ('readings' in end ? end.readings : []));
  for (const { site: name } of readings) if (name !== undefined) names.add(name);
  const failed = ends.flatMap((end) => ('readings' in end ? [] : [end]));
  const missing = (platforms ?? []).filter((id) => !loaded.includes(id));
  const not_answered = [
    ...failed,
    ...missing.map((platform) => ({ platform, code: 'platform_not_configured', message: 'it is not loaded' })),
  ];
  const answered = sources
    .map(({ platform }) => platform)
    .filter((id) => !failed.some(({ platform }) => platform === id));
  const cut = answered.filter((id) => truncated.has(id));
  const among = answered.filter((id) => !truncated.has(id));
  return {
    complete: not_answered.length === 0 && cut.length === 0,
    answered,
    not_answered,
    truncated: cut,
    not_covered: wanted.filter((id) => !SOURCES.some(({ platform }) => platform === id)),
    ...grouped(readings, site),
    ...(site === undefined || among.length === 0 || [...names].some((name) => isAsked(name, site))
      ? {}
      : { no_such_site: { asked: site, among, nearest: nearest(site, [...names]) } }),
  };
}

function rowsBy(
  read: (name: string, pageCall: PageCall) => Promise<Row>,
  { toolOf, pageSize }: Lists,
  leaveOut: () => void,
): ReadRows {
  return async (name, args = {}) => {
    const { list, parameters = [] } = toolOf(name) ?? {};
    if (list === undefined) return [await read(name, { arguments: args })];
    const { rows, isCut } = await readToEnd({ list, parameters }, args, pageSize, (pageCall) => read(name, pageCall));
    if (isCut) leaveOut();
    return rows;
  };
}

/**
 * The platform's answer, or the reason why there is none. The deadline ends a read even if the read does not notice
 * it.
 */
async function endOf(
  { platform, read }: HealthSource,
  reads: HealthReads,
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): Promise<{ readings: Reading[] } | Unanswered> {
  const late = { platform, code: 'timeout', message: `no answer within ${deadlineMs / 1000} s` };
  const over = Promise.withResolvers<typeof late>();
  const end = () => over.resolve(late);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([read(reads).then((readings) => ({ readings })), over.promise]);
  } catch (error) {
    if (signal.aborted) return late;
    if (error instanceof Refusal) return { platform, code: error.code, message: error.message };
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function answerOf(result: Result): Row {
  if (result.kind === 'refused') throw new Refusal(result.refusal.code, result.refusal.message);
  if (result.kind !== 'done') throw new Refusal('confirmation_required', 'a read asked a person');
  return result.result as Row;
}

/** Platforms spell a site differently: case, spaces and dashes do not count. */
const keyOf = (site: string) =>
  site
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

const isAsked = (site: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || (site !== undefined && keyOf(site).includes(keyOf(wanted)));

function grouped(
  readings: readonly Reading[],
  wanted: string | undefined,
): Pick<Overview, 'sites' | 'more_sites' | 'platform_wide'> {
  const sites = new Map<string, Overview['sites'][number]>();
  for (const { site, platform, ...reading } of readings) {
    if (site === undefined || !isAsked(site, wanted)) continue;
    const entry = sites.get(keyOf(site)) ?? { site, worst: 'good' as Band, platforms: {} };
    entry.platforms[platform] = [...(entry.platforms[platform] ?? []), reading];
    if (ORDER.indexOf(reading.band) < ORDER.indexOf(entry.worst)) entry.worst = reading.band;
    sites.set(keyOf(site), entry);
  }
  const worstFirst = [...sites.values()].sort(
    (a, b) => ORDER.indexOf(a.worst) - ORDER.indexOf(b.worst) || (keyOf(a.site) < keyOf(b.site) ? -1 : 1),
  );
  return {
    sites: worstFirst.slice(0, SITES_SHOWN),
    ...(worstFirst.length > SITES_SHOWN ? { more_sites: worstFirst.length - SITES_SHOWN } : {}),
    platform_wide: readings.filter(({ site }) => site === undefined),
  };
}
