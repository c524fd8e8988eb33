/**
 * Typed slot filling: which value of the intent belongs into which input. Types and patterns rule out, the words
 * around a value decide; an optional input is filled only when something speaks for it.
 */
import { compact, mentions, shared, singular, wordsOf } from './name-words.ts';
import { assign, type Input, type Json, type Operation, typesOf } from './operation.ts';
import { type Intent, type Mention, SECRET_WORD } from './task-intent.ts';

export interface Filled {
  arguments: Json;
  /** Required inputs nothing was found for. */
  missing: Input[];
  /** How many inputs of the body were filled. */
  body: number;
  used: Set<Mention>;
}

const OFF = /\b(disable[ds]?|deactivate[ds]?|(switch|turn)(ed)?( it)? off|not (enabled|active|on))\b/i;
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
  const spoken = operation.inputs.map((input) => ({
    input,
    word: PAGING.test(input.name) ? undefined : wordValue(input, intent),
  }));
  // "Turn on client isolation" says what is turned on: the switch of the whole object is not meant as well.
  const switches = spoken.filter(({ word }) => typeof word === 'boolean').map(({ input }) => ownWords(input));
  for (const { input, word } of spoken) {
    const own = ownWords(input);
    const isPart = switches.some((other) => other.length > own.length && own.every((one) => other.includes(one)));
    if (word !== undefined && !(typeof word === 'boolean' && isPart)) put(input, word);
    else open.push(input);
  }
  // Best pair first, so that a strong match is not taken away by a weak one that comes earlier in the schema.
  const pairs = open
    .filter((input) => !PAGING.test(input.name))
    .flatMap((input) =>
      intent.mentions.map((mention) => ({
        input,
        mention,
        score: suitability(input, mention) + nounBonus(operation, input, mention) - foreign(intent, mention),
      })),
    )
    .filter(({ input, score }) => score >= leastFor(input))
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

/** A key of an address is guessed only where something speaks for it; a wrong one finds nothing. */
const leastFor = ({ required, path }: Input): number => (required && path[0] === 'body' ? 1 : 3);

/** A value of another part of the intent fits only where nothing of this one does. */
const foreign = ({ text, mentions: named }: Intent, { value }: Mention): number =>
  !text.includes(value) && named.some((other) => text.includes(other.value)) ? 0.5 : 0;

/** "the network device hq-ap-06": the noun before the value is that of the tool. */
function nounBonus({ description }: Operation, input: Input, mention: Mention): number {
  if (input.path[0] === 'body') return 0;
  const near = mention.before.slice(0, 3).map(singular);
  if (shared(wordsOf(description.split('. ')[0] ?? ''), near) === 0) return 0;
  return mention.kind === 'number' && isNumeric(input.schema) ? 2 : 1;
}

/** Enumerations and switches are spoken, not quoted. */
function wordValue(input: Input, intent: Intent): unknown {
  const choices = input.schema['enum'] as unknown[] | undefined;
  if (choices !== undefined) return choiceOf(choices, input, intent);
  if (input.schema['const'] !== undefined) return input.required ? input.schema['const'] : undefined;
  return typesOf(input.schema).includes('boolean') ? switchOf(input, intent) : undefined;
}

function choiceOf(choices: readonly unknown[], input: Input, intent: Intent): unknown {
  // A choice that is only a part of a value, or the name of an object, is not spoken: a network can be called "voice".
  const isChoice = (value: string) => choices.some((choice) => String(choice).toLowerCase() === value.toLowerCase());
  const values = intent.mentions.filter(({ value }) => !isChoice(value));
  const words = values.reduce((text, { value }) => text.replaceAll(value, VALUE), intent.text);
  const spoken = choices.filter(
    (choice) =>
      typeof choice === 'string' && mentions(words, choice) && !isObjectName(choice, words) && !isLabel(choice, words),
  ) as string[];
  // "from SUSPECTED to ROGUE": what it was is not what it is to be.
  const wanted = spoken.filter((choice) => !isAfter(/\b(from|not)\s+(\w+\s+)?$/i, choice, words));
  const best = (wanted.length > 0 ? wanted : spoken).sort((a, b) => b.length - a.length)[0];
  const elsewhere = best === undefined ? choiceBesideName(choices, input, intent.whole?.text ?? '') : undefined;
  return best ?? elsewhere ?? (input.required && choices.length === 1 ? choices[0] : undefined);
}

function isAfter(words: RegExp, choice: string, text: string): boolean {
  const at = text.toLowerCase().indexOf(choice.toLowerCase().replaceAll('_', ' '));
  const exact = at >= 0 ? at : text.toLowerCase().indexOf(choice.toLowerCase());
  return exact > 0 && words.test(text.slice(0, exact));
}

