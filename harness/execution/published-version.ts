/**
 * The results that the gate compares today's runs with: `reports/published.json` where the published router was run again on
 * later scenarios, else the recordings of the version.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baselineEntries, METHODOLOGY } from '../grading/baseline.ts';
import { isControl } from '../grading/control-agents.ts';
import { type DigestsByScenario, type PublishedResults, parsePublished } from '../grading/published-results.ts';
import type { Recording } from '../recording/recording.ts';
import {
  type CampaignMeta,
  campaignMetas,
  newestPublished,
  publishedFolder,
  type RecordingHead,
  readSomeRecordings,
} from '../reporting/publication.ts';
import { type ReportMeta, seedsOf } from '../reporting/run-report.ts';
import { gradeRecordings, scenarioDigestsOf } from './judgement.ts';

export const PUBLISHED_FILE = 'reports/published.json';

interface Compared {
  subject: string;
  /** Those that are to be compared. */
  recordings: readonly Recording[];
  /** Also published runs without a counterpart in `recordings`: a bless gives them up. */
  whole?: boolean;
}

/**
 * Undefined where nothing of the subject was published, or there is nothing to compare with it. Published runs are graded only
 * as far as they are compared, and those of controls never are: all of them take longer than many a campaign.
 */
export async function publishedResults(
  root: string,
  { subject, recordings: today, whole = false }: Compared,
): Promise<PublishedResults | undefined> {
  const contestants = today.filter(({ agent }) => !isControl(agent));
  if (contestants.length === 0 && !whole) return undefined;
  const version = await newestPublished(root);
  if (version === undefined) return undefined;
  const again = await readPublishedFile(root);
  if (again?.version === version && again.subject === subject) return again;
  const metas = await campaignMetas(publishedFolder(root, version));
  const campaign = metas.find(({ meta }) => meta.subject === subject);
  if (campaign === undefined) return undefined;
  const digests = scenarioDigestsOf(today);
  if (!mayCompare(campaign, digests)) return withoutEntries(version, campaign, digests);
  const wanted = new Set(contestants.map(placeOf));
  const seeds = seedsOf(campaign.meta).filter((seed) => whole || contestants.some((one) => one.seed === seed));
  const { heads, recordings } = await readSomeRecordings(
    publishedFolder(root, version),
    campaign.name,
    (head) => !isControl(head.agent) && seeds.includes(head.seed) && (whole || wanted.has(placeOf(head))),
  );
  return resultsOf(version, 'published', campaign.meta, { recordings, seeds, digests: scenarioDigestsOf(heads) });
}

const placeOf = ({ agent, transport, task }: RecordingHead): string => `${agent} ${transport} ${task.id}`;

export async function readPublishedFile(root: string): Promise<PublishedResults | undefined> {
  const text = await readFile(join(root, PUBLISHED_FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parsePublished(text, PUBLISHED_FILE);
}

interface Measured {
  recordings: readonly Recording[];
  /** Each run of `recordings` has one of them. */
  seeds: number[];
  digests: DigestsByScenario;
}

export async function resultsOf(
  version: string,
  measured: PublishedResults['measured'],
  meta: Pick<ReportMeta, 'commit' | 'startedAt' | 'subject' | 'settings' | 'methodology'>,
  { recordings, seeds, digests }: Measured,
): Promise<PublishedResults> {
  const { commit, startedAt, subject, settings, methodology } = meta;
  const entries = baselineEntries(await gradeRecordings(recordings), seeds);
  return { version, commit, measured, at: startedAt, subject, settings, methodology, seeds, digests, entries };
}

/** One line per scenario and entry, so that a change can be read. */
export function publishedText({ digests, entries, ...head }: PublishedResults): string {
  const lines = (record: object) =>
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const top = JSON.stringify(head, null, 1).slice(0, -'\n}'.length);
  return `${top},\n "digests": {\n${lines(digests)}\n },\n "entries": {\n${lines(entries)}\n }\n}\n`;
}

/** Whether reading the recordings can find anything: some scenario is as it was, and some fixture. */
function mayCompare({ meta }: CampaignMeta, digests: DigestsByScenario): boolean {
  const fixtures = new Set(meta.fixtures.map(({ digest }) => digest));
  return (
    meta.methodology === METHODOLOGY &&
    Object.entries(digests).some(([id, now]) => meta.scenarios[id] === now.scenario && fixtures.has(now.fixture))
  );
}

/** Enough to say why nothing is comparable. */
function withoutEntries(version: string, { meta }: CampaignMeta, digests: DigestsByScenario): PublishedResults {
  const { commit, startedAt, subject, settings, methodology, scenarios } = meta;
  const known = Object.keys(digests).flatMap((id) => {
    const scenario = scenarios[id];
    return scenario === undefined ? [] : [[id, { scenario, fixture: 'not read' }] as const];
  });
  return {
    ...{ version, commit, measured: 'published', at: startedAt ?? '', subject, settings, methodology },
    seeds: seedsOf(meta),
    digests: Object.fromEntries(known),
    entries: {},
  };
}
