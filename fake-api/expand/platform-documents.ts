/** The expanded documents of platforms, from var/openapi while its inputs are unchanged, else expanded and written. */
import { join } from 'node:path';
import type { OpenApiDocument } from './assemble-document.ts';
import { sorted } from './canonical-document.ts';
import { platformsFolder } from './model/platforms-folder.ts';
import { inputsDigests, openApiFolder, readDocuments, writeDocuments, writtenFrom } from './write-documents.ts';

export interface Places {
  readonly platforms?: string;
  readonly output?: string;
}

/** Platform id → document name → OpenAPI 3.1 document. */
export async function platformDocuments(
  platformIds: readonly string[],
  places: Places = {},
): Promise<Map<string, Map<string, OpenApiDocument>>> {
  const models = places.platforms ?? platformsFolder;
  const digests = await inputsDigests(platformIds, models);
  const read = [...digests].map(async ([id, inputs]) => {
    const folder = join(places.output ?? openApiFolder, id);
    return { id, folder, inputs, ready: await readDocuments(folder, inputs) };
  });
  const result = new Map<string, Map<string, OpenApiDocument>>();
  // Read side by side, because most of reading is waiting; expanded one after the other, because none of that is.
  for (const { id, folder, inputs, ready } of await Promise.all(read)) {
    const documents = ready as Map<string, OpenApiDocument> | null;
    result.set(id, documents ?? (await expandAndWrite(id, models, folder, inputs)));
  }
  return result;
}

/** Makes the documents of these platforms where they are missing or their models changed. */
export async function ensureDocuments(platformIds: readonly string[], places: Places = {}): Promise<void> {
  const models = places.platforms ?? platformsFolder;
  const digests = await inputsDigests(platformIds, models);
  const noted = [...digests].map(async ([id, inputs]) => {
    const folder = join(places.output ?? openApiFolder, id);
    return { id, folder, inputs, stale: (await writtenFrom(folder)) !== inputs };
  });
  for (const { id, folder, inputs, stale } of await Promise.all(noted))
    if (stale) await expandAndWrite(id, models, folder, inputs);
}

async function expandAndWrite(
  id: string,
  models: string,
  folder: string,
  inputs: string,
): Promise<Map<string, OpenApiDocument>> {
  // Whoever finds the documents ready, as nearly everybody does, has no need of the expander.
  const [{ expandPlatform }, { readPlatform }] = await Promise.all([
    import('./assemble-document.ts'),
    import('./model/platform-folder-model.ts'),
  ]);
  const expanded = expandPlatform(await readPlatform(id, models));
  const documents = new Map(expanded.map(({ name, document }) => [name, sorted(document) as OpenApiDocument]));
  await writeDocuments(folder, documents, inputs);
  return documents;
}
