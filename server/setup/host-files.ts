/** Client configurations: the shipped templates with their placeholders replaced. A token is asked for or referred to, never in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAYOUT } from '../config/setup-layout.ts';
import { type TomlValue, writeTables } from '../config/toml-tables.ts';

export interface ClientSettings {
  /** The program that runs the router. */
  node: string;
  /** The router's entry. */
  router: string;
  /** The folder with `.env`. */
  directory: string;
  url: string;
  /** Whether HTTP asks for a token. */
  bearer: boolean;
  /** Whether a host on this machine can start the router; not where it runs in a container. */
  startable: boolean;
}

export type ClientName = keyof typeof LAYOUT.clients;

/** Text of each configuration, by the path it belongs to. */
export function clientFiles(
  root: string,
  names: readonly ClientName[],
  settings: ClientSettings,
): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const template = JSON.parse(readFileSync(join(root, 'server', 'setup', 'clients', `${name}.json`), 'utf8'));
      const content = filled(template, settings);
      const path = LAYOUT.clients[name];
      const text = path.endsWith('.toml')
        ? writeTables(content as Record<string, TomlValue>)
        : `${JSON.stringify(content, null, 2)}\n`;
      return [path, text];
    }),
  );
}

function filled(value: unknown, settings: ClientSettings): unknown {
  if (Array.isArray(value)) return value.map((entry) => filled(entry, settings));
  if (typeof value === 'string')
    return value.replace(/\{\{([A-Z]+)\}\}/g, (_, name: string) => placeholderValue(name, settings));
  if (typeof value !== 'object' || value === null) return value;
  const withoutToken = settings.bearer ? [] : ['headers', 'inputs', 'bearer_token_env_var'];
  const isIdle = (entry: unknown) =>
    !settings.startable && typeof entry === 'object' && entry !== null && 'command' in entry;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !withoutToken.includes(key) && !isIdle(entry))
      .map(([key, entry]) => [key, filled(entry, settings)]),
  );
}

function placeholderValue(name: string, { node, router, directory, url }: ClientSettings): string {
  const found = { NODE: node, ROUTER: router, DIRECTORY: directory, URL: url }[name];
  if (found === undefined) throw new TypeError(`a template has the unknown placeholder ${name}`);
  return found;
}
