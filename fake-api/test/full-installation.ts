/** Everything that is shipped, on one campus: documents, platforms, worlds and the state they start from. */
import type { PreparedFixture } from '../control/namespaces.ts';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import type { PlatformBehaviour } from '../engine/state/platform-behaviour.ts';
import { platformBehaviourOf } from '../engine/state/platform-behaviours.ts';
import { State } from '../engine/state/state.ts';
import { shippedPlatforms } from '../shipped-platforms.ts';

export interface Installation {
  /** Ids of the platforms: the folders of the models. */
  ids: string[];
  documents: ReadonlyMap<string, ReadonlyMap<string, OpenApiDocument>>;
  platforms: ReadonlyMap<string, Platform>;
  worlds: Map<string, PlatformBehaviour>;
  fixture: PreparedFixture;
}

/** All platforms, or those of them that are named. */
export async function shippedInstallation(
  only?: readonly string[],
  bundleName = 'small-campus',
  seed?: number,
): Promise<Installation> {
  const { platforms, documents, prepare } = await shippedPlatforms(only);
  const ids = [...platforms.keys()];
  const worlds = new Map<string, PlatformBehaviour>();
  for (const id of ids) worlds.set(id, await platformBehaviourOf(id));
  return { ids, documents, platforms, worlds, fixture: await prepare(bundleName, seed ?? null) };
}

/** A namespace that nobody has touched, with one platform in it: what its answers depend on is made on demand. */
export function freshState({ platforms, fixture }: Installation, id: string): State {
  return new State(new Map([[id, platforms.get(id) as Platform]]), fixture.rows, fixture);
}
