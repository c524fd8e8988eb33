/**
 * Which operation a path reaches. A value can make the path of another one: `reboot` for `{id}` where the platform also has
 * `/things/reboot`, which servers match first (OpenAPI 3.1, 4.8.8.2). Its class is not that of the call.
 */
import { CAPABILITIES } from '../access/access-policy.ts';
import { percentDecoded } from '../catalog/platform-document.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';

/** Templates that are looked up for one path: of more values than that no platform makes its addresses. */
const MOST_TEMPLATES = 4_096;

/** The strictest operation of a stricter class than the tool's that a request of it with this path may reach. */
export function stricterAt(tool: Tool, path: string, catalog: Pick<Catalog, 'at'>): Tool | undefined {
  if (tool.capability === 'destructive' || !tool.path.includes('{')) return undefined;
  let reached = tool;
  for (const template of templatesOf(tool.path, path))
    for (const other of catalog.at(`${tool.method} ${template}`))
      if (other.platform === tool.platform && strictness(other) > strictness(reached)) reached = other;
  return reached === tool ? undefined : reached;
}

const strictness = ({ capability }: Tool): number => CAPABILITIES.indexOf(capability);

/** Every template that the path fits: each value as itself, or as a parameter. */
function templatesOf(template: string, path: string): string[] {
  const segments = template.split('/');
  const written = path.split('/');
  let found = [''];
  for (const [at, segment] of segments.entries()) {
    const ways = segment.includes('{') ? waysOf(segment, written[at] ?? '') : [segment];
    found = found.flatMap((before) => ways.map((way) => (at === 0 ? way : `${before}/${way}`)));
    if (found.length > MOST_TEMPLATES) return [];
  }
  return found;
}

/** A proxy may decode a slash, so that one value is several segments. */
function waysOf(segment: string, written: string): string[] {
  const parts = percentDecoded(written)
    .split(/[/\\]/)
    .filter((part) => part !== '');
  let ways = [''];
  for (const part of parts) {
    const own = new Set(['{}', part, ...readingsOf(part), ...customVerb(part)]);
    ways = ways.flatMap((before) => [...own].map((way) => (before === '' ? way : `${before}/${way}`)));
    if (ways.length > MOST_TEMPLATES) return [segment];
  }
  return [...new Set([segment.replace(/\{[^}]*\}/g, '{}'), ...ways])];
}

/**
 * The same name to a server that takes letters of both cases for one, brings them to their compatibility form, ends a text at a zero
 * byte or a semicolon, drops blanks and dots at its end, or takes its ending for a media type.
 */
function readingsOf(part: string): string[] {
  const [named = ''] = part.normalize('NFKC').toLowerCase().split(/[\0;]/, 1);
  const plain = named.trim().replace(/[. ]+$/, '');
  return [plain, plain.replace(/\.[a-z]{2,5}$/, '')].filter((reading) => reading !== '');
}

/** `/things/{id}:reset` is the operation of a thing, and `x:reset` could be the name of one. */
const customVerb = (part: string): string[] => (part.includes(':') ? [`{}${part.slice(part.lastIndexOf(':'))}`] : []);
