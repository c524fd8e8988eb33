/**
 * The things a foreign platform keeps. A document names none, so each exists from the start with values drawn from its
 * path, until it is removed; what is written is laid over that. Lists show a few from the start and all that was created.
 */
import { tagOf } from '../engine/http/location.ts';
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { flat, flatWithoutNull, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { decoded, plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { filled, namesIn } from '../engine/openapi/route-template.ts';
import { type Row, rowId, rowParts } from '../engine/state/collection.ts';
import { Dice } from '../engine/state/determinism.ts';
import { byName, isObject, type JsonObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { examplesOf } from './declared-outcomes.ts';
import { draw, drawFitting } from './drawn-values.ts';
import type { Entity } from './entity.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { idFields, withoutIds } from './identity-fields.ts';
import { type KeyPath, valueAtPath, withValueAt } from './key-path.ts';
import { type Envelope, wrappingOf } from './list-envelope.ts';
import { valuesInOrder } from './scalars.ts';

/** Entries a list shows before anything was created. */
const FROM_THE_START = 3;
/** Drawn keys that may be taken before the free ones are looked for in order. */
const MOST_DRAWS = 64;

export class Things {
  readonly #state: State;
  readonly #platform: string;

  constructor(state: State, platform: string) {
    this.#state = state;
    this.#platform = platform;
  }

  origin(...parts: (string | number)[]): (string | number)[] {
    return [this.#state.seed, this.#platform, ...parts];
  }

  /** What nobody wrote is as it was at the start, however late it is read. */
  get startMs(): number {
    return this.#state.clock.startMs;
  }

  isGone(path: string): boolean {
    return this.#state.notes.has(this.#mark(path));
  }

  stored(entity: Entity, values: readonly string[]): JsonObject | null {
    return this.#state.rows(this.#platform, entity.name).get(rowId(values))?.value ?? null;
  }

  /** What a reader sees: the stored values, else those the thing has from the start. */
  read(entity: Entity, values: readonly string[]): JsonObject {
    return this.stored(entity, values) ?? this.#original(entity, values);
  }

  /** Tag of a thing as it stands. */
  tag(entity: Entity, values: readonly string[]): string {
    const row = this.#state.rows(this.#platform, entity.name).get(rowId(values));
    return tagOf(row ?? { value: this.read(entity, values), secrets: {} });
  }

  /** Whether a list shows the thing, or a call has written it. */
  isKnown(entity: Entity, values: readonly string[]): boolean {
    const id = rowId(values);
    return (
      this.stored(entity, values) !== null || this.under(entity, values.slice(0, -1)).some((each) => rowId(each) === id)
    );
  }

  /** Whether a new thing of this key would replace one. What the example of a list shows can still be made by the words of the document. */
  isTaken(entity: Entity, values: readonly string[]): boolean {
    if (this.stored(entity, values) !== null) return true;
    return this.isKnown(entity, values) && !this.#listedKeys(entity).includes(values.at(-1) as string);
  }

  put(entity: Entity, values: readonly string[], value: JsonObject, secrets: Record<string, string>): void {
    const id = rowId(values);
    const before = this.#state.rows(this.#platform, entity.name).get(id);
    this.#loseName(entity, values, this.#named(entity, values, value));
    // What a caller sends stays as it was sent, whatever else the thing says.
    this.#state.putBack(entity.resource, {
      id,
      value,
      secrets: { ...before?.secrets, ...secrets },
      revision: (before?.revision ?? 0) + 1,
    });
    this.#state.notes.delete(this.#mark(this.path(entity, values)));
  }

  /** `entities` are those of the platform: what stands below the thing goes with it. */
  remove(entities: readonly Entity[], entity: Entity, values: readonly string[]): void {
    this.#loseName(entity, values, null);
    for (const below of entities.filter((each) => isBelow(entity, each)))
      for (const { id } of [...this.#state.rows(this.#platform, below.name).all()])
        if (rowId(rowParts(id).slice(0, values.length)) === rowId(values)) this.#state.remove(below.resource, id);
    this.#state.remove(entity.resource, rowId(values));
    this.#state.notes.set(this.#mark(this.path(entity, values)), true);
  }

  /** Under the name that a thing had beside its key, nothing is found once it is removed, or is called otherwise (`after`). */
  #loseName(entity: Entity, values: readonly string[], after: string[] | null): void {
    if (entity.otherKey === null) return;
    const before = this.#named(entity, values, this.read(entity, values));
    if (after !== null) this.#state.notes.delete(this.#mark(this.path(entity, after)));
    const isKey = this.under(entity, values.slice(0, -1)).some((other) => other.at(-1) === before?.at(-1));
    if (before !== null && before.at(-1) !== after?.at(-1) && !isKey)
      this.#state.notes.set(this.#mark(this.path(entity, before)), true);
  }

  /** Values of the path with the name of a thing in place of its key; null where it has none. */
  #named({ otherKey }: Entity, values: readonly string[], row: JsonObject): string[] | null {
    const name = otherKey === null ? undefined : valueAtPath(row, otherKey);
    return typeof name === 'string' && name !== '' ? [...values.slice(0, -1), name] : null;
  }

  path(entity: Entity, values: readonly string[]): string {
    if (entity.template !== null) return filled(entity.template, values);
    return `${filled(entity.collection ?? '', values).replace(/\/$/, '')}/${encodeURIComponent(values.at(-1) ?? '')}`;
  }

  /** Values of every entry of a collection below these parents: those from the start, then the others by key. */
  under(entity: Entity, parents: readonly string[]): string[][] {
    const keys = this.#firstKeys(entity, parents);
    const known = new Set(keys.map((key) => rowId([key])));
    const rows: readonly Row[] = this.#state.rows(this.#platform, entity.name).under(parents);
    const added = rows.map((row) => row.id.split('\u001f').at(-1) as string).filter((key) => !known.has(key));
    return [...keys, ...added]
      .map((key) => [...parents, key])
      .filter((values) => !this.isGone(this.path(entity, values)));
  }

  /** A key that nothing below these parents has: a drawn one, else the first free one in order; undefined where all are taken. */
  freshKey(entity: Entity, parents: readonly string[]): unknown {
    const taken = new Set(this.under(entity, parents).map((values) => values.at(-1)));
    let key: unknown;
    for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
      const at = this.#state.next(`create ${this.#platform} ${entity.name}`);
      key = this.#drawKey(entity, ['new', entity.name, ...parents, at], at);
      if (!taken.has(String(key))) return key;
    }
    return this.#keySchemas(entity)
      .flatMap((schema) => valuesInOrder(flat(entity.resource.document, schema), key, taken.size + 1))
      .find((value) => !taken.has(String(value)) && this.#isKey(entity, value));
  }

  /** Whether a path takes this key. */
  isKeyText(entity: Entity, key: string | number): boolean {
    const { document } = entity.resource;
    const { keySchema } = entity;
    return (
      keySchema === null || [key, String(key)].some((value) => checkOf(document, keySchema, 'request')(value) === null)
    );
  }

  /** The value a key text has in the thing. */
  keyValue(entity: Entity, text: string): unknown {
    const { document } = entity.resource;
    const stated = entity.key === null ? [] : typesOf(flatWithoutNull(document, this.#property(entity, entity.key)));
    // A read that declares nothing of its answer leaves the type to the path.
    const types = stated.length > 0 || entity.keySchema === null ? stated : typesOf(flat(document, entity.keySchema));
    const isNumber = types.includes('integer') || types.includes('number');
    return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  }

  /** Values of the path that the thing repeats as fields. */
  placed(entity: Entity, values: readonly string[]): JsonObject {
    const properties = entity.schema === null ? {} : propertiesOf(entity.resource.document, entity.schema);
    const names = namesIn(entity.template ?? entity.collection ?? '');
    const found = byName<unknown>();
    for (const [at, name] of names.entries()) {
      const property = Object.keys(properties).find((entry) => plainName(entry) === plainName(name));
      const text = values[at];
      if (property === undefined || text === undefined) continue;
      const types = typesOf(flatWithoutNull(entity.resource.document, properties[property] as Schema));
      found[property] =
        (types.includes('integer') || types.includes('number')) && /^-?\d+$/.test(text) ? Number(text) : text;
    }
    return found as JsonObject;
  }

  /** A thing that says where it stands: its key and the other values of its path. */
  atPlace(entity: Entity, values: readonly string[], thing: Record<string, unknown>): JsonObject {
    const placed = { ...thing, ...this.placed(entity, values) };
    if (entity.key === null || entity.resource.singleton) return placed as JsonObject;
    return withValueAt(placed, entity.key, this.keyValue(entity, values.at(-1) as string)) as JsonObject;
  }

  #original(entity: Entity, values: readonly string[]): JsonObject {
    return this.#state.memo(`thing ${this.#platform} ${entity.name} ${rowId(values)}`, () => {
      if (entity.schema === null) return this.atPlace(entity, values, {});
      const given = this.atPlace(entity, values, this.#exampleFor(entity, values.at(-1)));
      const of = {
        identity: idFields(entity.noun),
        document: entity.resource.document,
        origin: this.origin(entity.name, ...values),
        nowMs: this.startMs,
        direction: 'response' as const,
      };
      const { value } = drawFitting(of, entity.schema, given);
      return isObject(value) ? (value as JsonObject) : (given as JsonObject);
    });
  }

  #exampleFor(entity: Entity, key: string | undefined): Record<string, unknown> {
    const [, at] = entity.key === null ? (/^listed-(\d)$/.exec(key ?? '') ?? []) : [];
    if (at !== undefined) return this.#listed(entity)[Number(at)] ?? {};
    const keyed = (row: unknown): boolean => entity.key !== null && String(valueAtPath(row, entity.key)) === key;
    const listed = this.#listed(entity).find(keyed);
    if (listed !== undefined) return listed;
    const read = this.#readExample(entity) ?? this.#listed(entity)[0] ?? {};
    return keyed(read) ? read : withoutIds(read, idFields(entity.noun));
  }

  #readExample(entity: Entity): Record<string, unknown> | undefined {
    if (entity.read === null) return undefined;
    const { document } = entity.resource;
    const outcome = successOf(entity.read);
    const { path, isList } = wrappingOf(document, outcome.schema ?? {}, entity.noun);
    const inner = examplesOf(document, outcome).map((example) => valueAtPath(example, path));
    return inner.flatMap((value) => (isList && Array.isArray(value) ? value : [value])).find(isObject);
  }

  #listed(entity: Entity): Record<string, unknown>[] {
    const known = listedRows.get(entity);
    if (known !== undefined) return known;
    const { list, envelope } = entity;
    const found: Record<string, unknown>[] = [];
    for (const example of list === null || envelope === null ? [] : examplesOf(list.document, successOf(list))) {
      const { path, isKeyed } = envelope as Envelope;
      const stated = valueAtPath(example, path);
      const rows = isKeyed && isObject(stated) ? Object.values(stated) : stated;
      if (Array.isArray(rows))
        found.push(...rows.map((row) => valueAtPath(row, (envelope as Envelope).row)).filter(isObject));
    }
    listedRows.set(entity, found);
    return found;
  }

  #firstKeys(entity: Entity, parents: readonly string[]): string[] {
    return this.#state.memo(`keys ${this.#platform} ${entity.name} ${rowId(parents)}`, () => {
      const keys = new Set(this.#listedKeys(entity));
      const wanted = keys.size > 0 && entity.key === null ? keys.size : FROM_THE_START;
      for (let at = 0; keys.size < wanted && at < FROM_THE_START * 3; at += 1)
        keys.add(String(this.#drawKey(entity, ['first', entity.name, ...parents, at], at)));
      return [...keys];
    });
  }

  #listedKeys(entity: Entity): string[] {
    const rows = this.#listed(entity);
    const { key } = entity;
    // Without a key nothing but their content tells things apart.
    if (key === null)
      return entity.template === null ? [...rows.slice(0, FROM_THE_START).keys()].map((at) => `listed-${at}`) : [];
    const keys = rows.map((row) => valueAtPath(row, key));
    const usable = keys.filter((each) => each !== undefined && each !== null && this.#isKey(entity, each));
    return [...new Set(usable.map(String))].slice(0, FROM_THE_START);
  }

  #drawKey(entity: Entity, parts: (string | number)[], at: number): unknown {
    const { document } = entity.resource;
    for (const schema of this.#keySchemas(entity)) {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const of = {
          document,
          origin: this.origin(...parts),
          nowMs: this.startMs,
          direction: 'response' as const,
          attempt: attempt + at,
          plain: true,
        };
        const key = draw(of, schema);
        if ((typeof key === 'string' || typeof key === 'number') && key !== '' && this.#isKey(entity, key)) return key;
      }
    }
    return new Dice(...this.origin(...parts)).hex(8);
  }

  #isKey(entity: Entity, key: unknown): boolean {
    const { document } = entity.resource;
    return this.#keySchemas(entity).every((schema) =>
      [key, String(key)].some((value) => checkOf(document, schema, 'response')(value) === null),
    );
  }

  /** What the field and the path demand of a key. */
  #keySchemas(entity: Entity): Schema[] {
    const { key, keySchema } = entity;
    return [...(key === null ? [] : [this.#property(entity, key)]), ...(keySchema === null ? [] : [keySchema])];
  }

  #property(entity: Entity, path: KeyPath): Schema {
    const { document } = entity.resource;
    return path.reduce<Schema>((at, name) => propertiesOf(document, at)[name] ?? {}, entity.schema ?? {});
  }

  #mark(path: string): string {
    return `gone ${this.#platform} ${pathSpelling(path.replace(/(\/|\.(json|xml))$/i, ''))}`;
  }
}

const isBelow = ({ template }: Entity, other: Entity): boolean =>
  template !== null && (other.template ?? other.collection ?? '').startsWith(`${template.replace(/\/$/, '')}/`);

/** Callers may encode a colon in a path or not, and write a MAC address in capitals. */
function pathSpelling(path: string): string {
  if (!/[^\w/.~-]/.test(path)) return path;
  return path
    .split('/')
    .map((part) => encodeURIComponent(rowId([decoded(part)])))
    .join('/');
}

const listedRows = new WeakMap<Entity, Record<string, unknown>[]>();
