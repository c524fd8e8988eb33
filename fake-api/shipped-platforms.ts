/**
 * The shipped platforms, and what their fixtures are prepared with. Reading them is most of a start, so a process that starts
 * several fakes reads each state of their models once: platforms and prepared rows never change, every namespace shares them.
 */
import type { PrepareFixture } from './control/namespaces.ts';
import type { OpenApiDocument } from './engine/openapi/openapi-document.ts';
import { type Platform, readPlatform } from './engine/openapi/served-platform.ts';
import { listPlatforms, platformsFolder } from './expand/model/platforms-folder.ts';
import { platformDocuments } from './expand/platform-documents.ts';
import { inputsDigests } from './expand/write-documents.ts';
import { checkedBundles } from './fixtures/checked-bundles.ts';
import { fixturePreparer } from './fixtures/prepare-bundle.ts';

export interface ShippedPlatforms {
  /** By id, in the order asked for. */
  platforms: ReadonlyMap<string, Platform>;
  /** Platform id to document id to document. */
  documents: ReadonlyMap<string, Documents>;
  prepare: PrepareFixture;
}

type Documents = ReadonlyMap<string, OpenApiDocument>;

interface ReadPlatform {
  platform: Platform;
  documents: Documents;
}

/** By id and digest of the models. */
const platformsRead = new Map<string, ReadPlatform>();
/** By the marks of the platforms. */
const preparers = new Map<string, PrepareFixture>();

/** Those of `ids`, or all. */
export async function shippedPlatforms(ids?: readonly string[]): Promise<ShippedPlatforms> {
  const digests = await inputsDigests(ids ?? (await listPlatforms()), platformsFolder);
  const markOf = (id: string) => `${id} ${digests.get(id)}`;
  const missing = [...digests.keys()].filter((id) => !platformsRead.has(markOf(id)));
  for (const [id, own] of await platformDocuments(missing)) {
    const documents = own as unknown as Documents;
    platformsRead.set(markOf(id), {
      platform: readPlatform({ id, documents: Object.fromEntries(documents) }),
      documents,
    });
  }
  const known = [...digests.keys()].map((id) => [id, platformsRead.get(markOf(id)) as ReadPlatform] as const);
  const platforms = new Map(known.map(([id, { platform }]) => [id, platform]));
  const documents = new Map(known.map(([id, own]) => [id, own.documents]));
  const models = JSON.stringify([...digests]);
  const prepare = preparers.get(models) ?? fixturePreparer(platforms, await checkedBundles(models));
  preparers.set(models, prepare);
  return { platforms, documents, prepare };
}
