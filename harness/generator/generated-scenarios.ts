/**
 * Scenarios from a document: for each resource of the API the drafts that it allows, with the oracle's steps and the
 * expected facts known by construction. The same document, seed and fake give the same files.
 */
import { stringify } from 'yaml';
import { HarnessError } from '../harness-errors.ts';
import { parseScenario, type Scenario } from '../scenario/scenario.ts';
import { seededRandom, seedFor } from '../statistics/stats.ts';
import type { ApiDocument, ApiOperation, Json } from './api-document.ts';
import type { Probe } from './api-probe.ts';
import {
  type ApiResource,
  type FoundResources,
  findResources,
  type Listed,
  pathOf,
  rowsIn,
  sizeParameter,
} from './api-resources.ts';
import { holdsSecret, wordsOf } from './field-names.ts';
import { itemDrafts } from './item-scenarios.ts';
import { listDrafts, type Page } from './list-scenarios.ts';
import { neededOf } from './needed-operations.ts';
import { withOwnNouns } from './own-nouns.ts';
import { type Draft, KINDS, scenarioOf } from './scenario-draft.ts';
import { writeDrafts } from './write-scenarios.ts';

export interface Generated {
  scenarios: Scenario[];
  /** Id → the file as it would stand in a folder. */
  files: Record<string, string>;
  resources: number;
  /** Resources and reads of which no draft is told, with the reason. */
  left: { path: string; reason: string }[];
  /** Drafts that need an operation without a tool. */
  uncovered: number;
}

export interface GenerateOptions {
  document: ApiDocument;
  probe: Probe;
  seed: number;
  /** At most so many; of each kind and resource some, as far as it goes. */
  most: number;
  /** Whether the server has a tool for `METHOD /path`. Only what it can be asked is told. Without it everything is. */
  hasTool?: ((key: string) => boolean) | undefined;
}

export const GENERATED = 'scenarios';

/** Throws `DOCUMENT_UNSERVED` where no operation reads anything that a draft could be about. */
export async function generateScenarios(options: GenerateOptions): Promise<Generated> {
  const { document, probe, seed, most, hasTool = () => true } = options;
  await probe.reset();
  const found = await findResources(document, probe, hasTool);
  const { resources } = found;
  if (resources.length === 0) throw noRead(document);
  const named = withOwnNouns(resources);
  const left = [...untold(document, found), ...calledAlike(resources, named)];
  const chosen = withToolsFirst(shuffled(named, seed), hasTool).slice(0, Math.max(8, Math.ceil(most / 4)));
  const told: Draft[][] = [];
  let uncovered = 0;
  for (const resource of chosen) {
    const reason = unfit(resource);
    if (reason !== undefined) left.push({ path: pathOf(resource), reason });
    else {
      const drafts = await draftsOf(resource, probe, document.operations);
      const playable = drafts.filter((draft) => needed(draft).every((keys) => [...keys].some(hasTool)));
      uncovered += drafts.length - playable.length;
      if (drafts.length === 0) left.push({ path: pathOf(resource), reason: NOTHING_TO_ASK });
      told.push(playable);
    }
  }
  const files: Record<string, string> = {};
  const scenarios: Scenario[] = [];
  for (const draft of picked(told, most)) {
    const file = scenarioOf(draft, document);
    const text = stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
    const parsed = parseScenario(text, `${GENERATED}/${file.id}.yaml`, GENERATED);
    if ('problems' in parsed) {
      left.push({
        path: draft.path,
        reason: `${file.id}: ${parsed.problems[0]?.field} ${parsed.problems[0]?.expected}`,
      });
      continue;
    }
    files[file.id] = text;
    scenarios.push(parsed.scenario);
  }
  if (scenarios.length === 0 && uncovered === 0) throw noRead(document);
  return { scenarios, files, resources: resources.length, left, uncovered };
}

function noRead({ name, operations }: ApiDocument): HarnessError {
  const reads = operations.filter(({ method }) => method === 'GET').length;
  return new HarnessError(
    'DOCUMENT_UNSERVED',
    `${name} should have an operation that reads a list or an object with fields, got ${operations.length} operations, ${reads} of them GET, and no answer with such fields`,
  );
}

const NOTHING_TO_ASK = 'its answers have no field that a question could be about';
const NO_RESOURCE =
  'the fake answers neither a list of at least two objects nor an object with a key, or a call needs a value that cannot be drawn';

const UNSEEN = 'it is beyond the reads that are looked at: those with a tool and the shortest paths come first';

/** Reads of which no resource was made. */
function untold({ operations }: ApiDocument, { resources, unseen }: FoundResources): Generated['left'] {
  const told = new Set(resources.flatMap(({ list, item }) => [list?.operation, item?.operation]));
  const isUnseen = new Set(unseen);
  return operations
    .filter((operation) => operation.method === 'GET' && !told.has(operation))
    .map((operation) => ({ path: operation.path, reason: isUnseen.has(operation) ? UNSEEN : NO_RESOURCE }));
}

