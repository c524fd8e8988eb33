/** Configurations for MCP hosts, as the setup wrote them: whole, of this machine, and of the settings as they are now. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { LAYOUT } from '../../config/setup-layout.ts';
import { readTables } from '../../config/toml-tables.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';

interface Entry {
  command?: unknown;
  args?: unknown;
  env?: Record<string, unknown>;
  url?: unknown;
  headers?: Record<string, unknown>;
  bearer_token_env_var?: unknown;
}

export default {
  id: 'client-files',
  order: 180,
  look: (place) => {
    const files = Object.entries(LAYOUT.clients);
    const isBare = !existsSync(join(place.directory, LAYOUT.overlay));
    if (isBare && files.every(([, path]) => !existsSync(join(place.directory, path))))
      return [warn('clients', `none of ${files.map(([, path]) => path).join(', ')} is there`, place.command('setup'))];
    return files.flatMap(([name, path]) => fileFindings(name, path, place));
  },
} satisfies Check;

function fileFindings(name: string, path: string, place: Installation): Finding[] {
  const subject = `${name} client`;
  const file = join(place.directory, path);
  if (!existsSync(file)) return [absent(name, path, place)];
  const again = place.command('setup', '--yes');
  const text = readFileSync(file, 'utf8');
  const entries = entriesOf(path, text);
  if (entries === undefined)
    return [fail(subject, `${path} is not a configuration of an MCP host`, `correct it, or write it again: ${again}`)];
  if (/\{\{|\/path\/to\/|<[a-z -]+>/i.test(text)) return [warn(subject, `${path} still has a placeholder`, again)];
  const wrong = entries.map((entry) => problemOf(entry, place)).find((problem) => problem !== undefined);
  return [wrong === undefined ? ok(subject, path) : fail(subject, `${path}: ${wrong}`, `write it anew: ${again}`)];
}

function absent(name: string, path: string, { directory, command }: Installation): Finding {
  const subject = `${name} client`;
  return name === 'stdio' && existsSync(join(directory, LAYOUT.overlay))
    ? ok(subject, 'none, because a container is called over HTTP')
    : warn(subject, `${path} is not there`, command('setup'));
}

function entriesOf(path: string, text: string): Entry[] | undefined {
  const { mcpServers, servers, mcp_servers } = contentOf(path, text) ?? {};
  const entries = Object.values(mcpServers ?? servers ?? mcp_servers ?? {});
  return entries.length > 0 && entries.every((entry) => typeof entry === 'object' && entry !== null)
    ? entries
    : undefined;
}

function contentOf(path: string, text: string): Record<string, object> | undefined {
  if (path.endsWith('.toml')) return readTables(text) as Record<string, object> | undefined;
  try {
    return JSON.parse(text) as Record<string, object>;
  } catch {
    return undefined;
  }
}

function problemOf(entry: Entry, place: Installation): string | undefined {
  const { command, args, env, url } = entry;
  if (url !== undefined) return urlProblem(entry, place);
  const words = [command, ...(Array.isArray(args) ? args : [])];
  const lost = words.find((word) => typeof word === 'string' && isAbsolute(word) && !existsSync(word));
  if (typeof command !== 'string') return 'command should be the program to start';
  if (lost !== undefined) return `${lost} is not there`;
  if (env?.['MCP_TRANSPORT'] !== 'stdio') return 'env should set MCP_TRANSPORT to stdio';
  return undefined;
}

function urlProblem(entry: Entry, { config, secretOf }: Installation): string | undefined {
  const { url, headers, bearer_token_env_var } = entry;
  if (typeof url !== 'string' || !URL.canParse(url)) return 'url should be the address of the router';
  const { port, pathname } = new URL(url);
  if (pathname !== '/mcp') return 'url should end in /mcp';
  if (!(config instanceof RouterError) && config.http.port !== 0 && Number(port || 80) !== config.http.port)
    return `url has port ${port || 80}, MCP_PORT is ${config.http.port}`;
  const authorized = headers?.['Authorization'] ?? bearer_token_env_var;
  if (secretOf('MCP_HTTP_BEARER_TOKEN') !== undefined && authorized === undefined)
    return 'it should bring the bearer token that is set here, by headers.Authorization or bearer_token_env_var';
  return undefined;
}
