/**
 * Which operation a path reaches. A value can make the path of another one: `reboot` for `{id}` where the platform also has
 * `/things/reboot`, which servers match first (OpenAPI 3.1, 4.8.8.2). Its class is not that of the call.
 */
import { strictness } from '../access/access-policy.ts';
import { percentDecoded } from '../catalog/platform-document.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { asCalled } from './escalate.ts';
import { MOST_DECODINGS } from './request.ts';

/** No template has more of them. */
const MOST_SEGMENTS = 100;

/** The strictest operation of a stricter class than the tool's that a request of it with this path and these values may reach. */
export function stricterAt(
  tool: Tool,
  path: string,
  catalog: Pick<Catalog, 'stricterThan'>,
  values: Readonly<Record<string, unknown>> = {},
): Tool | undefined {
  if (tool.capability === 'destructive' || !tool.path.includes('{')) return undefined;
  const others = catalog.stricterThan(tool).map((other) => asCalled(other, values));
  if (others.length === 0) return undefined;
  const segments = tool.path.split('/').map(unnamed);
  let written = path.split('/');
  let reached = tool;
  for (let times = 1; times <= MOST_DECODINGS; times++) {
    written = written.map(percentDecoded);
    const places = segments.map((own, at) => ({ own, ways: own.includes('{}') ? waysOf(written[at] ?? '') : [] }));
    for (const other of others)
      if (
        strictness(other.capability) > strictness(reached.capability) &&
        reaches(other.path.split('/').map(unnamed), places)
      )
        reached = other;
  }
  return reached === tool ? undefined : reached;
}

const unnamed = (segment: string): string => segment.replace(/\{[^{}]*\}/g, '{}');

/** A segment may be read in several ways. */
type Readings = readonly string[];

/** A segment of the tool's own template, and of a value the segments that it may be. */
interface Place {
  own: string;
  ways: readonly (readonly Readings[])[];
}

/** Whether a path of these places fits the template of another operation because of a value in it. */
function reaches(template: readonly string[], places: readonly Place[]): boolean {
  // How much of the template the places so far may be, and whether a value made a difference.
  let ends = new Map([[0, false]]);
  for (const { own, ways } of places) {
    const next = new Map<number, boolean>();
    const end = (at: number, differs: boolean) => next.set(at, differs || next.get(at) === true);
    for (const [at, differs] of ends) {
      // `status` of `/things/{id}/status` is the slot of `/things/reboot/{slot}`.
      if (isSame(own, template[at])) end(at + 1, differs);
      for (const way of ways) {
        const there = template.slice(at, at + way.length);
        if (there.length < way.length || !there.every((segment, i) => isReadAs(segment, way[i] as Readings))) continue;
        end(at + way.length, differs || way.length !== 1 || template[at] !== own);
      }
    }
    ends = next;
  }
  return ends.get(template.length) === true;
}

const isSame = (own: string, segment = ''): boolean =>
  segment === own || (!own.includes('{}') && isReadAs(segment, [own.toLowerCase()]));

/** `{id}:reset` is the operation of a thing, and `x:reset` could be the name of one. */
function isReadAs(segment: string, readings: Readings): boolean {
  const name = segment.toLowerCase();
  const at = name.indexOf('{}');
  if (at === -1) return readings.includes(name);
  const [before, behind] = [name.slice(0, at), name.slice(name.lastIndexOf('{}') + 2)];
  return readings.some((reading) => reading.startsWith(before) && reading.endsWith(behind));
}

/** As one segment, or as several: a proxy may decode a slash. */
function waysOf(text: string): Place['ways'] {
  const parts = text.split(/[/\\]/).filter((part) => part !== '');
  return [[readingsOf(text)], ...(parts.length > MOST_SEGMENTS ? [] : [parts.map(readingsOf)])];
}

/**
 * The same name to a server that takes letters of both cases for one, brings them to their compatibility form, ends a text at a zero
 * byte, a semicolon or where a query begins, drops blanks and dots at its end, or takes its ending for a media type.
 */
function readingsOf(part: string): Readings {
  const whole = part.normalize('NFKC').toLowerCase();
  const [named = ''] = whole.split(/[\0;?#]/, 1);
  const [plain = ''] = /^.*[^. ]/s.exec(named.trim()) ?? [];
  return [whole, plain, plain.replace(/\.[a-z]{2,5}$/, '')];
}
