/** What an action below a thing sets in it (`POST /users/{id}/disable`), by the boolean field that the document declares for it. */
import type { Call } from '../engine/http/accepted-call.ts';
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { Entity } from './entity.ts';
import { isItemPath, singularOfNoun } from './item-path.ts';
import type { KeyPath } from './key-path.ts';
import { wrappingOf } from './list-envelope.ts';
import { fieldsOf } from './sent-wrapping.ts';
import { keeps } from './written-thing.ts';

export interface ActedOn {
  entity: Entity;
  /** Fields that it sets, by the names that lead to them. */
  fields: [KeyPath, boolean][];
  /** It answers with the thing. */
  isAnswered: boolean;
}

/** Null for a call that sets nothing and answers with something else. */
export function actedOn(entities: readonly Entity[], { operation, body, query }: Call): ActedOn | null {
  const { method, template } = operation;
  const entity = entities.find(
    (each) => each.template !== null && isItemPath(each.template) && isBelow(each.template, template) && keeps(each),
  );
  if (entity === undefined || !CHANGES.has(method)) return null;
  const [, verb = ''] = ACTION.exec(template.slice(entity.template?.length)) ?? [];
  const shown = fieldsOf(operation.document, entity);
  const fields = fieldsSet(
    operation,
    shown,
    actionOf(plainName(verb), method, isObject(body) ? { ...query, ...body } : (body ?? query)),
  );
  const makesOther =
    NO_SAME.test(verb) || entities.some(({ noun }) => plainName(singularOfNoun(noun)) === plainName(verb));
  const isAnswered = !makesOther && answersThing(operation, entity);
  return fields.length > 0 || isAnswered ? { entity, fields, isAnswered } : null;
}

const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const ACTION = /^[/:](?:actions?[/:])?([A-Za-z_-]+)\/?$/;
const isBelow = (item: string, template: string): boolean =>
  template.startsWith(item) && ACTION.test(template.slice(item.length));

/** What makes another thing of the kind, and plurals, under which others may stand; as does what is called like other things. */
const NO_SAME = /^(?:clone|copy|duplicate|fork)|s$/i;

function answersThing(operation: Operation, { schema, noun, key }: Entity): boolean {
  const { document } = operation;
  const answered = successOf(operation).schema;
  if (answered === null || schema === null || key === null) return false;
  const wrapping = wrappingOf(document, answered, noun);
  const names = Object.keys(propertiesOf(document, wrapping.schema));
  const own = propertiesOf(document, schema);
  return !wrapping.isList && names.includes(key[0] as string) && names.every((name) => Object.hasOwn(own, name));
}

interface Action {
  verb: string;
  isDone: boolean;
  /** Something was sent with it that does not say whether. */
  isUnclear: boolean;
}

/** What is sent may say that it shall not be so: `PUT /users/{id}/enabled` with `{ "enabled": false }`. */
function actionOf(verb: string, method: string, sent: unknown): Action {
  const entries = isObject(sent) ? Object.entries(sent) : [['value', sent] as const];
  const said = entries.find(([name]) => plainName(name) === 'value' || statesOf(verb).includes(flagName(name)))?.[1];
  if (/^(?:true|false)$/.test(String(said))) return { verb, isDone: String(said) === 'true', isUnclear: false };
  return { verb, isDone: method !== 'DELETE', isUnclear: isObject(sent) && entries.length > 0 };
}

const flagName = (name: string): string => plainName(name).replace(/^is/, '');

/** Objects in which platforms keep the fields of the thing itself. */
const HOLDERS = /^(attributes|data|properties|spec|config(uration)?|settings)$/i;
const DEEPEST = 2;

/** The participle of the verb becomes `isDone`, that of its opposite becomes the other. */
function fieldsSet(
  operation: Operation,
  properties: Readonly<Record<string, Schema>>,
  action: Action,
  depth = 0,
): [KeyPath, boolean][] {
  const { document } = operation;
  const { verb, isDone, isUnclear } = action;
  const opposites = oppositesOf(verb);
  return Object.entries(properties).flatMap(([name, property]): [KeyPath, boolean][] => {
    const at = flat(document, property);
    if (HOLDERS.test(name) && at.properties !== undefined && depth < DEEPEST)
      return fieldsSet(operation, at.properties, action, depth + 1).map(([path, value]) => [[name, ...path], value]);
    if (!typesOf(at).includes('boolean')) return [];
    const plain = flagName(name);
    // A path that ends like the field itself names no action: what is sent there counts.
    if (plain === verb && isUnclear) return [];
    if (statesOf(verb).includes(plain)) return [[[name], isDone]];
    return opposites.some((opposite) => statesOf(opposite).includes(plain)) ? [[[name], !isDone]] : [];
  });
}

const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  enable: ['disable'],
  disable: ['enable'],
  activate: ['deactivate', 'disable'],
  deactivate: ['activate', 'enable'],
  resume: ['pause', 'suspend'],
  restore: ['archive', 'delete'],
};

function oppositesOf(verb: string): readonly string[] {
  const own = Object.hasOwn(OPPOSITES, verb) ? (OPPOSITES[verb] as readonly string[]) : [];
  return [...own, verb.startsWith('un') ? verb.slice(2) : `un${verb}`];
}

/** What a thing is after it: `enabled` and `enable`, `active`, `locked`, `verified`, `banned`. */
function statesOf(verb: string): string[] {
  const stem = verb.replace(/e$/, '');
  const usual = [verb, `${stem}ed`, `${verb.replace(/y$/, 'i')}ed`, `${verb}${verb.at(-1) ?? ''}ed`];
  if (verb === 'activate') return [...usual, 'active', 'enabled'];
  return verb === 'deactivate' ? [...usual, 'inactive', 'disabled'] : usual;
}
