/** The container form, seen from the host: the settings that compose gives the router, with its secrets where they lie here. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOurs, readDotEnv } from '../config/dot-env.ts';
import type { RawEnvironment } from '../config/environment.ts';
import { isSecretShaped } from '../config/secret-files.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { VARIABLES, type Variable } from '../config/variables.ts';
import { yaml } from '../lazy-import.ts';

/** The services themselves; the overlay says what differs. */
export const COMPOSE_FILE = 'compose.yaml';
const SERVICE = 'mcp-router';
const MOUNTED = '/run/secrets/';
/** What the image sets (docker/Dockerfile), and folders below its home. */
export const IMAGE_ENVIRONMENT = {
  MCP_TRANSPORT: 'streamable-http',
  MCP_PORT: '8010',
  SVC_MCP_STATE_DIR: '/app/state',
};
const IN_HOME = { SVC_MCP_CONFIG_DIR: '/home/mcp/.config/svc-mcp', TOKEN_CACHE_DIR: '/home/mcp/.cache/svc-mcp' };

export interface ContainerForm {
  environment: RawEnvironment;
  /** Settings of `.env` that compose does not pass to the router. */
  unpassed: readonly string[];
  /** Where the host publishes it: `address:port:port`. */
  published: string;
  /** Secret files that are there and not ours to read: they belong to the user of the container. */
  locked: readonly string[];
}

interface ComposeFile {
  services?: Record<string, { environment?: Record<string, unknown>; ports?: unknown[] }>;
  secrets?: Record<string, { file?: unknown }>;
}

/** Undefined where there is no overlay that can be read, and where `.env` sets up a router on the host as well. */
export function containerForm(directory: string, processEnvironment: RawEnvironment): ContainerForm | undefined {
  const overlay = readCompose(join(directory, LAYOUT.overlay));
  const service = overlay?.services?.[SERVICE];
  if (service?.environment === undefined) return undefined;
  const dotEnv = valuesIn(join(directory, LAYOUT.env));
  if (dotEnv === undefined || dotEnv['MCP_TRANSPORT'] !== undefined) return undefined;
  const known = { ...dotEnv, ...processEnvironment };
  const locked: string[] = [];
  const passed = {
    ...readCompose(join(directory, COMPOSE_FILE))?.services?.[SERVICE]?.environment,
    ...service.environment,
  };
  // The container has no `.env`.
  const environment: RawEnvironment = { ...IMAGE_ENVIRONMENT, ...IN_HOME, SVC_MCP_DOTENV: '0' };
  for (const [name, value] of Object.entries(passed)) {
    const text = interpolated(String(value), known);
    const file = text.startsWith(MOUNTED) ? overlay?.secrets?.[text.slice(MOUNTED.length)]?.file : undefined;
    const path = file === undefined ? text : join(directory, String(file));
    environment[name] = path;
    if (file === undefined || !isLocked(path)) continue;
    locked.push(path);
    // One that cannot be read refuses the settings as a whole.
    if (name.endsWith('_FILE')) delete environment[name];
  }
  const unpassed = unpassedOf(dotEnv, Object.values(passed).map(String));
  return { environment, unpassed, published: String(service.ports?.[0] ?? 'nowhere'), locked };
}

function readCompose(path: string): ComposeFile | undefined {
  try {
    return yaml().parse(readFileSync(path, 'utf8'), { merge: true, maxAliasCount: 100 }) as ComposeFile;
  } catch {
    return undefined;
  }
}

function valuesIn(path: string): RawEnvironment | undefined {
  try {
    return readDotEnv(path).values;
  } catch {
    return undefined;
  }
}

function unpassedOf(dotEnv: RawEnvironment, passed: readonly string[]): string[] {
  const isPassed = (name: string) => passed.some((text) => text.includes(`\${${name}:-`));
  const isDefault = (name: string, value: string) => value === (VARIABLES as Record<string, Variable>)[name]?.default;
  return Object.entries(dotEnv).flatMap(([name, value = '']) =>
    !isOurs(name) || isSecretShaped(name) || value === '' || isDefault(name, value) || isPassed(name) ? [] : [name],
  );
}

/** As compose does it: what is set to nothing counts as not set. */
function interpolated(text: string, values: RawEnvironment): string {
  return text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, otherwise: string) => values[name] || otherwise);
}

function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch {
    return true;
  }
}
