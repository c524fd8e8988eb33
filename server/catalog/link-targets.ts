/** Which read shows the object that a write is about: the GET on its own path, else on the path of the object it acts on. */
import { isGated } from '../access/access-policy.ts';
import { isItemPath, withoutEnding } from './item-path.ts';
import { parameterNames } from './path-template.ts';
import type { Tool } from './tool.ts';

/** What platforms call the read of a thing whose own path has none: `/containers/{id}/json`. */
const SHOWS_ALL = ['json', 'details', 'detail', 'info', 'inspect'];
const PARAMETER_AT_END = /\/[^/{}]+\/\{[^{}/]+\}$/;

/** The GET operations of one platform, found by their path and by its last two segments. */
export class TargetReads {
  readonly #paths = new Set<string>();
  /** By their path without its ending. */
  readonly #byPath = new Map<string, Tool>();
  /** Item reads by the end of their path, `/switches/{serial}`. */
  readonly #byEnd = new Map<string, Tool[]>();

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) {
      if (tool.method !== 'GET' || tool.capability !== 'read') continue;
      const path = withoutEnding(tool.path);
      this.#paths.add(tool.path);
      this.#byPath.set(path, tool);
      const end = PARAMETER_AT_END.exec(path)?.[0];
      if (end !== undefined && tool.list === undefined) this.#byEnd.set(end, [...(this.#byEnd.get(end) ?? []), tool]);
    }
  }

  /**
   * The read of the object that an operation below it acts on: `/devices/{serial}/reboot` is about
   * `GET /devices/{serial}`, or `GET /devices/{serial}/details` where that is all there is. The nearest path above that
   * has a GET decides; a list there means that the operation is about the collection. So does an object that holds
   * collections, such as `GET /auth` above `/auth/sessions/{id}`: it is there or not whatever the identifier is. Where
   * none has one, another part of the platform may show the object: on a path with the same end and no further
   * parameter, of a resource with the same noun. Undefined where nothing shows it.
   */
  above(tool: Tool): Tool | undefined {
    const { method, capability } = tool;
    const path = withoutEnding(tool.path);
    const previewed = isGated(capability) || tool.escalates !== undefined;
    if (method === 'GET' || !previewed || this.#paths.has(tool.path)) return undefined;
    const collection = collectionOf(path);
    let elsewhere: Tool | undefined;
    // A document may end one of two equal paths with a slash.
    const first = this.#readOf(path) === undefined ? parentOf(path) : path;
    for (let above = first; above !== ''; above = parentOf(above)) {
      const read = this.#readOf(above);
      const isAbout = isItemPath(above) || above.length >= collection.length;
      if (read) return isAbout && read.list === undefined ? read : undefined;
      elsewhere ??= this.#endingLike(above, tool);
    }
    return elsewhere;
  }

  #readOf(path: string): Tool | undefined {
    const own = this.#byPath.get(path);
    if (own !== undefined || !isItemPath(path)) return own;
    const below = SHOWS_ALL.flatMap((word) => this.#byPath.get(`${path}/${word}`) ?? [])[0];
    return below?.list === undefined ? below : undefined;
  }

  #endingLike(above: string, { path, document, resource }: Tool): Tool | undefined {
    const end = PARAMETER_AT_END.exec(above)?.[0];
    const reads = (end === undefined ? undefined : this.#byEnd.get(end)) ?? [];
    // A wrong guess would refuse a call for want of an object that is there.
    const fitting = reads.filter(
      (read) =>
        (resource ? read.resource?.noun === resource.noun : read.document === document) &&
        parameterNames(read.path).every((name) => parameterNames(path).includes(name)),
    );
    return fitting.length === 1 ? fitting[0] : undefined;
  }
}

/** `/things/{id}:reboot` and `/things/{id}/reboot` both stand below `/things/{id}`. */
function parentOf(path: string): string {
  const action = /^(.*\}):[^/{}]+$/.exec(path);
  return action ? (action[1] as string) : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Of the object that a path names last: `/auth/sessions` of `/auth/sessions/{id}/end`. Empty where it names none. */
function collectionOf(path: string): string {
  let end = path.lastIndexOf('/{');
  while (path[end - 1] === '}') end = path.lastIndexOf('/{', end - 1);
  return path.slice(0, Math.max(0, end));
}