/** "node /md/mill, action modify": another part of the intent says the input's own name before the choice. */
const choiceBesideName = (choices: readonly unknown[], { name }: Input, text: string): unknown =>
  choices.find(
    (choice) =>
      typeof choice === 'string' &&
      new RegExp(
        `\\b${wordsOf(name).join('[ _-]')}(?: is| to| as|:|=)? ${choice.replaceAll(/[^\w -]/g, '.')}\\b`,
        'i',
      ).test(text),
  );

const VALUE = ' \u0000 ';

/** "the named VLAN scanners": words right before a value only say what kind of value it is. */
const isLabel = (choice: string, text: string): boolean =>
  text
    .toLowerCase()
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .includes(`${choice.toLowerCase().replaceAll(/[_-]/g, ' ')} \u0000`);

/** A lower-case word right after the noun of a thing is its name: "the wireless network voice". */
const THING = /\b(network|wlan|ssid|vlan|profile|role|group|rule|device|switch|server|site|template|tag|policy)\s+$/i;

function isObjectName(choice: string, text: string): boolean {
  const at = text.toLowerCase().indexOf(choice.toLowerCase());
  return at > 0 && THING.test(text.slice(0, at)) && text.slice(at, at + choice.length) === choice.toLowerCase();
}

const ownWords = ({ name }: Input): string[] => wordsOf(name).filter((word) => !SWITCH.has(word));

function switchOf(input: Input, intent: Intent): boolean | undefined {
  const own = ownWords(input);
  if (own.length === 0) {
    if (input.path.length > 2) return undefined;
    // What the request says counts for more than what is told around it.
    for (const text of [intent.part ?? intent.text, intent.text]) {
      if (OFF.test(text)) return false;
      if (ON.test(text)) return true;
    }
    return undefined;
  }
  if (shared(own, intent.words) < own.length) return undefined;
  const at = intent.text.toLowerCase().indexOf(own[0] ?? '');
  return !NEGATION.test(intent.text.slice(0, Math.max(0, at)));
}

function suitability(input: Input, mention: Mention): number {
  const { schema } = input;
  const item = typesOf(schema).includes('array') ? ((schema['items'] ?? {}) as Json) : schema;
  if (!accepts(input, item, mention)) return 0;
  const name = wordsOf(input.path.filter((part) => part !== 'body').join(' '));
  const near = [...mention.before.slice(0, 6), ...mention.after.slice(0, 2)].map(singular);
  const far = mention.before.slice(6);
  const nearest = name.includes(near[0] ?? '') ? 2 : 0;
  const called = 3 * shared(name, near) + shared(name, far) + nearest;
  // A bare number is a name only where the intent calls it one.
  if (mention.kind === 'number' && !isNumeric(item) && called === 0) return 0;
  const described = Math.min(2, shared(wordsOf(input.description), near) * 0.5);
  const kind = kindSpeaksFor(input, item, mention);
  return called + described + kind + (input.required ? 1 : 0) + (mention.secret ? 3 : 0);
}

/** Whether the input can hold the value at all; `item` is the schema of one value where the input takes a list. */
export function accepts(input: Input, item: Json, mention: Mention): boolean {
  const types = typesOf(input.schema);
  if (input.schema['enum'] !== undefined || types.includes('boolean') || types.includes('object')) return false;
  if (mention.secret !== takesSecret(input)) return false;
  if (
    mention.kind === 'moment' &&
    !TIMES.test(`${input.name} ${input.description}`) &&
    input.schema['format'] === undefined
  )
    return false;
  if (input.path[0] !== 'body' && !hasShapeOf(input, mention)) return false;
  return (
    typeAllows(item, mention) &&
    patternAllows(item, mention.value) &&
    formatAllows(item, mention) &&
    lengthAllows(item, mention.value)
  );
}

const TIMES = /time|date|moment|when|day|until|since|expir|schedul|start|begin|end|from|to$|At$|_at$|valid/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CODE = /^[A-Z0-9]{6,20}$/;

/** A key of an address has the form that its name says: no name for a serial number, no UUID for a name. */
function hasShapeOf({ name, schema }: Input, { kind, value, before }: Mention): boolean {
  const key = compact(name);
  if (kind === 'moment' || kind === 'version') return /(time|date|from|to|since|until|version|release)/.test(key);
  if (kind === 'quoted') return /(name|title|label|ssid|user|key)/.test(key);
  if (/mac/.test(key)) return kind === 'mac';
  if (/serial/.test(key)) return CODE.test(value);
  if (UUID.test(value)) return /(id|uuid|key)$/.test(key) && ownerAgrees(name, before);
  if (/(name|host|ssid)/.test(key)) return kind !== 'number';
  // An id of no stated form is seldom what people call a thing.
  if (/id$/.test(key) && schema['pattern'] === undefined)
    return kind !== 'mac' && !/[a-z]-[a-z]/.test(value) && (!SERIAL.test(value) || isCalledSo(name, before));
  return true;
}

