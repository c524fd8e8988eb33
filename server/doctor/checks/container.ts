/** The container form, where the setup wrote it: the overlay, the files it names, and programs that can start it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LAYOUT } from '../../config/setup-layout.ts';
import { yaml } from '../../lazy-import.ts';
import { COMPOSE_FILE as BASE } from '../container-form.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';

const LEAST_COMPOSE = [2, 20, 2] as const;
const CONTAINER_USER = 10001;

export default {
  id: 'container',
  order: 280,
  look: (place) => {
    const path = join(place.directory, LAYOUT.overlay);
    if (!existsSync(path)) return [ok('container', 'not set up; setup --docker does it')];
    const overlay = parse(path);
    const again = place.command('setup', '--docker', '--force');
    if (overlay === undefined)
      return [fail('container overlay', `${LAYOUT.overlay} is not YAML with services and secrets`, again)];
    return [ok('container overlay', LAYOUT.overlay), base(place), ...secrets(overlay, place, again), compose(place)];
  },
} satisfies Check;

type Overlay = { services: object; secrets: Record<string, { file?: unknown }> };

function parse(path: string): Overlay | undefined {
  try {
    const value = yaml().parse(readFileSync(path, 'utf8'), { maxAliasCount: 100 }) as Partial<Overlay> | null;
    return value?.services && value.secrets ? (value as Overlay) : undefined;
  } catch {
    return undefined;
  }
}

/** The overlay says what differs; the services themselves are those of the checkout. */
function base({ directory }: Installation): Finding {
  return existsSync(join(directory, BASE))
    ? ok('container services', BASE)
    : warn('container services', `${BASE} is not beside ${LAYOUT.overlay}`, 'set the container form up in a checkout');
}

function secrets(overlay: Overlay, { directory }: Installation, again: string): Finding[] {
  const files = Object.values(overlay.secrets).map(({ file }) => join(directory, String(file)));
  const absent = files.filter((file) => !existsSync(file));
  if (absent.length > 0) return absent.map((file) => fail('container secrets', `${file} is not there`, again));
  const empty = files.filter((file) => statSync(file).size === 0);
  if (empty.length > 0)
    return empty.map((file) =>
      fail('container secrets', `${file} is empty, and the router would refuse to start`, again),
    );
  const owned = files.every((file) => process.platform !== 'linux' || statSync(file).uid === CONTAINER_USER);
  return [
    ok(
      'container secrets',
      `${files.length}, ${owned ? 'owned by' : 'at the next start given to'} the user of the container`,
    ),
  ];
}

function compose({ processEnvironment }: Installation): Finding {
  const least = LEAST_COMPOSE.join('.');
  const remedy = `install Docker Compose ${least} or newer, with BuildKit (buildx)`;
  const version = said(processEnvironment, ['compose', 'version', '--short']);
  if (version === undefined) return warn('container engine', 'docker compose cannot be run here', remedy);
  if (isOlder(version)) return warn('container engine', `compose ${version} is older than ${least}`, remedy);
  if (said(processEnvironment, ['buildx', 'version']) === undefined)
    return warn('container engine', 'BuildKit (docker buildx) is not there', remedy);
  return ok('container engine', `compose ${version} with BuildKit`);
}

function said(env: Installation['processEnvironment'], words: string[]): string | undefined {
  try {
    return execFileSync('docker', words, {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    }).trim();
  } catch {
    return undefined;
  }
}

function isOlder(version: string): boolean {
  const parts = version.replace(/^v/, '').split(/[.+-]/).map(Number);
  for (const [at, least] of LEAST_COMPOSE.entries()) if ((parts[at] ?? 0) !== least) return (parts[at] ?? 0) < least;
  return false;
}
