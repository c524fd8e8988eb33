/** Everything that is shipped, on one campus: documents, platforms, worlds and the state they start from. */
import type { PreparedFixture } from '../control/namespaces.ts';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { type Platform, readPlatform } from '../engine/openapi/served-platform.ts';
import type { PlatformBehaviour } from '../engine/state/platform-behaviour.ts';
import { platformBehaviourOf } from '../engine/state/platform-behaviours.ts';
import { State } from '../engine/state/state.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { platformDocuments } from '../expand/platform-documents.ts';
import { readBundle } from '../fixtures/bundle.ts';
import { prepare } from '../fixtures/prepare-bundle.ts';

export interface Installation {
  /** Ids of the platforms: the folders of the models. */
  ids: string[];
  documents: Map<string, Map<string, OpenApiDocument>>;
  platforms: Map<string, Platform>;
  worlds: Map<string, PlatformBehaviour>;
  fixture: PreparedFixture;
}

/** All platforms, or those of them that are named. */
export async function shippedInstallation(
  only?: readonly string[],
  bundleName = 'small-campus',
  seed?: number,
): Promise<Installation> {
  const ids = only === undefined ? await listPlatforms() : [...only];
  const documents = (await platformDocuments(ids)) as unknown as Map<string, Map<string, OpenApiDocument>>;
  const platforms = new Map<string, Platform>();
  const worlds = new Map<string, PlatformBehaviour>();
  for (const id of ids) {
    platforms.set(id, readPlatform({ id, documents: Object.fromEntries(documents.get(id) ?? []) }));
    worlds.set(id, await platformBehaviourOf(id));
  }
  const bundle = await readBundle(bundleName);
  return { ids, documents, platforms, worlds, fixture: prepare(bundle, seed ?? bundle.facts.seed, platforms) };
}

/** A namespace that nobody has touched, with one platform in it: what its answers depend on is made on demand. */
export function freshState({ platforms, fixture }: Installation, id: string): State {
  return new State(new Map([[id, platforms.get(id) as Platform]]), fixture.rows, fixture);
}
