/** A body on its way from one platform to another, and everything that does not arrive as it was. Nothing is ever written. */
import type { Catalog } from '../catalog/tool-catalog.ts';
import { RouterError } from '../errors.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Loss {
  field: string;
  /** lost: no counterpart. approximated: another value. needed: to be filled in by hand. secret: never readable. */
  kind: 'lost' | 'approximated' | 'needed' | 'secret';
  message: string;
}

export interface Translated {
  from: string;
  to: string;
  target_tool: string;
  arguments: Json;
  /** The target tool can preview it without further arguments. */
  complete: boolean;
  warnings: readonly Loss[];
  next_action: string;
}

/** The schema of the source's own body, if the catalog has it: writable fields and defaults. */
export interface SourceShape {
  writable: ReadonlySet<string> | undefined;
  defaults: ReadonlyMap<string, unknown>;
}

export class Translation {
  readonly #source: Json;
  readonly #shape: SourceShape;
  readonly #taken = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #losses: Loss[] = [];

  constructor(source: Json, shape: SourceShape) {
    this.#source = source;
    this.#shape = shape;
  }

  /** The value of a field, which is then accounted for; its default where the source leaves it out and one is known. */
  take(field: string): unknown {
    this.#taken.add(field);
    return this.#source[field] ?? this.#shape.defaults.get(field);
  }

  /** Text, or a number as text. A field is named by its path, such as `auth.owe`, here and in the readers below. */
  text(path: string): string | undefined {
    const value = this.#at(path);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    return this.#unread(path, value, 'text');
  }

