/** One platform has one base URL: documents of a folder that are served from several places below it keep the difference in their paths. */
import { pathProblem } from '../catalog/path-template.ts';
import type { JsonObject } from '../catalog/platform-document.ts';
import { serverUrl } from '../catalog/request-parts.ts';
import type { Finding } from './import-finding.ts';
import type { TakenDocument } from './taken-document.ts';

/** URL of the first server that a document states, with its variables at their defaults; empty where it states none. */
export const serverOf = (content: JsonObject): string =>
  Array.isArray(content['servers']) ? serverUrl(content['servers'][0]) : '';

/** Origin and path; `//host/path` has an origin, `/path` and no server have an empty one. */
interface Server {
  origin: string;
  path: string;
}

/**
 * Moves each document to the part that their servers have in common. Without `baseUrl` that is the origin of most
 * documents, and a document of another origin is left out with a finding. With it the operator decides where calls go,
 * so only the paths of the servers count. Changes the documents.
 */
export function atOneServer(
  documents: readonly TakenDocument[],
  findings: Finding[],
  baseUrl: string | undefined,
): TakenDocument[] {
  const servers = documents.map(({ content }) => partsOf(serverOf(content)));
  const origin = originOfMost(servers);
  const isServed = (server: Server) => baseUrl !== undefined || server.origin === origin || server.origin === '';
  const common = commonPath(servers.filter(isServed).map(({ path }) => path));
  return documents.filter(({ id, content }, at) => {
    const server = servers[at] as Server;
    const prefix = server.path.slice(common.length);
    const problem = isServed(server)
      ? prefix === ''
        ? undefined
        : pathProblem(prefix)
      : {
          what: `is elsewhere than ${origin}, where most of the documents are`,
          remedy: 'add it as a platform of its own, or say with --base-url where the calls of all of them go',
        };
    if (problem !== undefined) {
      const message = `its server ${JSON.stringify(serverOf(content))} ${problem.what}: left out`;
      findings.push({ document: id, pointer: '/servers/0', message, remedy: problem.remedy });
      return false;
    }
    if (documents.length > 1) moveTo(content, prefix, { origin, path: common });
    return true;
  });
}

function moveTo(content: JsonObject, prefix: string, { origin, path }: Server): void {
  const items = Object.entries(content['paths'] as JsonObject);
  if (prefix !== '') content['paths'] = Object.fromEntries(items.map(([own, item]) => [prefix + own, item]));
  if (origin + path !== '') content['servers'] = [{ url: origin + path }];
}

function partsOf(url: string): Server {
  const [, origin = '', path = ''] = /^((?:https?:)?\/\/[^/]*)?(.*)$/i.exec(url) ?? [];
  return { origin: origin.toLowerCase(), path };
}

/** The first of those that most documents state. */
function originOfMost(servers: readonly Server[]): string {
  const users = new Map<string, number>();
  for (const { origin } of servers) if (origin !== '') users.set(origin, (users.get(origin) ?? 0) + 1);
  return [...users].reduce((most, entry) => (entry[1] > most[1] ? entry : most), ['', 0] as [string, number])[0];
}

/** Whole segments only: `/api` of `/api/v1` and `/api/v2`. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/'));
  const differs = first.findIndex((segment, at) => others.some((other) => other[at] !== segment));
  return (differs < 0 ? first : first.slice(0, differs)).join('/');
}
