/**
 * Reads an exported legacy-controller configuration into typed source objects without secrets. It never throws: a part
 * that cannot be read becomes a warning with its pointer.
 */
import { canonicalJson } from '../dispatch/canonical-json.ts';
import { MOST_ITEMS, SECTION_NAMES, SECTIONS, type Section, type SectionName } from './object-family.ts';
import { uniqueWarnings, type Warning, warning } from './plan-warning.ts';
import { isNothing, plainName, withoutSecrets } from './secret-field.ts';
import { plainNumber, textOf } from './unwrap.ts';

export interface SourceItem {
  name: string;
  fields: Readonly<Record<string, unknown>>;
}

export interface Export {
  configPath: string;
  /** By section, sorted by name; each name once. */
  sections: Readonly<Record<SectionName, readonly SourceItem[]>>;
  warnings: readonly Warning[];
}

const DEFAULT_PATH = '/md';
const ROOT_EXTRAS = new Set(['config_path', 'warnings']);
const LONGEST_NAME = 256;
/** Sections that hold others. */
const TOPS = new Set(
  Object.values(SECTIONS).flatMap(({ pointer }) =>
    pointer.split('/').length > 2 ? [pointer.split('/')[1] as string] : [],
  ),
);

export function readExportText(text: string): Export {
  try {
    return readExport(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (cause) {
    return emptyExport(warning('export_unreadable', { pointer: '' }, `expected JSON${placeOf(cause)}`));
  }
}

/** Of the parser's message the place alone: the rest quotes the text, and the text may hold secrets. */
function placeOf(cause: unknown): string {
  const message = cause instanceof SyntaxError ? cause.message : '';
  if (message.startsWith('Unexpected end')) return ', got a text that ends too early';
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line === undefined ? '' : `, got something else at line ${line}, column ${column}`;
}

export function readExport(value: unknown): Export {
  if (!isObject(value)) return emptyExport(warning('export_unreadable', { pointer: '' }, `got ${kindOf(value)}`));
  const root = respelled(value);
  const warnings: Warning[] = [];
  const sections = SECTION_NAMES.map((name) => [name, readSection(root, SECTIONS[name], warnings)] as const);
  warnings.push(...unknownSections(root), ...secondSpellings(value));
  for (const top of TOPS) warnings.push(...secondSpellings(root[top], `/${top}`));
  const path = root['config_path'];
  const isPath = typeof path === 'string' && /^\/[A-Za-z0-9_./-]{0,255}$/.test(path);
  if (path !== undefined && !isPath)
    warnings.push(warning('section_malformed', { pointer: '/config_path' }, `expected a path, got ${kindOf(path)}`));
  return {
    configPath: isPath ? path : DEFAULT_PATH,
    sections: Object.fromEntries(sections) as unknown as Export['sections'],
    warnings: uniqueWarnings(warnings),
  };
}

function emptyExport(why: Warning): Export {
  const sections = Object.fromEntries(SECTION_NAMES.map((name) => [name, []]));
  return { configPath: DEFAULT_PATH, sections: sections as unknown as Export['sections'], warnings: [why] };
}

function readSection(root: Record<string, unknown>, section: Section, warnings: Warning[]): SourceItem[] {
  const { pointer } = section;
  const list = valueAt(root, pointer, warnings);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    warnings.push(warning('section_malformed', { pointer }, `expected a list, got ${kindOf(list)}`));
    return [];
  }
  if (list.length > MOST_ITEMS)
    warnings.push(warning('too_many_items', { pointer }, `${list.length} items, ${MOST_ITEMS} are read`));
  const items = new Map<string, SourceItem[]>();
  for (const [index, value] of list.slice(0, MOST_ITEMS).entries()) {
    const item = readItem(value, section, `${pointer}/${index}`, warnings);
    if (item) items.set(item.name, [...(items.get(item.name) ?? []), item]);
  }
  return [...items.keys()].sort().map((name) => oneOf(items.get(name) as SourceItem[], section, warnings));
}

function readItem(value: unknown, section: Section, pointer: string, warnings: Warning[]): SourceItem | undefined {
  if (!isObject(value)) {
    warnings.push(warning('item_malformed', { pointer }, `expected an object, got ${kindOf(value)}`));
    return undefined;
  }
  const fields = withoutSecrets(value) as Record<string, unknown>;
  const parts = section.key.map((names) =>
    names.map((name) => textOf(fields[name])).find((text) => text !== undefined),
  );
  const text = parts.includes(undefined) ? '' : parts.join(' ');
  const name = section.numbered ? plainNumber(text) : text;
  if (name === '' || name.length > LONGEST_NAME) {
    const expected = section.key.map((names) => names.join(' or ')).join(' and ');
    warnings.push(warning('item_malformed', { pointer }, `expected a name of 1 to ${LONGEST_NAME} in ${expected}`));
    return undefined;
  }
  return { name, fields };
}

/** Of several items of one name the same one is planned whatever their order was. */
function oneOf(items: readonly SourceItem[], { pointer, key }: Section, warnings: Warning[]): SourceItem {
  const [first, ...others] = items as [SourceItem, ...SourceItem[]];
  if (others.length === 0) return first;
  const texts = new Map(items.map((item) => [canonicalJson(item.fields), item]));
  const count = texts.size === 1 ? 'all the same' : `${texts.size} different ones`;
  warnings.push(
    warning('duplicate_name', { pointer }, `${items.length} items ${JSON.stringify(first.name)}, ${count}`),
  );
  const distinct = [...texts.keys()].sort().map((text) => texts.get(text) as SourceItem);
  return withOthers(distinct as [SourceItem, ...SourceItem[]], new Set(key.flat()));
}

const NOT_SET = '(not set)';

/**
 * The first, with what another one says otherwise kept beside each field, like a second spelling of it: nobody can tell which of
 * two controllers is right, so no adapter writes the object.
 */
function withOthers([chosen, ...others]: [SourceItem, ...SourceItem[]], keys: ReadonlySet<string>): SourceItem {
  const said = (value: unknown) => (isNothing(value) ? '' : canonicalJson(value));
  const names = new Set([chosen, ...others].flatMap(({ fields }) => Object.keys(fields)));
  const again = [...names].flatMap((name): [string, unknown][] => {
    const other = others.find(({ fields }) => said(fields[name]) !== said(chosen.fields[name]));
    if (other === undefined || keys.has(name)) return [];
    return [[`${name} (again)`, isNothing(other.fields[name]) ? NOT_SET : other.fields[name]]];
  });
  return { name: chosen.name, fields: { ...chosen.fields, ...Object.fromEntries(again) } };
}

function valueAt(root: Record<string, unknown>, pointer: string, warnings: Warning[]): unknown {
  const [, first = '', second] = pointer.split('/');
  const value = root[first];
  if (second === undefined || value === undefined || value === null) return second === undefined ? value : undefined;
  if (isObject(value)) return respelled(value)[second];
  warnings.push(warning('section_malformed', { pointer: `/${first}` }, `expected an object, got ${kindOf(value)}`));
  return undefined;
}

function unknownSections(root: Record<string, unknown>): Warning[] {
  const pointers = Object.values(SECTIONS).map(({ pointer }) => pointer.split('/').slice(1));
  const tops = new Set(pointers.map(([first]) => first as string));
  const unknown = Object.keys(root).filter((name) => !tops.has(name) && !ROOT_EXTRAS.has(name));
  const inner = [...tops].flatMap((top) => {
    const own = new Set(pointers.filter(([first, second]) => first === top && second).map(([, second]) => second));
    const value = root[top];
    if (own.size === 0 || !isObject(value)) return [];
    return Object.keys(respelled(value)).flatMap((name) => (own.has(name) ? [] : [`${top}/${name}`]));
  });
  return [...unknown, ...inner].map((name) => warning('section_unknown', { pointer: `/${name.slice(0, 100)}` }));
}

/** Sections in the place of which another spelling of their name is read: they are left out, and that is said. */
function secondSpellings(value: unknown, prefix = ''): Warning[] {
  if (!isObject(value)) return [];
  const read = respelled(value);
  const left = Object.keys(value).filter((name) => read[plainName(name)] !== value[name] && !isNothing(value[name]));
  return left.map((name) => {
    const pointer = `${prefix}/${name.slice(0, 100)}`;
    return warning('section_malformed', { pointer }, 'another spelling of the name is read');
  });
}

function respelled(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .reverse()
      .map((name) => [plainName(name), value[name]]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Never the value itself: it may be a secret in the wrong place. */
function kindOf(value: unknown): string {
  return value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : typeof value;
}
