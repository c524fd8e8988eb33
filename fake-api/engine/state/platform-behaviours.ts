/** Finds the behaviour of a platform: the folder `platform-behaviours/` is the registry, `<platform>.ts` exports it by default. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { QUIET_WORLD, type World } from './platform-behaviour.ts';

export async function worldOf(platform: string): Promise<World> {
  const file = join(import.meta.dirname, 'platform-behaviours', `${platform}.ts`);
  if (!PLATFORM.test(platform) || !existsSync(file)) return QUIET_WORLD;
  const module = (await import(pathToFileURL(file).href)) as { default: World };
  return module.default;
}

/** The parts of one world stand beside it with a dash in their names, and no platform has one. */
const PLATFORM = /^[a-z0-9]+$/;
