/** The expanded documents of platforms, from var/openapi while its inputs are unchanged, else expanded and written. */
import { join } from 'node:path';
import { sorted } from './canonical.ts';
import { expandPlatform, type OpenApiDocument } from './document.ts';
import { platformsFolder, readPlatform } from './platform.ts';
import { inputsDigest, openApiFolder, readDocuments, writeDocuments, writtenFrom } from './write.ts';

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
  const result = new Map<string, Map<string, OpenApiDocument>>();
  for (const id of platformIds) {
    const folder = join(places.output ?? openApiFolder, id);
    const inputs = await inputsDigest(id, models);
    const ready = await readDocuments(folder, inputs);
    result.set(
      id,
      (ready as Map<string, OpenApiDocument> | null) ?? (await expandAndWrite(id, models, folder, inputs)),
    );
  }
  return result;
}

/** Makes the documents of these platforms where they are missing or their models changed. */
export async function ensureDocuments(platformIds: readonly string[], places: Places = {}): Promise<void> {
  const models = places.platforms ?? platformsFolder;
  for (const id of platformIds) {
    const folder = join(places.output ?? openApiFolder, id);
    const inputs = await inputsDigest(id, models);
    if ((await writtenFrom(folder)) !== inputs) await expandAndWrite(id, models, folder, inputs);
  }
}

async function expandAndWrite(
  id: string,
  models: string,
  folder: string,
  inputs: string,
): Promise<Map<string, OpenApiDocument>> {
  const expanded = expandPlatform(await readPlatform(id, models));
  const documents = new Map(expanded.map(({ name, document }) => [name, sorted(document) as OpenApiDocument]));
  await writeDocuments(folder, documents, inputs);
  return documents;
}
