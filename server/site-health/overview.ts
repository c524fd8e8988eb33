/** Asks every loaded platform at once, puts what they say side by side by site, and names who did not answer in time. */
import type { LocalToolContext, Result } from '../dispatch/dispatch-call.ts';
import { type Band, type HealthSource, type Reading, type ReadRows, type Row, SOURCES } from './readings.ts';

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
  sites: { site: string; worst: Band; platforms: Record<string, Omit<Reading, 'platform' | 'site'>[]> }[];
  platform_wide: Reading[];
  answered: string[];
  not_answered: Unanswered[];
  /** Loaded, but without a reading of site health. */
  not_covered: string[];
  complete: boolean;
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

export async function siteHealth(
  { site, platforms, deadlineMs }: Asked,
  loaded: readonly string[],
  { call, invoke }: Pick<LocalToolContext, 'call' | 'invoke'>,
): Promise<Overview> {
  const wanted = platforms === undefined ? loaded : loaded.filter((id) => platforms.includes(id));
  const sources = SOURCES.filter(({ platform }) => wanted.includes(platform));
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
  const rows: ReadRows = async (tool, args = {}) => {
    const { principal, approver } = call;
    return rowsOf(
      await invoke({
        dispatcher: 'invoke_read_tool',
        name: tool,
        arguments: args,
        principal,
        approver: approver,
        signal,
      }),
    );
  };
  const ends = await Promise.all(sources.map((source) => endOf(source, rows, signal, deadlineMs)));
  const readings = ends.flatMap((end) => ('readings' in end ? end.readings : []));
  const failed = ends.flatMap((end) => ('readings' in end ? [] : [end]));
  const missing = (platforms ?? []).filter((id) => !loaded.includes(id));
  const not_answered = [
    ...failed,
    ...missing.map((platform) => ({ platform, code: 'platform_not_configured', message: 'it is not loaded' })),
  ];
  return {
    ...grouped(readings, site),
    answered: sources.map(({ platform }) => platform).filter((id) => !failed.some(({ platform }) => platform === id)),
    not_answered,
    not_covered: wanted.filter((id) => !SOURCES.some(({ platform }) => platform === id)),
    complete: not_answered.length === 0,
  };
}

/**
 * The platform's answer, or the reason why there is none. The deadline ends a read even if the read does not notice
 * it.
 */
async function endOf(
  { platform, read }: HealthSource,
  rows: ReadRows,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<{ readings: Reading[] } | Unanswered> {
  const late = { platform, code: 'timeout', message: `no answer within ${deadlineMs / 1000} s` };
  const over = Promise.withResolvers<typeof late>();
  const end = () => over.resolve(late);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([read(rows).then((readings) => ({ readings })), over.promise]);
  } catch (error) {
    if (signal.aborted) return late;
    if (error instanceof Refusal) return { platform, code: error.code, message: error.message };
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function rowsOf(result: Result): readonly Row[] {
  if (result.kind === 'refused') throw new Refusal(result.refusal.code, result.refusal.message);
  if (result.kind !== 'done') throw new Refusal('confirmation_required', 'a read asked a person');
  const value = result.result as { items?: Row[] } & Row;
  return Array.isArray(value.items) ? value.items : [value];
}

/** Platforms spell a site differently: case, spaces and dashes do not count. */
const keyOf = (site: string) =>
  site
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

function grouped(readings: readonly Reading[], wanted: string | undefined): Pick<Overview, 'sites' | 'platform_wide'> {
  const sites = new Map<string, Overview['sites'][number]>();
  for (const { site, platform, ...reading } of readings) {
    if (site === undefined || (wanted !== undefined && !keyOf(site).includes(keyOf(wanted)))) continue;
    const entry = sites.get(keyOf(site)) ?? { site, worst: 'good' as Band, platforms: {} };
    entry.platforms[platform] = [...(entry.platforms[platform] ?? []), reading];
    if (ORDER.indexOf(reading.band) < ORDER.indexOf(entry.worst)) entry.worst = reading.band;
    sites.set(keyOf(site), entry);
  }
  const worstFirst = [...sites.values()].sort(
    (a, b) => ORDER.indexOf(a.worst) - ORDER.indexOf(b.worst) || (keyOf(a.site) < keyOf(b.site) ? -1 : 1),
  );
  return { sites: worstFirst, platform_wide: readings.filter(({ site }) => site === undefined) };
}
