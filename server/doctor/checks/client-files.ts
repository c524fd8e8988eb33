/** Configurations for MCP hosts, as the setup wrote them: whole, of this machine, and of the settings as they are now. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { LAYOUT } from '../../config/layout.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../check.ts';
import type { Place } from '../place.ts';

interface Entry {
  command?: unknown;
  args?: unknown;
  env?: Record<string, unknown>;
  url?: unknown;
  headers?: Record<string, unknown>;
}

export default {
  id: 'client-files',
  order: 180,
  look: (place) => Object.entries(LAYOUT.clients).flatMap(([name, path]) => fileFindings(name, path, place)),
} satisfies Check;

function fileFindings(name: string, path: string, place: Place): Finding[] {
  const subject = `${name} client`;
  const write = place.command('setup');
  const file = join(place.directory, path);
  if (!existsSync(file)) return [warn(subject, `${path} is not there`, write)];
  const text = readFileSync(file, 'utf8');
  const entries = entriesOf(text);
  if (entries === undefined)
    return [
      fail(subject, `${path} is not a configuration in JSON`, `correct it, or write it anew: ${write} -- --force`),
    ];
  if (/\{\{|\/path\/to\/|<[a-z -]+>/i.test(text)) return [warn(subject, `${path} still has a placeholder`, write)];
  const wrong = entries.map((entry) => problemOf(entry, place)).find((problem) => problem !== undefined);
  return [
    wrong === undefined ? ok(subject, path) : fail(subject, `${path}: ${wrong}`, `write it anew: ${write} -- --force`),
  ];
}

function entriesOf(text: string): Entry[] | undefined {
  try {
    const { mcpServers, servers } = JSON.parse(text) as { mcpServers?: object; servers?: object };
    const entries = Object.values(mcpServers ?? servers ?? {});
    return entries.length > 0 && entries.every((entry) => typeof entry === 'object' && entry !== null)
      ? entries
      : undefined;
  } catch {
    return undefined;
  }
}

function problemOf({ command, args, env, url, headers }: Entry, place: Place): string | undefined {
  if (url !== undefined) return urlProblem(url, headers, place);
  const words = [command, ...(Array.isArray(args) ? args : [])];
  const lost = words.find((word) => typeof word === 'string' && isAbsolute(word) && !existsSync(word));
  if (typeof command !== 'string') return 'command should be the program to start';
  if (lost !== undefined) return `${lost} is not there`;
  if (env?.['MCP_TRANSPORT'] !== 'stdio') return 'env should set MCP_TRANSPORT to stdio';
  return undefined;
}

function urlProblem(url: unknown, headers: Entry['headers'], { config, secretOf }: Place): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return 'url should be the address of the router';
  const { port, pathname } = new URL(url);
  if (pathname !== '/mcp') return 'url should end in /mcp';
  if (!(config instanceof RouterError) && config.http.port !== 0 && Number(port || 80) !== config.http.port)
    return `url has port ${port || 80}, MCP_PORT is ${config.http.port}`;
  if (secretOf('MCP_HTTP_BEARER_TOKEN') !== undefined && headers?.['Authorization'] === undefined)
    return 'headers should hold Authorization, because a bearer token is set';
  return undefined;
}
