/**
 * Reads that tell what hangs on an object before something irreversible is done to it: `x-svc-preview-reads`. Its own
 * `references`, the counts that the model names under `preview-reads`, and the changes that wait where they are committed or lost.
 */
import type { Field } from '../model/field-line.ts';
import type { Platform, Resource } from '../model/platform-folder-model.ts';
import type { PreviewRead } from '../model/preview-read-model.ts';
import { everyField } from '../schema/resource-references.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Operation } from './modelled-operation.ts';
import { stageAction } from './staging.ts';

/** What becomes of the changes that wait, by the stage word of an operation. */
const WAITING: ReadonlyMap<string, string> = new Map([
  ['commit', 'go live'],
  ['discard', 'are lost'],
  ['revert', 'are lost'],
]);

/** What an operation states; nothing for a harmless one. */
export function previewReadsOf(operation: Operation, platform: Platform, all: readonly Operation[]): Schema {
  const reads = [...waitingRead(operation, all), ...itemReads(operation, platform, all)];
  return reads.length > 0 ? { 'x-svc-preview-reads': reads } : {};
}

/** The read that lists what waits, for what ends the waiting. Both name the stage by the same parameters. */
function waitingRead(operation: Operation, all: readonly Operation[]): Schema[] {
  const how = WAITING.get(stageAction(operation.wording) ?? '');
  const list = all.find(
    (each) => each.resource === operation.resource && each.method === 'get' && LISTS.has(stageWord(each)),
  );
  if (how === undefined || list === undefined) return [];
  const shared = list.query
    .map(({ name }) => name)
    .filter((name) => operation.query.some((own) => own['name'] === name));
  const names = [...parameterNames(list), ...shared] as string[];
  const args = Object.fromEntries(names.map((name) => [name, `{${name}}`]));
  return [{ operation: list.id, tells: 'changes', arguments: args, how }];
}

const LISTS: ReadonlySet<string> = new Set(['list', 'diff']);
const stageWord = ({ wording, resource }: Operation) => stageAction(wording) ?? stageAction(resource.model) ?? '';

/**
 * What an operation on one item states. Whole replacements and partial changes ask only when a
 * call switches the object off.
 */
function itemReads(operation: Operation, platform: Platform, all: readonly Operation[]): Schema[] {
  const { resource, kind, path, capability } = operation;
  const { model, itemPath } = resource;
  const changes = kind === 'patch' || kind === 'replace';
  if (!(path === itemPath || path.startsWith(`${itemPath}/`)) || !(capability === 'destructive' || changes)) return [];
  const references = all.find((each) => each.kind === 'references' && each.resource === resource);
  return [
    ...(references && capability === 'destructive' ? [referencesRead(references)] : []),
    ...model.previewReads.map((read) => countRead(read, resource, platform, all, changes)),
  ];
}

function referencesRead(read: Operation): Schema {
  return {
    operation: read.id,
    tells: 'references',
    arguments: Object.fromEntries(parameterNames(read).map((name) => [name, `{${name}}`])),
  };
}

const parameterNames = ({ path }: Operation): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);

function countRead(
  { spot, of, by, with: conditions, how }: PreviewRead,
  { model }: Resource,
  platform: Platform,
  all: readonly Operation[],
  changes: boolean,
): Schema {
  const counted = platform.resources.get(of) ?? spot.fail('a resource of this platform', of, 'MODEL_REFERENCE');
  const read =
    all.find((each) => each.kind === 'count' && each.resource === counted) ??
    spot.fail(`a resource that can be counted`, of, 'MODEL_REFERENCE');
  const key = model.key.at(-1) ?? spot.fail('a resource with a key', model.name, 'MODEL_REFERENCE');
  const fields = fieldsOf(counted, platform);
  const filter = [[by, `{${key.name}}`] as const, ...conditions].map(([name, value]) => {
    const field = fields.find((each) => each.name === name && each.filter.includes('eq'));
    return [field ?? spot.fail(`a field of ${of} that is filtered by eq`, name, 'MODEL_REFERENCE'), value] as const;
  });
  return {
    operation: read.id,
    tells: 'count',
    arguments: argumentsOf(filter, counted.style.list.filter),
    how,
    ...(changes ? { when: 'switched-off' } : {}),
  };
}

function fieldsOf({ model, document }: Resource, platform: Platform): Field[] {
  const view = platform.documents.find((each) => each.model === document);
  const mixins = model.use.map((spot) => spot.text());
  return view ? [...model.key, ...everyField(model.fields, mixins, view)] : [];
}

/** The conditions in the grammar in which this collection is filtered. */
function argumentsOf(
  conditions: readonly (readonly [Field, string])[],
  grammar: Resource['style']['list']['filter'],
): Record<string, string> {
  switch (grammar) {
    case 'odata':
    case 'odata-and':
      return {
        filter: conditions
          .map(([field, value]) => `${field.name} eq ${isNumber(field) ? value : `'${value}'`}`)
          .join(' and '),
      };
    case 'json':
      return {
        filter: `{${conditions.map(([field, value]) => `"${field.name}": ${isNumber(field) ? value : `"${value}"`}`).join(', ')}}`,
      };
    default:
      return Object.fromEntries(conditions.map(([field, value]) => [field.name, value]));
  }
}

const isNumber = ({ type }: Field) => type.kind === 'scalar' && (type.name === 'int' || type.name === 'num');
