/**
 * The recordings of a published version, in git: per campaign one file of recordings, compressed by Zstandard, and one that
 * says what was run, with the digest of the other. The results page is a function of these files alone.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { METHODOLOGY } from '../grading/baseline.ts';
import { isControl } from '../grading/control-agents.ts';
import { got, HarnessError } from '../harness-errors.ts';
import { parseRecording, type Recording } from '../recording/recording.ts';
import { lineOf } from '../recording/run-journal.ts';
import { setupOf } from '../recording/transcript.ts';
import { canonicalJson } from '../scenario/sorted-json.ts';
import type { ReportMeta } from './run-report.ts';
import { readStoredRun, type StoredRun } from './stored-run.ts';
import { byVersion } from './version-order.ts';

export const PUBLISHED_FOLDER = 'reports/recordings';
/** Of one version, compressed: what a clone of the repository can bear. */
export const LARGEST_BYTES = 4 * 2 ** 20;
/** Of each scenario: a median of fewer says nothing about spread. */
export const FEWEST_RUNS = 5;

export interface Campaign {
  name: string;
  meta: ReportMeta;
  recordings: Recording[];
  /** Of the recordings before compression. */
  sha256: string;
}

interface CampaignFile {
  version: 1;
  sha256: string;
  meta: ReportMeta;
}

export const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

const RECORDINGS = '.jsonl.zst';
/** Runs of one scenario are alike and far apart: a window over the whole file finds what gzip's 32 KB cannot. */
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: 12,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_windowLog]: 27,
};
/** Five seeds are 170 MB: in pieces of Node's default size, reading them takes half as long again. */
const CHUNK_BYTES = 2 ** 20;
const CAMPAIGN = '.campaign.json';

export const publishedFolder = (root: string, version: string): string => join(root, PUBLISHED_FOLDER, version);