/** A serial number is seldom the id of something else: a guess costs a call. */
const SERIAL = /^(?=.*[A-Z])(?=.*\d)[A-Z0-9]{6,20}$/;
const isCalledSo = (name: string, before: readonly string[]): boolean =>
  wordsOf(name).some((word) => word !== 'id' && before.slice(0, 3).includes(word));

/** "site 6f8e…" is no organisation's id. */
function ownerAgrees(name: string, before: readonly string[]): boolean {
  const owner = wordsOf(name).filter((word) => !['id', 'uuid', 'key'].includes(word));
  const nearest = before[0] ?? '';
  return owner.length === 0 || owner.includes(nearest) || !OWNERS.has(nearest);
}

const OWNERS = new Set([
  'site',
  'org',
  'organisation',
  'organization',
  'blueprint',
  'server',
  'group',
  'network',
  'campaign',
  'device',
  'test',
  'issue',
  'case',
]);

const isNumeric = (schema: Json): boolean => typesOf(schema).some((type) => type === 'integer' || type === 'number');

function typeAllows(schema: Json, { kind, value }: Mention): boolean {
  const numeric = isNumeric(schema);
  if (kind !== 'number') return !numeric;
  return numeric ? inRange(schema, Number(value)) : typesOf(schema).includes('string');
}

const patternAllows = ({ pattern }: Json, value: string): boolean =>
  typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);

/** An input that is shown again, in a preview or an address, takes no secret. */
const takesSecret = ({ name, schema }: Input): boolean =>
  schema['writeOnly'] === true ||
  schema['format'] === 'password' ||
  wordsOf(name).some((word) => SECRET_WORD.test(word));

/** A value of an unmistakable kind belongs into an input of that kind. */
function kindSpeaksFor(input: Input, schema: Json, mention: Mention): number {
  const name = compact(input.name);
  const named = (words: RegExp) => Number(words.test(name));
  switch (mention.kind) {
    case 'mac':
      return 4 * named(/mac/);
    case 'ip':
      return schema['format'] === 'ipv4' ? 3 : 3 * named(/(address|host|ip|destination|target)/);
    case 'version':
      return 3 * named(/(version|firmware|release)/);
    case 'identifier':
      return (
        Number(!patternAllows(schema, 'some other text')) +
        2 * Number(schema['format'] === 'uuid') +
        named(/(name|id|serial|key|host)/)
      );
    case 'name':
      return mention.value.startsWith('/') ? 4 * named(/path/) : named(/(name|id|ssid|key|host|user)/);
    case 'moment':
      return 2 + 2 * named(/(until|at|time|date|from|to|expire|schedule|start|end|begin)/);
    case 'quoted':
      return (
        0.5 + named(/(name|description|note|comment|text|message|title|ssid|label)/) + calledTitleOrText(name, mention)
      );
    default:
      return 0;
  }
}

const TITLE = /^(title|titled|headline|subject|called|named|name)$/;
const TEXT = /^(text|say|saying|description|reading|word|remark|comment|note|message|body)$/;

/** What is quoted as a title is no text, and the other way round. */
function calledTitleOrText(name: string, { before }: Mention): number {
  const [nearest = ''] = before;
  const takes = /(subject|title|headline)/.test(name)
    ? 'title'
    : /(description|text|body|detail)/.test(name)
      ? 'text'
      : '';
  const said = TITLE.test(singular(nearest)) ? 'title' : TEXT.test(singular(nearest)) ? 'text' : '';
  return takes === '' || said === '' ? 0 : takes === said ? 3 : -2;
}

function formatAllows(schema: Json, mention: Mention): boolean {
  const format = schema['format'];
  if (format === 'ipv4') return mention.kind === 'ip';
  if (format === 'date-time' || format === 'date') return mention.kind === 'moment';
  if (mention.kind === 'moment') return format === undefined;
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

export function typed(input: Input, mention: Mention): unknown {
  const types = typesOf(input.schema);
  if (types.includes('array')) {
    const item = typesOf((input.schema['items'] ?? {}) as Json);
    return [item.includes('integer') || item.includes('number') ? Number(mention.value) : mention.value];
  }
  return (types.includes('integer') || types.includes('number')) && mention.kind === 'number'
    ? Number(mention.value)
    : mention.value;
}
