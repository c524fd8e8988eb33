/**
 * What the answer contract says of a change: a contract that asks how a field stands afterwards says that the change is one of
 * that field. So a value of the intent that no word assigns goes into the field that the contract reports.
 */
import type { Fact } from './fact-fields.ts';
import { accepts, type Filled, typed } from './fill.ts';
import { wordsOf } from './name-words.ts';
import type { Need } from './needs.ts';
import { assign, type Input, type Json, type Operation, typesOf } from './operation.ts';
import type { Mention } from './task-intent.ts';
import { joined, likeness, resembles, stems } from './word-likeness.ts';

/** The least that the words of a field and of a fact must have in common. */
const SAME_FIELD = 0.55;
/** Words that end something; a general switch is put off by them. */
const ENDS =
  /\b(off|disabled?|disabling|deactivat\w+|paus\w+|suspend\w*|stop\w*|shut|halt\w*|rest|sleep|asleep|no longer|no more|out of (use|service))\b/i;
const REMARK = /^(comment|note|remark|message|reason|description|text|detail|explanation|annotation)s?$/i;
const GENERAL = new Set(['enable', 'enabled', 'active', 'state', 'status', 'admin', 'is']);

/** As `filled`, and with what the contract tells. */
export function withContract(operation: Operation, filled: Filled, need: Need): Filled {
  const all = { ...filled, arguments: structuredClone(filled.arguments), used: new Set(filled.used) };
  const put = (input: Input, value: unknown) => {
    assign(all.arguments, input.path, value);
    all.body++;
    all.missing = all.missing.filter((one) => one !== input);
  };
  for (const input of filled.missing.filter(({ path }) => path[0] !== 'body')) {
    const mention = need.mentions.find((one) => !all.used.has(one) && isKeyOf(one, input, need));
    if (mention === undefined) continue;
    assign(all.arguments, input.path, typed(input, mention));
    all.missing = all.missing.filter((one) => one !== input);
    all.used.add(mention);
  }
  const open = () => operation.inputs.filter((input) => input.path[0] === 'body' && !isFilled(all.arguments, input));
  // What may be the key of the object is no remark on it.
  const mayBeKey = (one: Mention) =>
    all.missing.some((input) => input.path[0] !== 'body' && accepts(input, input.schema, one));
  for (const mention of need.mentions.filter(
    (one) => !all.used.has(one) && !(one.kind === 'quoted' && mayBeKey(one)),
  )) {
    const input = mention.kind === 'quoted' ? remarkFor(mention, open()) : reportedFor(mention, open(), need);
    if (input === undefined) continue;
    put(input, typed(input, mention));
    all.used.add(mention);
  }
  const turned = all.body === 0 ? switchReported(open(), need) : undefined;
  if (turned !== undefined) put(turned.input, turned.value);
  return all;
}

/** A name fits the key of what the contract asks the name of. */
function isKeyOf(mention: Mention, input: Input, { asks, text }: Need): boolean {
  if (!['name', 'identifier', 'capitalised'].includes(mention.kind) || !text.includes(mention.value)) return false;
  if (!accepts(input, input.schema, mention)) return false;
  const key = stems(input.name);
  return asks.some(
    ({ description }) => /^names? of /i.test(description) && resembles(key.at(-1) ?? '', stems(description).slice(1)),
  );
}

function isFilled(args: Json, { path }: Input): boolean {
  return path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], args) !== undefined;
}

/** Quoted words that no other input takes are said to colleagues. */
function remarkFor(mention: Mention, open: readonly Input[]): Input | undefined {
  const free = open.filter((input) => accepts(input, input.schema, mention) && REMARK.test(input.name));
  return free.find(({ required }) => required) ?? free[0];
}

function reportedFor(mention: Mention, open: readonly Input[], need: Need): Input | undefined {
  if (!['number', 'moment', 'version'].includes(mention.kind)) return undefined;
  const fitting = open
    .filter((input) => accepts(input, itemOf(input), mention))
    .map((input) => ({
      input,
      score: reported(
        input,
        need.asks.filter((fact) => isOfKind(fact, mention)),
      ),
    }))
    .filter(({ score }) => score >= SAME_FIELD)
    .sort((a, b) => b.score - a.score);
  return fitting[0]?.input;
}

const itemOf = ({ schema }: Input): Json =>
  typesOf(schema).includes('array') ? ((schema['items'] ?? {}) as Json) : schema;

const isOfKind = ({ type, format }: Fact, { kind }: Mention): boolean =>
  kind === 'number'
    ? type === 'integer' || type === 'number'
    : kind === 'moment'
      ? format !== undefined
      : type === 'string';

/** How much the best of the facts says of the field. */
function reported({ path }: Input, facts: readonly Fact[]): number {
  const own = joined(stems(path.slice(1).join(' '))).filter((word) => !GENERAL.has(word) && !GENERAL.has(`${word}ed`));
  if (own.length === 0) return 0;
  return Math.max(
    0,
    ...facts.map(
      ({ words, about }) => Math.min(likeness(own, [...words, ...about]), 1) * Math.min(likeness(words, own) + 0.4, 1),
    ),
  );
}

/** "Whether its clients are kept apart": the switch for that is put on; a general one is put off where the intent ends something. */
function switchReported(open: readonly Input[], need: Need): { input: Input; value: boolean } | undefined {
  const switches = open.filter(({ schema }) => typesOf(schema).includes('boolean'));
  const asked = need.asks.filter(({ type }) => type === 'boolean');
  const [best] = switches
    .map((input) => ({ input, score: switchScore(input, asked) }))
    .filter(({ score }) => score >= SAME_FIELD)
    .sort((a, b) => b.score - a.score);
  if (best === undefined) return undefined;
  const isGeneral = wordsOf(best.input.name).every((word) => GENERAL.has(word));
  return { input: best.input, value: !(isGeneral && ENDS.test(need.text)) };
}

function switchScore(input: Input, asked: readonly Fact[]): number {
  const own = joined(stems(input.path.slice(1).join(' ')));
  const told = joined(stems(input.description));
  return Math.max(
    0,
    ...asked.map(
      ({ words, about }) =>
        Math.max(likeness(own, words), likeness(words, own)) + 0.3 * likeness(told, about) + 0.3 * likeness(own, about),
    ),
  );
}
