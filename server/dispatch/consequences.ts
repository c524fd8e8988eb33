/**
 * Consequences of a write, in lines: the number of connected clients, the objects that refer to its target, the waiting
 * changes that it commits. They come from reads that the catalog names for the operation. A failed read becomes a line
 * with the failure and does not stop the preview.
 */
import { plainName } from '../catalog/plain-name.ts';
import type { PreviewRead, Tool } from '../catalog/tool.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { type ObjectSources, readWith } from './object-read.ts';
import { pageNotes } from './page-notes.ts';
import { shortText } from './shorten.ts';

/** Time for all of them together, in ms: a preview is waited for. */
const TIME_MS = 5_000;
const NAMES_SHOWN = 5;
const GROUPS_SHOWN = 4;
const MAX_NAME = 60;
const CHANGES_SHOWN = 20;
const MAX_FIELDS = 160;

export async function consequencesOf(admitted: AdmittedCall, sources: ObjectSources): Promise<string[]> {
  const reads = (admitted.tool.previewReads ?? []).filter(
    ({ when }) => when !== 'switched-off' || switchesOff(admitted.request.body),
  );
  const until = performance.now() + TIME_MS;
  const lines = await Promise.all(reads.map((read) => linesOf(read, admitted, sources, until)));
  return lines.flat();
}

async function linesOf(
  stated: PreviewRead,
  admitted: AdmittedCall,
  sources: ObjectSources,
  until: number,
): Promise<string[]> {
  const reader = sources.catalog.tool(stated.tool);
  const noun = nounOf(stated, reader);
  const unread = (why: string) => [`${noun.unread} could not be read: ${why}`];
  const values = filled(stated, admitted.values);
  const read = reader?.capability === 'read' && values ? readWith(reader, values, admitted, sources) : undefined;
  if (read === undefined) return unread('the call does not say enough');
  try {
    const { status, body } = await read.send(until);
    if (status < 200 || status >= 300) return unread(`the platform answered ${status}`);
    return toldBy(body, stated, reader, noun);
  } catch {
    return unread('no answer');
  }
}

/** What an answer tells. A list may be the first page of a longer one. */
function toldBy(body: unknown, { tells, how }: PreviewRead, reader: Tool | undefined, noun: Noun): string[] {
  const list = listIn(body, reader);
  const isPart = isFirstPage(body, list);
  if (tells === 'references') return [`${referencesLine(list)}${isPart ? '; and more' : ''}`];
  const count = countIn(body) ?? (reader?.list || tells === 'changes' ? list?.length : undefined);
  if (count === undefined) return [`${noun.unread} could not be read: the answer holds no number`];
  if (tells === 'changes' && count === 0) return ['no change waits'];
  const line = `${isPart ? 'at least ' : ''}${countLine(count, noun, how)}`;
  return tells === 'changes' ? [line, ...changeLines(list ?? [], count, isPart)] : [line];
}

interface Noun {
  one: string;
  many: string;
  unread: string;
}

function nounOf({ tells }: PreviewRead, reader: Tool | undefined): Noun {
  if (tells === 'changes') return { one: 'change that waits', many: 'changes that wait', unread: 'what waits' };
  const { noun = 'object', plural = 'objects' } = reader?.resource ?? {};
  return {
    one: plain(noun),
    many: plain(plural),
    unread: tells === 'references' ? 'what refers to it' : `how many ${plain(plural)}`,
  };
}

function countLine(count: number, { one, many }: Noun, how = 'depend on it'): string {
  const phrase = plain(how);
  if (count !== 1) return `${count === 0 ? 'no' : count} ${many} ${phrase}`;
  return `1 ${one} ${phrase
    .replace(/^are\b/, 'is')
    .replace(/^have\b/, 'has')
    .replace(/^go\b/, 'goes')
    .replace(/^depend\b/, 'depends')}`;
}

