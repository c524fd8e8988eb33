/** A text that fits the pattern and the length of its schema. */
import { VLANS } from '../semantics/address-plan.ts';
import { fixedForm } from '../semantics/fixed-forms.ts';
import { formFor, rangeFor } from '../semantics/pattern-text.ts';
import { textFor } from '../semantics/semantic-text.ts';
import type { TextField } from '../semantics/text-field.ts';
import type { Dice } from '../state/determinism.ts';
import type { Schema } from './openapi-document.ts';
import { expressionOf, textMatching } from './pattern.ts';

/** Draws that may fail to fit length and pattern before the pattern alone decides. */
const TRIES_TO_FIT = 6;

/** A text that fits the field's name, if one of them also fits the schema; else one that fits the schema. */
export function plainText(schema: Schema, dice: Dice, field: TextField): string {
  const isUnique = schema['x-svc-unique'] === true;
  let drawn = '';
  for (let at = 0; at < TRIES_TO_FIT; at += 1) {
    drawn = textFor(field);
    // A pool of names is soon used up by values that must differ.
    const texts = isUnique ? [`${drawn}-${dice.int(2, 9999)}`, renumbered(drawn, dice)] : [drawn];
    const fitting = texts.find((text) => fitsText(text, schema));
    if (fitting !== undefined) return fitting;
  }
  if (schema.pattern === undefined) return fitLength(drawn, schema);
  const formed = formedText(schema, schema.pattern, dice, field);
  if (formed !== undefined) return formed;
  // A pattern of letters and digits alone also takes names that mean something else.
  const form =
    isUnique || isLoose(schema.pattern) ? respelled(drawn, schema) : formFor(field, (text) => fitsText(text, schema));
  return form ?? fitLength(textMatching(schema.pattern, dice) ?? drawn, schema);
}

/** The text with another number at its end, for values that must differ. */
const renumbered = (text: string, dice: Dice): string =>
  text.replace(/\d+$/, () => (text.includes('/') ? String(dice.int(9, 48)) : String(dice.int(10, 990))));

/** A name as a pattern takes it that knows no hyphens, or one case only; undefined where none fits. */
function respelled(text: string, schema: Schema): string | undefined {
  if (schema['x-svc-unique'] === true || !/^[a-z]/i.test(text)) return undefined;
  const plain = text.replaceAll(/[^A-Za-z0-9]+/g, '');
  const forms = [
    text.toUpperCase(),
    text.replaceAll(/[^A-Za-z0-9]+/g, '_'),
    plain,
    plain.toUpperCase(),
    plain.toLowerCase(),
  ];
  return forms.find((form) => fitsText(form, schema));
}

/** A text of the form that the pattern itself gives away: a range, an event of a kind, a number. */
function formedText(schema: Schema, pattern: string, dice: Dice, field: TextField): string | undefined {
  const texts: (string | undefined)[] = [];
  if (isRange(pattern)) texts.push(rangeFor(field, expressionOf(pattern).test('10.1.1.1')));
  if (schema['x-svc-unique'] !== true && !isLoose(pattern)) texts.push(fixedForm(pattern, field));
  if (schema['x-svc-unique'] !== true) {
    const [, prefix] = /^\^([A-Z]{2,12}_)/.exec(pattern) ?? [];
    texts.push(prefix === undefined ? undefined : prefix + dice.pick(EVENTS), numeralFor(schema, dice, field));
  }
  return texts.find((text) => text !== undefined && fitsText(text, schema));
}

/** What happens to things whose events begin with their kind. */
const EVENTS = ['CONNECTED', 'DISCONNECTED', 'RESTARTED', 'CONFIG_CHANGED', 'UPGRADED'];

/** A number without leading zeros for a pattern that takes digits and no word. */
function numeralFor(schema: Schema, dice: Dice, { words }: TextField): string | undefined {
  const takes = expressionOf(schema.pattern as string);
  if (!takes.test('42') || ['a', 'ab', 'abcd', 'abcdef', '4-2'].some((text) => takes.test(text))) return undefined;
  const isVlan = /^vlans?$|^vid$/.test(words.at(-1) ?? '');
  const number = String(isVlan ? dice.pick(VLANS) : dice.int(1, 999));
  return fitsText(number, schema) ? number : undefined;
}

/** Whether a pattern takes numbers and ranges of them, and no word. */
const isRange = (pattern: string): boolean =>
  ['1', '1-2'].every((text) => expressionOf(pattern).test(text)) && !expressionOf(pattern).test('a');

/** Whether a pattern takes any short word, so that fitting it says nothing of what it is for. */
const isLoose = (pattern: string): boolean => ['example', 'Q', '7'].every((text) => expressionOf(pattern).test(text));

export function fitsText(text: string, { minLength = 0, maxLength, pattern }: Schema): boolean {
  if (text.length < minLength || (maxLength !== undefined && text.length > maxLength)) return false;
  return pattern === undefined || expressionOf(pattern).test(text);
}

function fitLength(text: string, schema: Schema): string {
  const cut = schema.maxLength === undefined ? text : text.slice(0, schema.maxLength).trimEnd();
  return cut.padEnd(schema.minLength ?? 0, '0');
}
