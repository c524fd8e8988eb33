/**
 * Computes what a write would change, from a read of its target. It always masks the platform's secrets. The approver
 * sees the caller's own values as they would be sent. An answer to the agent repeats no secret, because a secret in a
 * response is a safety failure (specification 1.7).
 */
import { isItemPath } from '../catalog/item-path.ts';
import { isObject } from '../catalog/platform-document.ts';
import type { Tool } from '../catalog/tool.ts';
import { isSecretAt, MASK } from '../telemetry/redact.ts';
import { canonicalJson } from './canonical-json.ts';
import { envelopedObject } from './enveloped-object.ts';
import { isJsonPatch, patchedBy, type Step, stepsTo } from './json-patch.ts';
import { at, hidesSecret, isLeaf, type Leaf, leavesOf } from './leaves.ts';
import { type ListChange, listChange } from './list-change.ts';
import { shortPair, shortValue } from './shorten.ts';
import { shownObject, type TargetRead } from './write-target.ts';

export interface Impact {
  /** The read it was compared with. */
  source?: string;
  /** The effect of an action in the words of its document: its effect is more than its body. */
  does?: string;
  /** What is sent, where no read says what is there. */
  would_send?: Entry[];
  would_add?: Entry[];
  /** Without `from` for a secret that the read does not show. */
  would_change?: Entry[];
  would_remove?: Entry[];
  /** How many fields more than the ones above there are. */
  not_shown?: number;
  unchanged?: true;
  /** What hangs on the object. */
  consequences?: string[];
  warning?: string;
}

/** Of a list that is too long to be shown twice, what becomes of its entries. */
interface Entry extends Omit<ListChange, 'from' | 'to'> {
  field: string;
  from?: unknown;
  to?: unknown;
}

const MAX_ENTRIES = 50;
const MAX_VALUE = 160;
/** In place of a read, where there is none to compare with. */
export const REQUEST_ALONE = 'the request alone';
const EXISTS = 'the object already exists';
const OTHER_FORM = 'unknown: what is sent cannot be compared with what the read shows';
const UNFIT = 'unknown: a step does not fit what the read shows, so what would change cannot be told';
const UNSURE = 'unknown: what the read shows may hold the object inside, so what would change cannot be told';

/** How a write treats its target. */
export type Effect = 'removes' | 'replaces' | 'changes' | 'creates' | 'acts';

/**
 * `lists` says whether a GET on the very path of the tool answers a list: a POST there adds to it. Any other POST without
 * a read of its own acts on what is above it. A PUT or PATCH that takes no body replaces nothing: it commits, stops or attaches.
 */
export function effectOf(tool: Tool, lists: boolean): Effect {
  const { method, reader, path } = tool;
  if (method === 'POST') {
    if (reader === undefined) return lists ? 'creates' : 'acts';
    return isItemPath(path) ? 'creates' : 'changes';
  }
  if (reader === undefined) return 'acts';
  if (method !== 'DELETE' && tool.body === null) return 'acts';
  return method === 'DELETE' ? 'removes' : method === 'PUT' ? 'replaces' : 'changes';
}

/** For whom an impact is made. */
export type Reader = 'agent' | 'person';

/**
 * @param reader who reads it: a person sees the values as they would be sent
 * @param writable names of the fields a body can hold, where they are known: what a replacement leaves out is only removed
 *   where a caller can set it
 */
export function impactOf(
  tool: Tool,
  effect: Effect,
  read: TargetRead,
  sent: unknown,
  reader: Reader,
  writable?: ReadonlySet<string>,
): Impact {
  const body = reader === 'person' ? sent : withoutSecrets(sent, tool);
  const source = 'source' in read && read.source !== undefined ? { source: read.source } : {};
  const does = effect === 'acts' ? { does: tool.line } : {};
  if (read.kind === 'unknown') return { ...source, ...does, warning: `unknown: ${read.why}` };
  if (read.kind !== 'found') {
    if (effect === 'acts' || body === undefined) return { ...source, ...does };
    return bounded(
      read.kind === 'missing'
        ? { ...source, would_add: sentFields(body) }
        : { source: REQUEST_ALONE, would_send: sentFields(body) },
    );
  }
  const answer = shownObject(tool, read);
  const change = effect === 'removes' ? removalOf(tool, answer) : changeOf(tool, effect, answer, body, writable);
  return { ...source, ...does, ...change };
}

