/**
 * Arguments that the document names one way and a tool another: `{id}` after `/projects` is `project_id`, `branch` is
 * `branch_name`, and `petId` is `id`.
 */
import { outerOf, propertyPathOf } from '../agents/surface/surface-arguments.ts';
import { compactName } from '../compare/compare-operations.ts';
import { nounsOf, wordsOf } from '../generator/field-names.ts';

export interface ArgumentSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  [keyword: string]: unknown;
}

/** Last words of a name that say only that it names something. */
const NAMING = new Set(['id', 'iid', 'gid', 'uid', 'uuid', 'key', 'name', 'number', 'no', 'slug', 'ref']);

/**
 * `args` as the tool names them. `operation` is `METHOD /path`. What no name of the tool can stand for keeps its own, unless
 * the tool cannot do without one thing and one thing is left.
 */
export function argumentsAs(
  args: Record<string, unknown>,
  schema: ArgumentSchema,
  operation: string,
): Record<string, unknown> {
  const { properties = {}, required = [] }: ArgumentSchema = outerOf(schema)?.schema ?? schema;
  const given = Object.keys(args).filter((name) => name !== 'body');
  const own = new Map<string, string>();
  const free = () =>
    Object.keys(properties).filter(
      (name) => ![...own.values()].includes(name) && !given.some((other) => !own.has(other) && isSame(other, name)),
    );
  const strange = () => given.filter((name) => !own.has(name) && propertyPathOf(name, properties) === undefined);
  const find = (name: string) => free().find((other) => isSame(other, name));
  const take = (name: string, found: string | undefined) => found !== undefined && own.set(name, found);
  for (const name of given) {
    const longer = find(`${nounBefore(name, operation) ?? ''} ${name}`);
    if (longer !== undefined && (strange().includes(name) || required.includes(longer))) own.set(name, longer);
  }
  for (const name of strange()) {
    // Of two that end with the same word, `user_id` and `post_id`, that which has another name of its own does not take `id`.
    const isContested = strange().some((other) => other !== name && lastWord(other) === lastWord(name));
    const other = isContested ? namingTheSame(name, nounBefore(name, operation), free()) : undefined;
    take(name, other ?? find(lastWord(name)));
  }
  for (const name of strange()) take(name, namingTheSame(name, nounBefore(name, operation), free()));
  const [only, ...others] = strange();
  const fields = Object.keys((args['body'] ?? {}) as object);
  const needed = free().filter((name) => required.includes(name) && !fields.some((field) => isSame(field, name)));
  if (only !== undefined && others.length === 0 && needed.length === 1) take(only, needed[0]);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [own.get(name) ?? name, value]));
}

const lastWord = (name: string): string => wordsOf(name).at(-1) ?? '';
const isSame = (one: string, other: string): boolean => compactName(one) === compactName(other);

/** `project` for `id` of `/projects/{id}`; undefined for what is no parameter of the path. */
function nounBefore(name: string, operation: string): string | undefined {
  const [before, after] = operation.split(`/{${name}}`);
  return before === undefined || after === undefined ? undefined : nounsOf(before).noun;
}

/** The one free name that is the parameter, or what it names, with another word for its name. */
function namingTheSame(name: string, noun: string | undefined, free: readonly string[]): string | undefined {
  if (noun === undefined) return undefined;
  const bare = withoutNaming(wordsOf(name));
  const stems = [bare, wordsOf(noun)].map((words) => words.join('')).filter((stem) => stem !== '');
  const found = free.filter((other) => stems.includes(withoutNaming(wordsOf(other)).join('')));
  return found.length === 1 ? found[0] : undefined;
}

const withoutNaming = (words: readonly string[]): string[] =>
  NAMING.has(words.at(-1) ?? '') ? words.slice(0, -1) : [...words];