  /** A number, or its digits as text. */
  number(path: string): number | undefined {
    const value = this.#at(path);
    const number = typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value) ? Number(value) : value;
    return typeof number === 'number' ? number : this.#unread(path, value, 'a number');
  }

  /** True or false, also as text; what holds where the source does not say is `usual`. */
  flag(path: string, usual = false): boolean {
    const value = this.#at(path);
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
    if (word === true || word === 'true') return true;
    if (word === false || word === 'false') return false;
    return this.#unread(path, value, 'true or false') ?? usual;
  }

  object(path: string): Json {
    const value = this.#at(path);
    return isObject(value) ? value : (this.#unread(path, value, 'an object') ?? {});
  }

  /** A list; one text or number is a list of one. */
  list(path: string): readonly unknown[] {
    const value = this.#at(path);
    if (typeof value === 'string' || typeof value === 'number') return [value];
    return Array.isArray(value) ? value : (this.#unread(path, value, 'a list') ?? []);
  }

  /** The source has a value there that was not read. */
  isUnread(path: string): boolean {
    return this.#unreadable.has(path);
  }

  #at(path: string): unknown {
    const [field = '', ...rest] = path.split('.');
    let value = this.take(field);
    let at = field;
    for (const part of rest) {
      if (!isObject(value)) return this.#unread(at, value, 'an object');
      value = value[part];
      at = `${at}.${part}`;
    }
    return isNothing(value) ? undefined : value;
  }

  /** A value that is there and has no meaning here: it must not count as one that the source leaves out. */
  #unread(path: string, value: unknown, expected: string): undefined {
    if (isNothing(value) || this.#unreadable.has(path)) return;
    this.#unreadable.add(path);
    this.note('needed', path, `${typeName(value)} in place of ${expected} was not read: set what it means in the body`);
  }

  note(kind: Loss['kind'], field: string, message: string): void {
    this.#losses.push({ field, kind, message });
  }

  /** A number within what the target takes; a changed one is said. */
  within(field: string, value: number, min: number, max: number): number {
    const fitting = Math.min(max, Math.max(min, value));
    if (fitting !== value)
      this.note('approximated', field, `${value} becomes ${fitting}: the target takes ${min} to ${max}`);
    return fitting;
  }

  /** Fields that are set in the source and have no counterpart. */
  warnings(): Loss[] {
    const { writable, defaults } = this.#shape;
    const left = Object.entries(this.#source).filter(
      ([field, value]) =>
        !this.#taken.has(field) &&
        (writable === undefined || writable.has(field)) &&
        !isNothing(value) &&
        !covers(defaults.get(field), value),
    );
    return [
      ...this.#losses,
      ...left.map(([field]): Loss => ({ field, kind: 'lost', message: 'the target has no counterpart' })),
    ];
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeName(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return { string: 'text', number: 'a number' }[typeof value as 'string' | 'number'] ?? 'true or false';
}

function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Is every part of the value what it would be anyway? */
function covers(usual: unknown, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return usual !== undefined && JSON.stringify(usual) === JSON.stringify(value);
  if (typeof usual !== 'object' || usual === null) return false;
  return Object.entries(value).every(([key, part]) => isNothing(part) || covers((usual as Json)[key], part));
}

/** From the schema of the tool that would write the source; unknown where that platform is not in the catalog. */
export function shapeOf(catalog: Catalog, tool: string): SourceShape {
  const nothing: SourceShape = { writable: undefined, defaults: new Map() };
  if (catalog.tool(tool) === undefined) return nothing;
  const schema = catalog.schema(tool) as unknown as Node;
  const body = schema.properties?.['body'];
  if (body === undefined) return nothing;
  const fields = fieldsOf(body, schema);
  const defaults = [...fields].map(([name, node]) => [name, defaultOf(node, schema)] as const);
  return { writable: new Set(fields.keys()), defaults: new Map(defaults.filter(([, value]) => value !== undefined)) };
}

interface Node {
  $ref?: string;
  $defs?: Record<string, Node>;
  properties?: Record<string, Node>;
  allOf?: Node[];
  anyOf?: Node[];
  default?: unknown;
}

function resolved(node: Node, root: Node): Node {
  const name = node.$ref?.split('/').at(-1);
  return name === undefined ? node : { ...root.$defs?.[name], ...node };
}

function fieldsOf(node: Node, root: Node): Map<string, Node> {
  const { properties = {}, allOf = [], anyOf = [] } = resolved(node, root);
  const inherited = [...allOf, ...anyOf].flatMap((part) => [...fieldsOf(part, root)]);
  return new Map([...inherited, ...Object.entries(properties)]);
}

/** A default of its own, or made of those of its fields. */
function defaultOf(node: Node, root: Node): unknown {
  const { default: own } = resolved(node, root);
  if (own !== undefined) return own;
  const fields = [...fieldsOf(node, root)].map(([name, field]) => [name, resolved(field, root).default] as const);
  const set = fields.filter(([, value]) => value !== undefined);
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}

export function translated(
  route: Pick<Translated, 'from' | 'to' | 'target_tool'>,
  args: Json,
  losses: readonly Loss[],
): Translated {
  const complete = losses.every(({ kind }) => kind !== 'needed' && kind !== 'secret');
  const { from, to, target_tool } = route;
  return {
    from,
    to,
    target_tool,
    arguments: args,
    complete,
    warnings: losses,
    next_action: `nothing was written: ${complete ? '' : 'fill in what the warnings ask for, '}check the warnings, then preview ${route.target_tool} with these arguments`,
  };
}

/** What the documents of the target say against a field, by its JSON pointer. */
export interface TargetProblem {
  pointer: string;
  expected: string;
  /** `nothing` of a field that is missing. */
  got: string;
}

/** The translation with a warning for each of these, but for a missing field that one of its warnings asks for already. */
export function withProblems(over: Translated, problems: readonly TargetProblem[]): Translated {
  const asked = over.warnings.filter(({ kind }) => kind === 'needed' || kind === 'secret');
  const losses = problems.flatMap(({ pointer, expected, got }): Loss[] => {
    const field = pointer.slice(1).replaceAll('/', '.');
    if (got === 'nothing' && asked.some(({ message }) => message.includes(field))) return [];
    return [{ field, kind: 'needed', message: `the target does not take it: it ${expected}, got ${got}` }];
  });
  return losses.length === 0 ? over : translated(over, over.arguments, [...over.warnings, ...losses]);
}

/** A mode, a field or a form that cannot be carried over at all. */
export function untranslatable(pointer: string, got: string, why: string): RouterError {
  return new RouterError('ARGUMENTS_INVALID', `\`${pointer}\` ${why}, got ${JSON.stringify(got)}`, {
    details: { pointer, expected: why, got },
  });
}
