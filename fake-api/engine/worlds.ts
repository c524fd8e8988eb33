/** Which platform has a world of its own: the folder `worlds/` is the registry, `worlds/<platform>.ts` its default export. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QUIET_WORLD, type World } from './world.ts';

export async function worldOf(platform: string): Promise<World> {
  const file = join(import.meta.dirname, 'worlds', `${platform}.ts`);
  if (!PLATFORM.test(platform) || !existsSync(file)) return QUIET_WORLD;
  const module = (await import(`./worlds/${platform}.ts`)) as { default: World };
  return module.default;
}

/** The parts of one world stand beside it with a dash in their names, and no platform has one. */
const PLATFORM = /^[a-z0-9]+$/;