/** Adds a run to a version, or replaces the one of the same name. */
export async function publishCampaign(folder: string, { meta, recordings }: StoredRun): Promise<string> {
  assertPublishable(meta);
  assertFixedModel(recordings);
  const name = campaignName(meta, recordings);
  const text = recordings.map(lineOf).join('');
  const packed = zstdCompressSync(text, { params: COMPRESSION });
  const others = (await packedFiles(folder)).filter((file) => file.name !== `${name}${RECORDINGS}`);
  const bytes = others.reduce((sum, file) => sum + file.bytes, packed.length);
  if (bytes > LARGEST_BYTES) {
    throw refused(`the recordings of a version should be at most ${LARGEST_BYTES} bytes, got ${bytes}`);
  }
  const file: CampaignFile = { version: 1, sha256: sha256(text), meta };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}${RECORDINGS}`), packed);
  await writeFile(join(folder, `${name}${CAMPAIGN}`), `${JSON.stringify(file, null, 1)}\n`);
  return name;
}

function assertPublishable({ runs, commit, stopped, shard, wording, agents }: ReportMeta): void {
  if (agents.every(isControl)) {
    throw refused(`a published run should have an agent that is no control, got ${agents.join(', ')}`);
  }
  if (runs < FEWEST_RUNS)
    throw refused(`a published run should have ${FEWEST_RUNS} runs of each scenario, got ${runs}`);
  if (!/^[0-9a-f]{40}$/.test(commit ?? '')) {
    throw refused(`a published run should be of a commit without changes, got ${got(commit)}`);
  }
  if (stopped !== undefined || shard !== undefined) {
    throw refused(`a published run should be whole, got ${stopped ?? `shard ${shard?.index} of ${shard?.count}`}`);
  }
  if (wording !== 0) throw refused(`a published run should ask the intents, got wording ${wording}`);
}

/** A model is asked at a fixed temperature (specification 1.7): without one, every endpoint has its own. */
function assertFixedModel(recordings: readonly Recording[]): void {
  const asked = recordings.flatMap(({ model }) => model?.request ?? []);
  const settings = new Set(
    asked.map((request) => `${request.model} at temperature ${request.temperature ?? 'not sent'}`),
  );
  if (settings.size <= 1 && asked.every(({ temperature }) => temperature !== undefined)) return;
  throw refused(
    `a published run should ask one model with one temperature (SVC_LLM_TEMPERATURE), got ${[...settings].sort().join(', ')}`,
  );
}

/** Which server, set how, asked by whom, with which model: two campaigns of a version differ in one of these. */
const campaignName = ({ subject, settings, agents }: ReportMeta, recordings: readonly Recording[]): string =>
  [subject, ...Object.values(settings), ...agents, ...modelParts(recordings)].filter((part) => part !== '').join('-');

/** Nothing where no model was asked. A name that an endpoint gave a model may hold what no file name does. */
function modelParts(recordings: readonly Recording[]): string[] {
  const asked = recordings.find(({ model }) => model !== undefined)?.model;
  if (asked === undefined) return [];
  const { model, temperature, prompt, extra_body } = setupOf(asked);
  const added = extra_body === undefined ? '' : sha256(canonicalJson(extra_body)).slice(0, 8);
  return [model.replaceAll(/[^\w.]+/g, '-'), `t${temperature}`, prompt, added];
}

export async function readCampaigns(folder: string): Promise<Campaign[]> {
  const names = await campaignNames(folder);
  if (names.length === 0) {
    throw new HarnessError('RECORDING_INVALID', `${folder} should hold recordings, got none`, {
      remedy: 'npm run harness -- reproduce <version> --from <run folder>',
    });
  }
  return Promise.all(names.sort().map((name) => readCampaign(folder, name, assertJudgedByThis)));
}

function assertJudgedByThis(name: string, { methodology, commit }: ReportMeta): void {
  if (methodology === METHODOLOGY) return;
  throw refused(
    `${name} should be judged by methodology ${METHODOLOGY}, got ${methodology}: check out commit ${commit}`,
  );
}

async function readCampaign(
  folder: string,
  name: string,
  assertUsable: (name: string, meta: ReportMeta) => void = () => {},
): Promise<Campaign> {
  const { meta, sha256: expected } = await readCampaignFile(folder, name);
  assertUsable(name, meta);
  const { values, place } = await readValues(folder, name, expected);
  const recordings = values.map((value, i) => parseRecording(value, place(i)));
  return { name, meta, recordings, sha256: expected };
}

const readCampaignFile = async (folder: string, name: string): Promise<CampaignFile> =>
  JSON.parse(await readFile(join(folder, `${name}${CAMPAIGN}`), 'utf8')) as CampaignFile;

interface ReadValues {
  /** One a recording, not yet validated. */
  values: unknown[];
  /** File and line of a value. */
  place: (at: number) => string;
}

async function readValues(folder: string, name: string, expected: string): Promise<ReadValues> {
  const file = join(folder, `${name}${RECORDINGS}`);
  const bytes = zstdDecompressSync(await readFile(file), { chunkSize: CHUNK_BYTES });
  const actual = sha256(bytes);
  if (actual !== expected) {
    throw new HarnessError('RECORDING_INVALID', `${file}: should have the digest ${expected}, got ${actual}`);
  }
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  return { values: lines.map((line) => JSON.parse(line)), place: (at) => `${file}:${at + 1}` };
}

/** What a recording is of: enough to choose those that are worth validating and grading, which takes longest. */
export type RecordingHead = Pick<Recording, 'agent' | 'seed' | 'transport' | 'task' | 'fixture'>;

/** The heads of all recordings of a campaign, and those of the recordings that `keep` takes, validated. */
export async function readSomeRecordings(
  folder: string,
  name: string,
  keep: (head: RecordingHead) => boolean,
): Promise<{ heads: RecordingHead[]; recordings: Recording[] }> {
  const { sha256: expected } = await readCampaignFile(folder, name);
  const { values, place } = await readValues(folder, name, expected);
  const heads = values as RecordingHead[];
  const recordings = heads.flatMap((head, i) => (keep(head) ? [parseRecording(head, place(i))] : []));
  return { heads, recordings };
}

/**
 * A run by its folder, or a published campaign: `<version>` where it has one, else `<version>/<campaign>`; where it was copied
 * to, by its path.
 */
export async function readRun(root: string, name: string | undefined): Promise<StoredRun> {
  const path = VERSION.test(name?.split('/')[0] ?? '') ? publishedFolder(root, name!) : resolve(root, name ?? '');
  const inside = await campaignNames(path);
  const beside = (await campaignNames(dirname(path))).includes(basename(path));
  if (name === undefined || (inside.length === 0 && !beside)) return readStoredRun(root, name);
  const [only, ...more] = inside;
  if (only !== undefined && more.length > 0) {
    const message = `${name} should name one of its campaigns, got ${inside.length}: ${inside.sort().join(', ')}`;
    throw new HarnessError('RECORDING_INVALID', message);
  }
  const folder = only === undefined ? dirname(path) : path;
  const { name: campaign, meta, recordings } = await readCampaign(folder, only ?? basename(path));
  return { folder, name: campaign, recordings, meta };
}

export type CampaignMeta = Pick<Campaign, 'name' | 'meta'>;

/** What was run, without the recordings, which take long to read. */
export async function campaignMetas(folder: string): Promise<CampaignMeta[]> {
  const names = (await campaignNames(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { meta } = JSON.parse(await readFile(join(folder, `${name}${CAMPAIGN}`), 'utf8')) as CampaignFile;
      return { name, meta };
    }),
  );
}

/** The newest version with recordings; undefined where none was published. */
export async function newestPublished(root: string): Promise<string | undefined> {
  const versions = (await readdir(join(root, PUBLISHED_FOLDER)).catch(() => [] as string[])).filter((name) =>
    VERSION.test(name),
  );
  for (const version of versions.sort(byVersion).reverse()) {
    if ((await campaignNames(publishedFolder(root, version))).length > 0) return version;
  }
  return undefined;
}

async function campaignNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith(CAMPAIGN));
  return names.map((name) => name.slice(0, -CAMPAIGN.length));
}

/** Of a version, also those that are of no campaign. */
async function packedFiles(folder: string): Promise<{ name: string; bytes: number }[]> {
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => /\.(gz|zst)$/.test(name));
  return Promise.all(names.map(async (name) => ({ name, bytes: (await readFile(join(folder, name))).length })));
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const refused = (message: string): HarnessError => new HarnessError('PUBLICATION_REFUSED', message);
