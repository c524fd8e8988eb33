/** Which platform has a world of its own. */
import { QUIET_WORLD, type World } from './world.ts';
import { mgmtWorld } from './worlds/mgmt.ts';

const WORLDS: Record<string, World> = { mgmt: mgmtWorld };

export function worldOf(platform: string): World {
  return WORLDS[platform] ?? QUIET_WORLD;
}
