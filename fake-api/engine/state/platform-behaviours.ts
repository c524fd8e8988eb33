/** Finds the behaviour of a platform: the folder `platform-behaviours/` is the registry, `<platform>.ts` exports it by default. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour } from './platform-behaviour.ts';

export async function platformBehaviourOf(platform: string): Promise<PlatformBehaviour> {
  const file = join(import.meta.dirname, 'platform-behaviours', `${platform}.ts`);
  if (!PLATFORM.test(platform) || !existsSync(file)) return NO_PLATFORM_BEHAVIOUR;
  const module = (await import(pathToFileURL(file).href)) as { default: PlatformBehaviour };
  return module.default;
}

/** The parts of one world stand beside it with a dash in their names, and no platform has one. */
const PLATFORM = /^[a-z0-9]+$/;