/** Referring objects by kind, the most frequent first. */
function referencesLine(references: readonly unknown[] | undefined): string {
  if (references === undefined) return 'what refers to it could not be read: the answer holds no list';
  if (references.length === 0) return 'nothing refers to it';
  const byKind = new Map<string, Set<string>>();
  for (const reference of references) {
    const kind = textAt(reference, ['resource', 'type', 'kind']) ?? 'objects';
    const name = textAt(reference, ['name', 'label', 'key', 'id']) ?? `unnamed ${(byKind.get(kind)?.size ?? 0) + 1}`;
    // One object may refer to it by several fields.
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(name));
  }
  const kinds = [...byKind]
    .map(([kind, names]) => [kind, [...names]] as const)
    .sort(([, a], [, b]) => b.length - a.length);
  const told = kinds.slice(0, GROUPS_SHOWN).map(([kind, names]) => {
    const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
    return `${names.length} ${kind}: ${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
  });
  const rest = kinds.length > GROUPS_SHOWN ? `; and ${kinds.length - GROUPS_SHOWN} further kinds` : '';
  return `referenced by ${told.join('; ')}${rest}`;
}

/** What waits, an entry a line, with the fields that are edited. */
function changeLines(entries: readonly unknown[], count: number, isPart: boolean): string[] {
  const lines = entries.slice(0, CHANGES_SHOWN).map((entry) => {
    const type = textAt(entry, ['resource', 'objectType', 'type']);
    const name = textAt(entry, ['name', 'objectName', 'label', 'key', 'objectId', 'id']);
    const done = textAt(entry, ['operation', 'action', 'change', 'kind']);
    const fields = [fieldsAt(entry, ['changedFields', 'fields'])[0]]
      .flat()
      .filter((field) => typeof field === 'string');
    const about = [type, name, done].filter(Boolean).join(' ') || 'a change without a name';
    return fields.length > 0 ? `${about}: ${plain(fields.join(', '), MAX_FIELDS)}` : about;
  });
  const more = count - lines.length;
  const rest = more > 0 ? `and ${isPart ? 'at least ' : ''}${more} more` : 'and more';
  return more > 0 || isPart ? [...lines, rest] : lines;
}

/** Whether further pages hold more than the answer shows or counts. */
function isFirstPage(body: unknown, list: readonly unknown[] | undefined): boolean {
  if (list === undefined || list.length === 0 || Array.isArray(body)) return false;
  return (countIn(body) ?? 0) <= list.length && pageNotes(body as Readonly<Record<string, unknown>>).goesOn === true;
}

/** Where the catalog knows of no list, the only one of the answer. */
function listIn(body: unknown, reader: Tool | undefined): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  const list = (body as Record<string, unknown>)[reader?.list?.property ?? 'items'] ?? (lists.length === 1 && lists[0]);
  return Array.isArray(list) ? list : undefined;
}

/** How many there are, as a list says beside its entries; undefined where it does not. */
export function countIn(body: unknown): number | undefined {
  if (typeof body === 'number') return body;
  const [found] = fieldsAt(body, ['total', 'count', 'totalCount', 'totalRecords', 'totalItems']);
  return typeof found === 'number' ? found : undefined;
}

/**
 * The arguments of a read, with values of the call in place of its variables; undefined if one is missing. A value
 * cannot end a quoted text, and outside quotes only a plain word is allowed. What waits at the default place is read by a
 * call that names none either.
 */
function filled(
  { tells, arguments: templates }: PreviewRead,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> | undefined {
  const out: Record<string, string> = {};
  for (const [argument, template] of Object.entries(templates)) {
    if (tells === 'changes' && template === `{${argument}}` && values[argument] === undefined) continue;
    let whole = true;
    out[argument] = template.replace(/(['"]?)\{([^{}"]+)\}\1/g, (_, quote: string, name: string) => {
      const value = values[name];
      if (typeof value !== 'string' && typeof value !== 'number') whole = false;
      const text = String(value);
      if (quote === "'") return `'${text.replaceAll("'", "''")}'`;
      if (quote === '"') return JSON.stringify(text);
      if (template !== `{${name}}` && !/^[\w.:-]+$/.test(text)) whole = false;
      return text;
    });
    if (!whole) return undefined;
  }
  return out;
}

const SWITCH = /^(is_?)?(enabled?|active|(admin|oper(ational)?)?_?(state|status))$/;
const OFF = new Set(['false', 'disabled', 'disable', 'inactive', 'down', 'off', 'suspended', 'shutdown', '0', 'no']);

/** Whether a body says that the object is to be off: a field named as a switch, at the top or one level below. */
export function switchesOff(body: unknown, depth = 0): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.entries(body).some(([name, value]) => {
    const word = name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase();
    if (typeof value === 'object') return depth < 1 && switchesOff(value, depth + 1);
    return SWITCH.test(word) && OFF.has(String(value).toLowerCase());
  });
}

/** The values that an entry has under these names, in their order, however they are spelled. */
function fieldsAt(entry: unknown, names: readonly string[]): unknown[] {
  const fields = typeof entry === 'object' && entry !== null ? Object.entries(entry) : [];
  const byName = new Map(fields.map(([name, value]) => [plainName(name), value]));
  return names.map((name) => byName.get(plainName(name))).filter((value) => value !== undefined && value !== null);
}

function textAt(entry: unknown, names: readonly string[]): string | undefined {
  const isText = (value: unknown) => (typeof value === 'string' && value !== '') || typeof value === 'number';
  const found = fieldsAt(entry, names).find(isText);
  return found === undefined ? undefined : plain(String(found));
}

/** Text of a platform or a document on one line, without what cannot be seen. */
const plain = (text: string, most = MAX_NAME) => shortText(text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim(), most);
