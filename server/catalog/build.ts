/** Platform files + their documents → the tools of the catalog, named, linked and in a fixed order. */
import { basename, extname, resolve } from 'node:path';
import { isGated } from '../access/access-policy.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { haveDistinctRequests } from './distinct-requests.ts';
import { type Draft, type Quarantined, readOperations } from './document-operations.ts';
import { TargetReads } from './link-targets.ts';
import { type Nameable, nameOperations, wantedName } from './name.ts';
import type { Lowered } from './operation-class.ts';
import { type ApiDocument, documentFiles, readDocument } from './platform-document.ts';
import { linkPreviewReads, waitingListOf } from './preview-reads.ts';
import type { BuiltTool, JsonSchema, Tool } from './tool.ts';

export interface CatalogDocument {
  platform: string;
  document: ApiDocument;
}

export interface BuiltCatalog {
  tools: BuiltTool[];
  documents: CatalogDocument[];
  quarantined: Quarantined[];
  notes: string[];
}

export interface BuildOptions {
  /** Tools of this router itself. */
  local: readonly BuiltTool[];
  /** Names of tools that are no operations and not in the catalog either. */
  reserved?: readonly string[];
  /** With the write tools of optional products; without, only what they read and diagnose. */
  complete: boolean;
}

export function buildCatalog(
  root: string,
  platforms: readonly PlatformDefinition[],
  options: BuildOptions,
): BuiltCatalog {
  const catalog: BuiltCatalog = { tools: [...options.local], documents: [], quarantined: [], notes: [] };
  for (const platform of platforms) {
    if (platform.kind !== 'user') {
      addPlatform(catalog, platform, readDocuments(catalog, root, platform), options);
      continue;
    }
    // A fault in a user's document, or one of ours that only such a document shows, must not disable other platforms.
    const own = copyOf(catalog);
    try {
      addPlatform(own, platform, readDocuments(own, root, platform), options);
      Object.assign(catalog, own);
    } catch (error) {
      const reason = error instanceof RouterError ? error.message : `it could not be read: ${(error as Error).message}`;
      catalog.quarantined.push(wholeDocument(platform.id, '*', reason));
    }
  }
  catalog.tools.sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  return catalog;
}

const copyOf = ({ tools, documents, quarantined, notes }: BuiltCatalog): BuiltCatalog => ({
  tools: [...tools],
  documents: [...documents],
  quarantined: [...quarantined],
  notes: [...notes],
});

/** The tools that one platform would add to a catalog, from documents that are not on disk yet. */
export function buildPlatform(
  platform: PlatformDefinition,
  documents: readonly ApiDocument[],
  options: BuildOptions,
): BuiltCatalog {
  const catalog: BuiltCatalog = { tools: [...options.local], documents: [], quarantined: [], notes: [] };
  addPlatform(catalog, platform, documents, options);
  return { ...catalog, tools: catalog.tools.filter(({ tool }) => !tool.local) };
}

/** Result of the operator's statements about operations of a platform: accepted, or the reason for the refusal. */
export function loweredOperations(platform: PlatformDefinition, documents: readonly ApiDocument[]): Lowered[] {
  const read = documents.map((document) => readOperations(platform, document));
  const used = new Set(read.flatMap((part) => part.overridesUsed));
  const gone = Object.entries(platform.overrides)
    .filter(([operation, { operation_digest }]) => operation_digest !== undefined && !used.has(operation))
    .map(
      ([operation, { capability }]): Lowered => ({
        operation,
        capability,
        lapsed: 'but the documents no longer contain it',
      }),
    );
  return [...read.flatMap((part) => part.lowered), ...gone];
}

function readDocuments(catalog: BuiltCatalog, root: string, platform: PlatformDefinition): ApiDocument[] {
  const folder = resolve(root, platform.documents);
  const files = documentFiles(folder);
  if (files.length === 0) {
    throw new RouterError('DOCUMENTS_MISSING', `${platform.id}: no OpenAPI documents at ${folder}`, {
      details: { platform: platform.id },
    });
  }
  return files.flatMap((file) => {
    try {
      return [readDocument(file)];
    } catch (error) {
      if (platform.kind !== 'user' || !(error instanceof RouterError)) throw error;
      catalog.quarantined.push(wholeDocument(platform.id, basename(file, extname(file)), error.message));
      return [];
    }
  });
}

