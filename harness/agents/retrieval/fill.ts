/**
 * Typed slot filling: which value of the intent belongs into which input. Types and patterns rule out, the words
 * around a value decide; an optional input is filled only when something speaks for it.
 */

import { assign, type Input, type Json, type Operation, typesOf } from './operation.ts';
import { type Intent, type Mention, SECRET_WORD } from './task-intent.ts';
import { compact, mentions, shared, singular, wordsOf } from './words.ts';

export interface Filled {
  arguments: Json;
  /** Required inputs nothing was found for. */
  missing: Input[];
  /** How many inputs of the body were filled. */
  body: number;
  used: Set<Mention>;
}

const OFF = /\b(disable[ds]?|deactivate[ds]?|(switch|turn)(ed)?( it)? off)\b/i;
const ON = /\b(enable[ds]?|activate[ds]?|(switch|turn)(ed)?( it)? on)\b/i;
/** "not hidden", "stop hiding": the words right before the switch's own. */
const NEGATION = /\b(not|never|don't|stop|without|no longer|disable|disabled)(\s+\w+){0,2}\s*$/i;
/** Words in a name that say only that it is a switch. */
const SWITCH = new Set(['enable', 'enabled', 'state', 'mode', 'active', 'is', 'admin']);
/** Inputs that page, order or search; never a fact of the intent. */
const PAGING = /^(limit|offset|next|cursor|page|page_?size|sort|search|filter|fields|effective|object-type)$/i;

export function fill(operation: Operation, intent: Intent): Filled {
  const filled: Filled = { arguments: {}, missing: [], body: 0, used: new Set() };
  const put = (input: Input, value: unknown) => {
    assign(filled.arguments, input.path, value);
    if (input.path[0] === 'body') filled.body++;
  };
  const open: Input[] = [];
  for (const input of operation.inputs) {
    const word = wordValue(input, intent);
    if (word !== undefined && !PAGING.test(input.name)) put(input, word);
    else open.push(input);
  }
  // Best pair first, so that a strong match is not taken away by a weak one that comes earlier in the schema.
  const pairs = open
    .filter((input) => !PAGING.test(input.name))
    .flatMap((input) => intent.mentions.map((mention) => ({ input, mention, score: suitability(input, mention) })))
    .filter(({ input, score }) => score >= (input.required ? 1 : 3))
    .sort((a, b) => b.score - a.score || Number(b.input.required) - Number(a.input.required));
  const done = new Set<Input>();
  for (const { input, mention } of pairs) {
    if (done.has(input) || filled.used.has(mention)) continue;
    put(input, typed(input, mention));
    done.add(input);
    filled.used.add(mention);
  }
  filled.missing = open.filter((input) => input.required && !done.has(input) && input.schema['default'] === undefined);
  return filled;
}

/** Enumerations and switches are spoken, not quoted. */
function wordValue(input: Input, intent: Intent): unknown {
  const choices = input.schema['enum'] as unknown[] | undefined;
  if (choices !== undefined) {
    const spoken = choices.filter((choice) => typeof choice === 'string' && mentions(intent.text, choice)) as string[];
    const best = spoken.sort((a, b) => b.length - a.length)[0];
    return best ?? (input.required && choices.length === 1 ? choices[0] : undefined);
  }
  if (input.schema['const'] !== undefined) return input.required ? input.schema['const'] : undefined;
  if (!typesOf(input.schema).includes('boolean')) return undefined;
  const own = wordsOf(input.name).filter((word) => !SWITCH.has(word));
  if (own.length === 0) {
    return input.path.length > 2 ? undefined : OFF.test(intent.text) ? false : ON.test(intent.text) ? true : undefined;
  }
  if (shared(own, intent.words) < own.length) return undefined;
  const at = intent.text.toLowerCase().indexOf(own[0] ?? '');
  return !NEGATION.test(intent.text.slice(0, Math.max(0, at)));
}

function suitability(input: Input, mention: Mention): number {
  const { schema } = input;
  const types = typesOf(schema);
  if (schema['enum'] !== undefined || types.includes('boolean') || types.includes('object')) return 0;
  if (mention.secret && !takesSecret(input)) return 0;
  const item = types.includes('array') ? ((schema['items'] ?? {}) as Json) : schema;
  const itemTypes = typesOf(item);
  const numeric = itemTypes.includes('integer') || itemTypes.includes('number');
  if (numeric !== (mention.kind === 'number') && !(mention.kind === 'number' && itemTypes.includes('string'))) return 0;
  if (numeric && !inRange(item, Number(mention.value))) return 0;
  const pattern = item['pattern'];
  const matches = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(mention.value);
  if (!matches || !formatAllows(item, mention) || !lengthAllows(item, mention.value)) return 0;
  const name = wordsOf(input.path.filter((part) => part !== 'body').join(' '));
  const near = [...mention.before.slice(0, 6), ...mention.after.slice(0, 2)].map(singular);
  const far = mention.before.slice(6);
  const called = 3 * shared(name, near) + shared(name, far);
  // A bare number is a name only where the intent calls it one.
  if (mention.kind === 'number' && !numeric && called === 0) return 0;
  const described = Math.min(2, shared(wordsOf(input.description), near) * 0.5);
  const kind = kindSpeaksFor(input, item, mention);
  return called + described + kind + (input.required ? 1 : 0);
}

/** An input that is shown again, in a preview or an address, takes no secret. */
const takesSecret = ({ name, schema }: Input): boolean =>
  schema['writeOnly'] === true ||
  schema['format'] === 'password' ||
  wordsOf(name).some((word) => SECRET_WORD.test(word));

/** A value of an unmistakable kind belongs into an input of that kind. */
function kindSpeaksFor(input: Input, schema: Json, mention: Mention): number {
  const name = compact(input.name);
  if (mention.kind === 'mac') return /mac/.test(name) ? 4 : 0;
  if (mention.kind === 'ip')
    return schema['format'] === 'ipv4' || /(address|host|ip|destination|target)/.test(name) ? 3 : 0;
  if (mention.kind === 'version') return /(version|firmware|release)/.test(name) ? 3 : 0;
  const strict = typeof schema['pattern'] === 'string' && !new RegExp(schema['pattern'], 'u').test('some other text');
  if (mention.kind === 'identifier') return (strict ? 1 : 0) + (/(name|id|serial|key|host)/.test(name) ? 1 : 0);
  if (mention.kind === 'quoted')
    return /(name|description|note|comment|text|message|title|ssid|label)/.test(name) ? 1.5 : 0.5;
  return 0;
}

function formatAllows(schema: Json, mention: Mention): boolean {
  const format = schema['format'];
  if (format === 'ipv4') return mention.kind === 'ip';
  if (format === 'date-time' || format === 'date') return /^\d{4}-\d\d-\d\d/.test(mention.value);
  if (format === 'uri') return /^https?:/.test(mention.value);
  if (format === 'uuid') return /^[0-9a-f-]{36}$/i.test(mention.value);
  return true;
}

function lengthAllows(schema: Json, value: string): boolean {
  const [min, max] = [schema['minLength'], schema['maxLength']];
  return !(typeof min === 'number' && value.length < min) && !(typeof max === 'number' && value.length > max);
}

function inRange(schema: Json, value: number): boolean {
  const [min, max] = [schema['minimum'], schema['maximum']];
  return !(typeof min === 'number' && value < min) && !(typeof max === 'number' && value > max);
}

function typed(input: Input, mention: Mention): unknown {
  const types = typesOf(input.schema);
  if (types.includes('array')) {
    const item = typesOf((input.schema['items'] ?? {}) as Json);
    return [item.includes('integer') || item.includes('number') ? Number(mention.value) : mention.value];
  }
  return (types.includes('integer') || types.includes('number')) && mention.kind === 'number'
    ? Number(mention.value)
    : mention.value;
}
