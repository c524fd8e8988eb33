/** The container form, seen from the host: the settings that compose gives the router, with its secrets where they lie here. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDotEnv } from '../config/dot-env.ts';
import type { RawEnvironment } from '../config/environment.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { yaml } from '../lazy-import.ts';

const SERVICE = 'mcp-router';
const MOUNTED = '/run/secrets/';

export interface ContainerForm {
  environment: RawEnvironment;
  /** Where the host publishes it: `address:port:port`. */
  published: string;
  /** Secret files that are there and not ours to read: they belong to the user of the container. */
  locked: readonly string[];
}

interface Overlay {
  services?: Record<string, { environment?: Record<string, unknown>; ports?: unknown[] }>;
  secrets?: Record<string, { file?: unknown }>;
}

/** Undefined where there is no overlay that can be read, and where `.env` sets up a router on the host as well. */
export function containerForm(directory: string, processEnvironment: RawEnvironment): ContainerForm | undefined {
  const overlay = readOverlay(join(directory, LAYOUT.overlay));
  const service = overlay?.services?.[SERVICE];
  if (service?.environment === undefined) return undefined;
  const dotEnv = valuesIn(join(directory, LAYOUT.env));
  if (dotEnv === undefined || dotEnv['MCP_TRANSPORT'] !== undefined) return undefined;
  const known = { ...dotEnv, ...processEnvironment };
  const locked: string[] = [];
  const environment: RawEnvironment = {};
  for (const [name, value] of Object.entries(service.environment)) {
    const text = interpolated(String(value), known);
    const file = text.startsWith(MOUNTED) ? overlay?.secrets?.[text.slice(MOUNTED.length)]?.file : undefined;
    const path = file === undefined ? text : join(directory, String(file));
    environment[name] = path;
    if (file === undefined || !isLocked(path)) continue;
    locked.push(path);
    // One that cannot be read refuses the settings as a whole.
    if (name.endsWith('_FILE')) delete environment[name];
  }
  return { environment, published: String(service.ports?.[0] ?? 'nowhere'), locked };
}

function readOverlay(path: string): Overlay | undefined {
  try {
    return yaml().parse(readFileSync(path, 'utf8'), { maxAliasCount: 100 }) as Overlay;
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
