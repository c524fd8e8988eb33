/** Which platform has a world of its own. */
import { QUIET_WORLD, type World } from './world.ts';

const WORLDS: Record<string, World> = {};

export function worldOf(platform: string): World {
  return WORLDS[platform] ?? QUIET_WORLD;
}
