/** Platform files + their documents → the tools of the catalog, named, linked and in a fixed order. */
import { join } from 'node:path';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { type ApiDocument, documentFiles, readDocument } from './document.ts';
import { nameOperations } from './name.ts';
import { type Draft, type Quarantined, readOperations } from './operations.ts';
import type { BuiltTool } from './tool.ts';

export interface BuiltCatalog {
  tools: BuiltTool[];
  documents: { platform: string; id: string; file: string }[];
  quarantined: Quarantined[];
  notes: string[];
}

export function buildCatalog(root: string, platforms: readonly PlatformDefinition[]): BuiltCatalog {
  const catalog: BuiltCatalog = { tools: [], documents: [], quarantined: [], notes: [] };
  for (const platform of platforms) {
    const folder = join(root, platform.documents);
    const files = documentFiles(folder);
    if (files.length === 0) {
      throw new RouterError('DOCUMENTS_MISSING', `${platform.id}: no OpenAPI documents at ${folder}`, {
        details: { platform: platform.id },
      });
    }
    const documents = files.map(readDocument);
    catalog.documents.push(...documents.map(({ id, file }) => ({ platform: platform.id, id, file })));
    addPlatform(catalog, platform, documents);
  }
  catalog.tools.sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  return catalog;
}

function addPlatform(catalog: BuiltCatalog, platform: PlatformDefinition, documents: readonly ApiDocument[]): void {
  const read = documents.map((document) => readOperations(platform, document));
  const used = new Set(read.flatMap((part) => part.overridesUsed));
  const unmatched = Object.keys(platform.overrides).filter((key) => !used.has(key));
  if (unmatched.length > 0) {
    throw new RouterError(
      'OVERRIDE_UNMATCHED',
      `${platform.id}: no operation matches the override${unmatched.length > 1 ? 's' : ''} ${unmatched.join(', ')}`,
    );
  }
  catalog.quarantined.push(...read.flatMap((part) => part.quarantined));
  catalog.notes.push(...read.flatMap((part) => part.notes));
  const drafts = read.flatMap((part) => part.drafts);
  const names = nameOperations(
    drafts.map(({ operationId, method, path }) => ({ platform: platform.id, operationId, method, path })),
  );
  drafts.forEach((draft, i) => {
    draft.built.tool.name = names[i] as string;
  });
  linkDrafts(drafts);
  catalog.tools.push(...drafts.map((draft) => draft.built));
}

/** Names one tool inside another: the reader of what a write changes, the poll of a start, the newer twin of an old form. */
function linkDrafts(drafts: readonly Draft[]): void {
  const byOperation = new Map(
    drafts.flatMap((draft) => (draft.operationId ? [[draft.operationId, draft.built.tool] as const] : [])),
  );
  const byKey = new Map(drafts.map((draft) => [`${draft.method} ${draft.path}`, draft.built.tool]));
  for (const { built, method, path, pollOperation, twinOf } of drafts) {
    const { tool } = built;
    const reader = method === 'GET' ? undefined : byKey.get(`GET ${path}`);
    if (reader?.capability === 'read' && reader.list === undefined) tool.reader = reader.name;
    const poll = pollOperation === undefined ? undefined : byOperation.get(pollOperation);
    if (poll) tool.poll = { tool: poll.name, path: poll.path };
    const twin = twinOf === undefined ? undefined : (byOperation.get(twinOf) ?? byKey.get(twinOf));
    if (twin) tool.twin = twin.name;
  }
}