const wholeDocument = (platform: string, document: string, reason: string): Quarantined => ({
  platform,
  document,
  operation: '*',
  pointer: '',
  reason,
});

function addPlatform(
  catalog: BuiltCatalog,
  platform: PlatformDefinition,
  documents: readonly ApiDocument[],
  { reserved = [], complete }: BuildOptions,
): void {
  const read = documents.map((document) => readOperations(platform, document));
  const used = new Set(read.flatMap((part) => part.overridesUsed));
  const absent = Object.keys(platform.overrides).filter((key) => !used.has(key));
  const isLapsed = (key: string) => platform.overrides[key]?.operation_digest !== undefined;
  for (const key of absent.filter(isLapsed))
    catalog.notes.push(`${platform.id}/*: ${key} was lowered by the operator and is gone from the documents`);
  const unmatched = absent.filter((key) => !isLapsed(key));
  if (unmatched.length > 0) {
    throw new RouterError(
      'OVERRIDE_UNMATCHED',
      `${platform.id}: no operation matches the override${unmatched.length > 1 ? 's' : ''} ${unmatched.join(', ')}`,
    );
  }
  catalog.documents.push(...documents.map((document) => ({ platform: platform.id, document })));
  catalog.quarantined.push(...read.flatMap((part) => part.quarantined));
  catalog.notes.push(...new Set(read.flatMap((part) => part.notes)));
  const drafts = oncePerRequest(
    catalog,
    platform.id,
    read.flatMap((part) => part.drafts),
  );
  const operations = drafts.map(({ operationId, method, path }) => ({
    platform: platform.id,
    operationId,
    method,
    path,
  }));
  const taken = new Set([...reserved, ...catalog.tools.flatMap(({ tool }) => (tool.local ? [tool.name] : []))]);
  const names = nameOperations(operations, taken);
  drafts.forEach((draft, i) => {
    const { tool } = draft.built;
    tool.name = names[i] as string;
    const wanted = wantedName(operations[i] as Nameable);
    if (platform.kind === 'user' && taken.has(wanted))
      catalog.notes.push(
        `${platform.id}/${tool.document}: ${draft.method} ${draft.path} would be called ${wanted}, as a tool of this router is: its name ends in a digest`,
      );
  });
  linkDrafts(drafts, catalog.notes);
  if (platform.kind === 'user') countWhatIsCleared(drafts);
  const hidden = platform.kind === 'product' && !complete;
  for (const { built } of drafts)
    if (!hidden || built.tool.capability === 'read' || built.tool.capability === 'diagnostic')
      catalog.tools.push(built);
}

/**
 * Two templates that differ only in the names of their parameters are one address (OpenAPI, Paths Object), and so are two that differ
 * in a fragment. The first operation read there decides what a call may do. Another one stays where a parameter with one value tells
 * them apart, or where it is of the same document and class: documents state resources of several kinds there, told apart by what
 * their names begin with, and which of the two a caller names changes nothing.
 */
function oncePerRequest(catalog: BuiltCatalog, platform: string, drafts: readonly Draft[]): Draft[] {
  const byAddress = new Map<string, Draft[]>();
  const kept: Draft[] = [];
  for (const draft of drafts) {
    const { tool } = draft.built;
    const key = `${tool.method} ${tool.path.replace(/\{[^}]*\}/g, '{}')}`;
    const others = byAddress.get(key) ?? [];
    const rival = others.find((other) => !isAlike(other, draft) && !haveDistinctRequests(other.built, draft.built));
    if (rival === undefined) {
      byAddress.set(key, [...others, draft]);
      kept.push(draft);
      continue;
    }
    const where = rival.built.tool.document === tool.document ? '' : ` of ${rival.built.tool.document}`;
    const reason = `is the same address as ${rival.method} ${rival.path}${where}: correct one of the two paths`;
    const { method, path, pointer } = draft;
    catalog.quarantined.push({ platform, document: tool.document, operation: `${method} ${path}`, pointer, reason });
  }
  return kept;
}

const isAlike = (left: Draft, right: Draft): boolean =>
  left.built.tool.document === right.built.tool.document &&
  left.built.tool.capability === right.built.tool.capability &&
  left.path !== right.path;