const sentFields = (body: unknown): Entry[] =>
  leavesOf(body).map(({ path, value }) => ({ field: nameOf(path), to: value }));

const goneFields = (leaves: readonly Leaf[]): Entry[] =>
  leaves.map(({ path, value }) => ({ field: nameOf(path), from: value }));

function removalOf(tool: Tool, answer: unknown): Impact {
  const enveloped = envelopedObject(tool, answer);
  const before = enveloped.kind === 'object' ? enveloped.object : answer;
  return bounded({ would_remove: goneFields(leavesOf(before)) });
}

/** How an object that exists would change. */
function changeOf(
  tool: Tool,
  effect: Effect,
  answer: unknown,
  body: unknown,
  writable: ReadonlySet<string> | undefined,
): Impact {
  if (tool.method === 'PATCH' && isJsonPatch(body)) return steppedChange(tool, effect, answer, body);
  if (body !== undefined && typeof body !== 'object') return wholeChange(effect, answer, body);
  if (effect !== 'acts' && Array.isArray(body)) return wholeChange(effect, answer, body);
  const enveloped = envelopedObject(tool, answer, body, writable);
  if (enveloped.kind === 'unsure' && effect !== 'acts')
    return bounded({ would_send: sentFields(body), warning: effect === 'creates' ? `${EXISTS}; ${UNSURE}` : UNSURE });
  const before = enveloped.kind === 'object' ? enveloped.object : answer;
  const impact = compared(tool, before, body, effect);
  if (effect === 'replaces') impact.would_remove = goneFields(leftOut(before, body, writable));
  if (effect === 'creates') impact.warning = EXISTS;
  return withUnchanged(bounded(impact), (effect === 'changes' || effect === 'replaces') && tool.method !== 'POST');
}

function withUnchanged(shown: Impact, isWhole: boolean): Impact {
  const same = !shown.would_add && !shown.would_change && !shown.would_remove;
  return same && isWhole ? { ...shown, unchanged: true } : shown;
}

/** A text, a number or a list takes the place of one as a whole. A change by a list may be about some of its entries alone. */
function wholeChange(effect: Effect, before: unknown, body: unknown): Impact {
  const isAlike = typeof before === typeof body && Array.isArray(before) === Array.isArray(body);
  const field = 'value';
  if (effect === 'acts') return {};
  if (!isAlike || (Array.isArray(body) && effect !== 'replaces'))
    return bounded({ would_send: Array.isArray(body) ? sentFields(body) : [{ field, to: body }], warning: OTHER_FORM });
  return isSame(before, body) ? { unchanged: true } : bounded({ would_change: [{ field, from: before, to: body }] });
}

/** What the steps of a JSON patch make of the object. */
function steppedChange(tool: Tool, effect: Effect, answer: unknown, steps: readonly Step[]): Impact {
  const enveloped = envelopedObject(tool, answer);
  const before = enveloped.kind === 'object' ? enveloped.object : answer;
  const after = isObject(before) ? patchedBy(before, steps) : undefined;
  if (after === undefined) return bounded({ would_send: sentFields(steps), warning: UNFIT });
  const impact: Impact = { would_add: [], would_change: [] };
  for (const { path, value } of leavesOf(after.value)) {
    const from = at(before, path);
    const field = nameOf(path);
    if (isEqual(from, value)) continue;
    // Platforms do not show their secrets: one that the read lacks is not told as new.
    if (from === undefined && !isSecret(tool, path)) impact.would_add?.push({ field, to: value });
    else impact.would_change?.push({ field, from: isSecret(tool, path) ? MASK : from, to: value });
  }
  impact.would_remove = goneFields(leftOut(before, after.value, undefined));
  return withUnchanged(bounded(impact), effect === 'changes');
}

