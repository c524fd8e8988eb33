/** Which word of a call makes it stricter than its operation is: by `x-svc-escalates`, and in a document of a user by its names. */
import { CAPABILITIES, type Capability } from '../access/access-policy.ts';
import type { OperationSource } from './operation-source.ts';
import { isObject } from './platform-document.ts';
import { fieldsOfAlternatives } from './request-schema.ts';
import type { JsonSchema, Tool, ToolParameter } from './tool.ts';
import { destroys, isSelector, literalSegments, wordsOf } from './verbs.ts';

/** `x-svc-escalates`: a class that this router does not know counts as the strictest. */
export function readEscalation(stated: unknown): Pick<Tool, 'escalates'> {
  if (!isObject(stated) || typeof stated['field'] !== 'string' || !isObject(stated['values'])) return {};
  const values = Object.entries(stated['values']).map(([word, to]): [string, Capability] => [
    word,
    CAPABILITIES.find((capability) => capability === to) ?? 'destructive',
  ]);
  return { escalates: { field: stated['field'], values: Object.fromEntries(values) } };
}

/** Last words of a path whose body says what is to be done. */
const TOLD_BY_BODY = new Set('action actions state power command commands operation operations control'.split(' '));
/** Last words of a path whose body may say no more than that something is to be off. */
const SWITCHES = new Set(['state', 'power']);
/** Names of such a field, as words without what separates them. */
const SWITCH = /^(?:(?:admin|desired|target)?(?:state|status|power)|powerstate|enabled?|on|value)$/;
const SWITCHED_OFF: Readonly<Record<string, Capability>> = Object.fromEntries(
  'off Off OFF down Down DOWN false False FALSE disabled Disabled DISABLED standby Standby STANDBY'
    .split(' ')
    .map((word) => [word, 'destructive'] as const),
);

/**
 * In a document of a user, a change at `/devices/{id}/actions` with a field `action` (or a `type` of the action), at `/devices/{id}/{action}`,
 * at `/ports/{id}/power` with a field that switches it off, or anywhere with an `op` that is one of several, may do anything: each
 * call is classified by its word.
 */
export function escalationByWord(
  { path }: Pick<OperationSource, 'path'>,
  capability: Capability,
  { parameters, schema }: { parameters: readonly ToolParameter[]; schema: JsonSchema },
): Pick<Tool, 'escalates'> {
  const last = wordsOf(literalSegments(path).at(-1) ?? '').at(-1) ?? '';
  const told = toldByBody(last, fieldsOfAlternatives(schema));
  if (told !== undefined) return { escalates: told };
  const selector = parameters.find(({ in: where, name }) => /^(?:path|query)$/.test(where) && isSelector(name));
  if (capability === 'read' || selector === undefined || !mayDestroy(schema, selector)) return {};
  return { escalates: { field: selector.argument, isArgument: true, values: {}, byVerb: true } };
}

function toldByBody(last: string, fields: ReadonlyMap<string, readonly JsonSchema[]>): Tool['escalates'] {
  const names = [...fields.keys()];
  const selectors = names.filter((name) => isSelector(name) || isSelector(name.replace(/s$/, '')));
  const field = TOLD_BY_BODY.has(last)
    ? (selectors[0] ?? names.find((name) => name === 'type' && /^actions?$/.test(last)))
    : selectors.find((name) => listsDeeds(fields.get(name) ?? []));
  if (field !== undefined) return { field, values: {}, byVerb: true };
  const off = SWITCHES.has(last) ? names.find((name) => SWITCH.test(wordsOf(name).join(''))) : undefined;
  return off === undefined ? undefined : { field: off, values: SWITCHED_OFF, byVerb: true };
}

/** What a rule does with traffic, and the steps of a JSON patch, which are shown as what they change. */
const NO_DEED = /^(?:accept|allow|permit|pass|replace)$/i;

/** Whether one of several things that are listed for a field takes something away. */
function listsDeeds(stated: readonly JsonSchema[]): boolean {
  const values = stated.flatMap(valuesOf);
  return values.length > 1 && values.some(destroys) && !values.some((value) => NO_DEED.test(value));
}

const valuesOf = ({ enum: values, const: only }: JsonSchema): string[] =>
  [Array.isArray(values) ? values : only].flat().filter((value) => typeof value === 'string');

/** Not where the values that are listed for it are all of another kind, or are one: that one decides the class of the tool. */
function mayDestroy({ properties }: JsonSchema, { argument }: ToolParameter): boolean {
  const { enum: values } = ((properties ?? {}) as Record<string, JsonSchema>)[argument] ?? {};
  return !Array.isArray(values) || (values.length > 1 && values.some((value) => destroys(String(value))));
}