const CALLED_ALIKE = 'a question about it could be about another resource of the same name';

function calledAlike(resources: readonly ApiResource[], named: readonly ApiResource[]): Generated['left'] {
  const told = new Set(named.map(pathOf));
  return resources
    .map(pathOf)
    .filter((path) => !told.has(path))
    .map((path) => ({ path, reason: CALLED_ALIKE }));
}

/** By the seed, so that another seed tells of other resources where there are more than are played. */
function shuffled(resources: readonly ApiResource[], seed: number): ApiResource[] {
  const key = (resource: ApiResource) => seededRandom(seedFor(seed, pathOf(resource)))();
  return resources
    .map((resource) => ({ resource, at: key(resource) }))
    .sort((a, b) => a.at - b.at)
    .map(({ resource }) => resource);
}

/** An answer with a secret in it would fail every run, whatever the server does. */
function unfit({ list, item }: ApiResource): string | undefined {
  const seen = [...(list?.rows ?? []), ...(item?.objects ?? []).map(({ json }) => json)];
  return holdsSecret(seen) ? 'its objects hold a secret in plain text' : undefined;
}

async function draftsOf(resource: ApiResource, probe: Probe, operations: readonly ApiOperation[]): Promise<Draft[]> {
  // The drafts of the resource before have written.
  await probe.reset();
  const page = resource.list === undefined ? undefined : await pageOf(resource.list, probe);
  return [...listDrafts(resource, page, operations), ...itemDrafts(resource), ...(await writeDrafts(resource, probe))];
}

const PAGE = ['page', 'pagenumber'];
const OFFSET = ['offset', 'skip'];

/** Two rows at a time, as far as the parameters of the list and the fake's answers bear it out. */
async function pageOf({ operation, path, query, rows }: Listed, probe: Probe): Promise<Page | undefined> {
  const named = (names: readonly string[]) =>
    operation.parameters.find((one) => one.in === 'query' && names.includes(wordsOf(one.name).join('')))?.name;
  const [size, page, offset] = [sizeParameter(operation)?.name, named(PAGE), named(OFFSET)];
  if (size === undefined || rows.length < 3) return undefined;
  const ways: { query: Json; from: number; said: string }[] = [
    ...(page === undefined ? [] : [{ query: { [size]: 2, [page]: 2 }, from: 2, said: 'the second page' }]),
    ...(offset === undefined ? [] : [{ query: { [size]: 2, [offset]: 2 }, from: 2, said: 'the second page' }]),
    { query: { [size]: 2 }, from: 0, said: 'the first page' },
  ];
  for (const way of ways) {
    const { json } = await probe.call(operation, { path, query: { ...query, ...way.query } });
    const wanted = rows.slice(way.from, way.from + 2);
    if (JSON.stringify(rowsIn(json)) === JSON.stringify(wanted))
      return { query: way.query, rows: wanted, said: way.said };
  }
  return undefined;
}

const needed = ({ steps, kind }: Draft): Set<string>[] => neededOf({ steps, suite: kind });

/** What the server can be asked about comes before what it cannot. */
function withToolsFirst(resources: readonly ApiResource[], hasTool: (key: string) => boolean): ApiResource[] {
  const reads = ({ list, item }: ApiResource) =>
    [list?.operation, item?.operation].filter((one) => one !== undefined && hasTool(`${one.method} ${one.path}`));
  return [...resources].sort((a, b) => reads(b).length - reads(a).length);
}

/** One draft of each kind in turn until there are enough: first those that need an operation which none needs yet. */
function picked(told: readonly (readonly Draft[])[], most: number): Draft[] {
  const waiting = KINDS.map((kind) =>
    told.map((drafts) => drafts.filter((draft) => draft.kind === kind)).filter((queue) => queue.length > 0),
  );
  const seen = new Set<string>();
  const chosen = new Map<string, Draft>();
  for (let more = true; more && chosen.size < most; ) {
    more = false;
    for (const queues of waiting) {
      const draft = takeNext(queues, seen);
      if (draft === undefined || chosen.size >= most) continue;
      more = true;
      chosen.set(`${draft.kind}/${draft.name}`, draft);
      for (const key of needed(draft).flatMap((keys) => [...keys])) seen.add(key);
    }
  }
  return [...chosen.values()].sort(
    (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1),
  );
}

/** Takes a draft out of its queue, and puts that queue last. */
function takeNext(queues: Draft[][], seen: ReadonlySet<string>): Draft | undefined {
  const isNew = (draft: Draft) => needed(draft).some((keys) => ![...keys].some((key) => seen.has(key)));
  const at = Math.max(
    0,
    queues.findIndex((queue) => queue.some(isNew)),
  );
  const [queue] = queues.splice(at, 1);
  if (queue === undefined) return undefined;
  const index = Math.max(0, queue.findIndex(isNew));
  const [draft] = queue.splice(index, 1);
  if (queue.length > 0) queues.push(queue);
  return draft;
}