/** A body of RFC 7396: an object in it is merged into the one that is there, and null takes away. */
const isMergePatch = ({ body }: Tool): boolean => /^application\/merge-patch\+json\b/i.test(body?.contentType ?? '');
const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** What a body sets, and what of the object it takes away by that. */
function bodyLeaves(tool: Tool, before: unknown, body: unknown): { set: Leaf[]; gone: Leaf[] } {
  const leaves = leavesOf(body);
  if (!isMergePatch(tool)) return { set: leaves, gone: [] };
  return {
    set: leaves.filter(({ path, value }) => value !== null && !(isEmptyObject(value) && isObject(at(before, path)))),
    gone: leaves.flatMap(({ path, value }) => (value === null ? leavesOf(at(before, path), path) : [])),
  };
}

/** What a body adds, changes and, as a merge patch, takes away. The parameters of an action are not new fields of the object. */
function compared(tool: Tool, before: unknown, body: unknown, effect: Effect): Impact {
  const would_add: Entry[] = [];
  const would_change: Entry[] = [];
  const { set, gone } = bodyLeaves(tool, before, body);
  for (const { path, value } of set) {
    const from = at(before, path);
    const field = nameOf(path);
    const secret = isSecret(tool, path);
    if (from === undefined && effect === 'acts') continue;
    // Platforms do not show their secrets: the object may well have one, so it is not told as new.
    if (from === undefined) (secret ? would_change : would_add).push({ field, to: value });
    // A masked value cannot be compared: whoever sends a secret means to set it.
    else if (secret || !isSame(from, value)) would_change.push({ field, from: secret ? MASK : from, to: value });
  }
  return { would_add, would_change, would_remove: goneFields(gone) };
}

/** Fields of the object that the replacement lacks. Below a value that is replaced as a whole it names no field. */
export function leftOut(before: unknown, body: unknown, writable: ReadonlySet<string> | undefined): Leaf[] {
  return leavesOf(before)
    .filter(({ path }) => writable === undefined || writable.has(path[0] as string))
    .filter(
      ({ path }) =>
        at(body, path) === undefined && !path.some((_, depth) => depth > 0 && isLeaf(at(body, path.slice(0, depth)))),
    );
}

const nameOf = (path: readonly string[]) => path.join('.');
const isEqual = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);
/** The asterisks that an agent is shown of a secret of six letters are no mask. */
const isSame = (held: unknown, sent: unknown) => !hidesSecret(held) && isEqual(held, sent);
const isSecret = ({ secrets }: Tool, path: readonly string[]) =>
  path.some((name) => secrets.includes(name)) || isSecretAt(path);

/** The same value with what stands below a secret name as asterisks, as many as it has letters. */
export function withoutSecrets(value: unknown, tool: Tool, secret = false, place: readonly string[] = []): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry, tool, secret, place));
  if (typeof value !== 'object') return secret ? '*'.repeat(Math.min(String(value).length, MAX_VALUE)) : value;
  // The value of a step of a JSON patch is secret where its path is one's.
  const { op, path } = value as { op?: unknown; path?: unknown };
  const isSetting = typeof op === 'string' && typeof path === 'string' && isSecret(tool, stepsTo(path));
  const entries = Object.entries(value).map(([name, inner]) => {
    const way = [...place, name];
    return [name, withoutSecrets(inner, tool, secret || isSecret(tool, way) || (isSetting && name === 'value'), way)];
  });
  return Object.fromEntries(entries);
}

function bounded(impact: Impact): Impact {
  const kinds = ['would_send', 'would_add', 'would_change', 'would_remove'] as const;
  const out = { ...impact };
  let left = MAX_ENTRIES;
  let total = 0;
  for (const kind of kinds) {
    const entries = impact[kind] ?? [];
    total += entries.length;
    if (entries.length === 0 || left <= 0) delete out[kind];
    else out[kind] = entries.slice(0, left).map(shortEntry);
    left -= entries.length;
  }
  if (total > MAX_ENTRIES) out.not_shown = total - MAX_ENTRIES;
  return out;
}

function shortEntry({ field, from, to }: Entry): Entry {
  if (Array.isArray(from) && Array.isArray(to) && JSON.stringify([from, to]).length > MAX_VALUE)
    return { field, ...listChange(from, to, MAX_VALUE) };
  if (from === undefined) return { field, to: shortValue(to, MAX_VALUE) };
  if (to === undefined) return { field, from: shortValue(from, MAX_VALUE) };
  const [before, after] = shortPair(from, to, MAX_VALUE);
  return { field, from: before, to: after };
}
