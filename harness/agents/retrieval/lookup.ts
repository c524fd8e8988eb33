/** Names become ids by reading the list of the things they name. */
import type { Toolbox } from './discovery.ts';
import { fieldFor, itemsOf, meantItem } from './items.ts';
import { compact, wordsOf } from './name-words.ts';
import type { Descriptor, Input, Json, Operation } from './operation.ts';
import type { Intent } from './task-intent.ts';

const HITS = 6;
/** Lists read at most for one look-up; opening a tool's schema costs no platform call. */
const LISTS_READ = 2;

/** Values for required inputs that the intent names only indirectly, all from one object. */
export async function lookUp(
  tools: Toolbox,
  operation: Operation,
  missing: readonly Input[],
  intent: Intent,
): Promise<{ values: Json; item: Json } | undefined> {
  for (const query of listQueries(operation, missing)) {
    for await (const item of meantObjects(tools, query, intent, operation.name)) {
      const values = missing.map((input) => [input, fieldFor(item, input.name)] as const);
      const found = values.filter(([, value]) => typeof value === 'string' || typeof value === 'number');
      if (found.length === missing.length)
        return { values: Object.fromEntries(found.map(([input, value]) => [input.path.join('.'), value])), item };
    }
  }
  return undefined;
}

/** Objects that the intent names, each from another list. */
export async function* meantObjects(tools: Toolbox, query: string, intent: Intent, except = ''): AsyncGenerator<Json> {
  let reads = 0;
  for (const hit of (await tools.search(query, HITS)).filter(
    (candidate) => candidate.read_only && candidate.name !== except,
  )) {
    const list = await tools.open(hit);
    if (list.inputs.some((input) => input.required)) continue;
    if (++reads > LISTS_READ) return;
    const item = await meantIn(tools, list, intent);
    if (item !== undefined) yield item;
  }
}

/** The noun stands in the operation's one line: "… of one access point", "Delete a role". */
export function nounOf(operation: Pick<Descriptor, 'description'>): string | undefined {
  const line = operation.description.split(/[.(;]/)[0] ?? '';
  const found = [
    ...line.matchAll(
      /\b(?:one|an?|the whole)\s+([a-z][a-z0-9 -]*?)(?=\s+(?:in|by|from|with|and|that|to|for|of|on|at)\b|$)/gi,
    ),
  ];
  return found.at(-1)?.[1]?.trim();
}

const plural = (noun: string): string => (/(s|x|ch)$/.test(noun) ? `${noun}es` : `${noun}s`);

function listQueries(operation: Operation, missing: readonly Input[]): string[] {
  const noun = nounOf(operation);
  const queries = noun === undefined ? [] : [`list all ${plural(noun)}`];
  const owner = wordsOf(missing[0]?.name ?? '').filter((word) => !['id', 'name', 'number', 'key'].includes(word));
  // `siteId` speaks of sites; `serialNumber` of nothing in particular.
  if (owner.length > 0 && !owner.every((word) => compact(word) === 'serial'))
    queries.push(`list all ${plural(owner.join(' '))}`);
  return queries;
}

async function meantIn(tools: Toolbox, list: Operation, intent: Intent): Promise<Json | undefined> {
  const search = list.inputs.find((input) => input.name === 'search');
  const named = intent.mentions.filter(
    (mention) => !mention.secret && ['identifier', 'quoted', 'mac', 'capitalised'].includes(mention.kind),
  );
  if (search !== undefined) {
    for (const mention of named.slice(0, 3)) {
      const item = pick(await tools.read(list.name, { search: mention.value }), intent);
      if (item !== undefined) return item;
    }
  }
  const limit = list.inputs.find((input) => input.name === 'limit')?.schema['maximum'];
  return pick(await tools.read(list.name, typeof limit === 'number' ? { limit } : {}), intent);
}

function pick(answer: { isError: boolean; json: unknown }, intent: Intent): Json | undefined {
  const items = answer.isError ? undefined : itemsOf(answer.json);
  return items === undefined ? undefined : meantItem(items, intent);
}