/** Names one tool inside another: the reads of what a write changes, the poll of a start, the newer twin of an old form. */
function linkDrafts(drafts: readonly Draft[], notes: string[]): void {
  const byOperation = toolsByOperationId(drafts, notes);
  const byKey = new Map(drafts.map((draft) => [`${draft.method} ${draft.path}`, draft.built.tool]));
  const targets = new TargetReads(drafts.map(({ built }) => built.tool));
  for (const draft of drafts) linkTool(draft, byOperation, byKey, targets);
  linkCommits(drafts);
}

/** Where one operation puts into effect what waits; with several the document does not say which. */
function linkCommits(drafts: readonly Draft[]): void {
  const [commit, another] = drafts.filter(({ stage }) => stage === 'commits');
  if (commit === undefined || another !== undefined) return;
  for (const { stage, built } of drafts)
    if (stage === 'waits' && isGated(built.tool.capability)) built.tool.commit = commit.built.tool.name;
}

/** A document says nothing of what hangs on a collection that is deleted: the preview counts what stands in it. */
function countWhatIsCleared(drafts: readonly Draft[]): void {
  const tools = drafts.map(({ built }) => built.tool);
  for (const tool of tools.filter(({ method }) => method === 'DELETE')) {
    const list = tools.find(({ method, path }) => method === 'GET' && path === tool.path);
    if (list?.list === undefined || list.capability !== 'read' || tool.previewReads !== undefined) continue;
    const needed = list.parameters.filter(({ required }) => required).map(({ argument }) => argument);
    const filled = Object.fromEntries(needed.map((argument) => [argument, `{${argument}}`]));
    tool.previewReads = [{ tool: list.name, arguments: filled, tells: 'count', how: 'are in the collection' }];
  }
}

/** An operationId that names two operations names neither. */
function toolsByOperationId(drafts: readonly Draft[], notes: string[]): Map<string, Tool | null> {
  const byOperation = new Map<string, Tool | null>();
  for (const { operationId, built } of drafts) {
    if (operationId === null) continue;
    const twice = byOperation.has(operationId);
    byOperation.set(operationId, twice ? null : built.tool);
    if (twice)
      notes.push(
        `${built.tool.platform}/${built.tool.document}: operationId ${JSON.stringify(operationId)} is used more than once; the tools' names end in a digest`,
      );
  }
  return byOperation;
}

function linkTool(
  { built, method, path, pollOperation, replacedBy, previewReads }: Draft,
  byOperation: ReadonlyMap<string, Tool | null>,
  byKey: ReadonlyMap<string, Tool>,
  targets: TargetReads,
): void {
  const { tool } = built;
  const reader = method === 'GET' ? undefined : byKey.get(`GET ${path}`);
  if (reader?.capability === 'read' && (reader.list === undefined || isReplacedWhole(built, reader)))
    tool.reader = reader.name;
  Object.assign(
    tool,
    linkPreviewReads(previewReads, (operation) => byOperation.get(operation)),
  );
  // Where nothing else shows what it is about, it is about the changes that wait.
  const target = targets.above(tool)?.name ?? waitingListOf(tool);
  if (target !== undefined) tool.target = target;
  const poll = pollOperation === undefined ? undefined : byOperation.get(pollOperation);
  if (poll) tool.poll = { tool: poll.name, path: poll.path };
  const twin = replacedBy === undefined ? undefined : (byOperation.get(replacedBy) ?? byKey.get(replacedBy));
  if (twin) tool.twin = twin.name;
}

/** A list takes the place of the one that the read answers whole, without pages or filters. */
function isReplacedWhole({ tool, schema }: BuiltTool, { list, parameters }: Tool): boolean {
  if (tool.method !== 'PUT' || list?.property !== null || list.keyed) return false;
  const { body } = (schema['properties'] ?? {}) as { body?: JsonSchema };
  const name = String(body?.['$ref'] ?? '').slice('#/$defs/'.length);
  const stated = ((schema['$defs'] ?? {}) as Record<string, JsonSchema>)[name] ?? body;
  return stated?.['type'] === 'array' && parameters.every((parameter) => parameter.in === 'path');
}
