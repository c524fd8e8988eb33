/** Properties of a tool in the index beside its terms: platform, class, verb, and flags that lower its rank. */
import { CAPABILITIES } from '../access/access-policy.ts';
import { isItemPath } from '../catalog/item-path.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { ownName } from './indexed-text.ts';
import { VERBS, type Verb, verbOf } from './operation-kind.ts';
import { words } from './tokens.ts';

export const FLAG_ONE = 1;
export const FLAG_OLD = 2;
/** Its name begins with another platform's: it poses as a tool of that one. */
export const FLAG_POSES = 4;

/** What one tool gives to the index beside its terms. */
export interface Analysed {
  platform: string;
  capability: number;
  verb: number;
  flags: number;
  /** The same for all versions of an operation. */
  versionless: string;
}

export function analyse(tool: Tool, text: SearchText): Analysed {
  const verb = verbOf(tool, text);
  return {
    platform: tool.platform,
    capability: CAPABILITIES.indexOf(tool.capability),
    verb: VERBS.indexOf(verb),
    flags: (speaksOfOne(tool, verb) ? FLAG_ONE : 0) | (tool.twin || tool.deprecated ? FLAG_OLD : 0),
    versionless: versionlessOf(tool),
  };
}

/** What names end with that tell a version: `_v2`, `-v1alpha1`. */
const VERSION = /[\s_.-]v\d+(?:(?:alpha|beta)\d*)?$/i;
/** What the names of further copies end with: `search #3`. */
const COPY = /\s*#\d+$/;

/** A further copy has the same path. With another path it is another operation of the same name. */
function versionlessOf({ platform, name, twin, path }: Tool): string {
  const own = (twin ?? name).replace(VERSION, '');
  const copied = own.replace(COPY, '');
  const place = COPY.test(path) || path.endsWith(`/${copied}`) || copied === own ? '' : path;
  return `${platform}\n${copied}\n${place}`;
}

/** The path ends at one item, or the name does, where a document has no such paths. */
function speaksOfOne(tool: Tool, verb: Verb): boolean {
  if (tool.list !== undefined || verb === 'list') return false;
  if (isItemPath(tool.path)) return true;
  const last = words(ownName(tool).replace(/[\s#\d]+$/, '')).at(-1) ?? '';
  return verb === 'get' && !tool.path.includes('{') && !/[^su]s$|ies$/.test(last);
}
