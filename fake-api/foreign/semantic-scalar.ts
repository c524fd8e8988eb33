/** Values that fit the name of a field, by the same reading of names as in the shipped documents. */
import type { Schema } from '../engine/openapi/openapi-document.ts';
import { singularOf, wordsOf } from '../engine/semantics/field-name-words.ts';
import { hasNumberType, numberFor } from '../engine/semantics/semantic-number.ts';
import { hasTextType, textFor } from '../engine/semantics/semantic-text.ts';
import { mailFor } from '../engine/semantics/text-draws.ts';
import type { TextField } from '../engine/semantics/text-field.ts';
import type { Dice, Part } from '../engine/state/determinism.ts';
import { nounOf } from './item-path.ts';

export interface NamedField {
  schema: Schema;
  dice: Dice;
  /** Origin of the object that the field stands in. */
  row: readonly Part[];
  /** Names and positions from the object to the field. */
  path: readonly string[];
}

const isName = (step: string): boolean => !/^\d+$/.test(step);

const STREET: readonly string[] = ['street', 'address'];
/** Words of the shipped documents for what others call by these, the last words of a name. */
const MEANT: readonly (readonly [name: RegExp, words: readonly string[]])[] = [
  [/(^| )mac ?addr(ess)?$/, ['mac']],
  [/(^| )ip ?addr(ess)?$/, ['ip', 'address']],
  [/(^| )dns$/, ['dns', 'server', 'address']],
  [/^display$/, ['display', 'name']],
  [/(^| )(shipping|billing|mailing|postal|home|office|civic) address$/, STREET],
];
const PLACE_ADDRESS = /^(physical )?address$/;
/** Names of what has its address in a street; the origin of a value says which thing it is part of. */
const OF_PLACES =
  /(^|[/_-])(sites?|locations?|venues?|buildings?|campus(es)?|tenants?|contacts?|compan(y|ies)|customers?|organi[sz]ations?)(\/\{[^{}]*\})?\/?$/i;

function meantWords(name: string, row: readonly Part[]): readonly string[] {
  const words = wordsOf(name);
  const said = words.join(' ');
  if (PLACE_ADDRESS.test(said) && OF_PLACES.test(String(row[2]))) return STREET;
  return MEANT.find(([called]) => called.test(said))?.[1] ?? words;
}

/** The origin with the words of a path that say what stands there: `ports` of `devices/{id}/ports/{portId}`. */
const kindOf = (row: readonly Part[]): readonly Part[] =>
  row.map((part, at) => (at === 2 ? nounOf(`/${part}`) || part : part));

/** Whether no two texts of this name are the same, so that it may identify a thing: a MAC address. */
export const isUniqueByName = (name: string): boolean => meantWords(name, []).at(-1) === 'mac';

/** Null where the name says nothing, or what it says does not fit the schema's limits. */
export function semanticText({ schema, dice, row, path }: NamedField): string | null {
  const names = path.filter(isName);
  const name = names.at(-1);
  if (name === undefined) return null;
  const words = meantWords(name, row);
  const holder = singularOf(wordsOf(names.at(-2) ?? ''));
  const field: TextField = { words, dice, row: kindOf(row), holder, description: schema.description ?? '' };
  const isMail = schema.format === 'email';
  if (!isMail && (schema.format !== undefined || !hasTextType(words))) return null;
  const text = isMail ? mailFor(field) : textFor(field);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  return text.length >= minLength && text.length <= maxLength ? text : null;
}

/** Null where the name says nothing. The number keeps to the limits and steps of the schema. */
export function semanticNumber({ schema, dice, path }: NamedField, isWhole: boolean): number | null {
  const names = path.filter(isName);
  const words = wordsOf(names.at(-1) ?? '');
  if (words.length === 0 || !hasNumberType(words)) return null;
  const drawn = numberFor(words, schema, dice, singularOf(wordsOf(names.at(-2) ?? '')));
  const number = isWhole || schema.multipleOf !== undefined ? Math.round(drawn) : Math.round(drawn * 100) / 100;
  return isWithin(schema, number) ? number : null;
}

function isWithin(schema: Schema, number: number): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const { exclusiveMinimum = Number.NEGATIVE_INFINITY, exclusiveMaximum = Number.POSITIVE_INFINITY } = schema;
  const isStep = schema.multipleOf === undefined || Number.isInteger(number / schema.multipleOf);
  return isStep && number >= minimum && number <= maximum && number > exclusiveMinimum && number < exclusiveMaximum;
}
