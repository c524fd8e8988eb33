/**
 * Reads that tell what hangs on an object before something irreversible is done to it: `x-svc-preview-reads`. Its own
 * `references`, and the counts that the model names under `preview-reads`.
 */
import type { Field } from '../model/field-line.ts';
import type { Platform, Resource } from '../model/platform-folder-model.ts';
import type { PreviewRead } from '../model/preview-read-model.ts';
import { everyField } from '../schema/resource-references.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Operation } from './modelled-operation.ts';

/**
 * What an operation on one item states; nothing for a harmless one. Whole replacements and partial changes ask only when a
 * call switches the object off.
 */
export function previewReadsOf(operation: Operation, platform: Platform, all: readonly Operation[]): Schema {
  const { resource, kind, path, capability } = operation;
  const { model, itemPath } = resource;
  const changes = kind === 'patch' || kind === 'replace';
  if (!(path === itemPath || path.startsWith(`${itemPath}/`)) || !(capability === 'destructive' || changes)) return {};
  const references = all.find((each) => each.kind === 'references' && each.resource === resource);
  const reads = [
    ...(references && capability === 'destructive' ? [referencesRead(references)] : []),
    ...model.previewReads.map((read) => countRead(read, resource, platform, all, changes)),
  ];
  return reads.length > 0 ? { 'x-svc-preview-reads': reads } : {};
}

function referencesRead({ id, path }: Operation): Schema {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
  return {
    operation: id,
    tells: 'references',
    arguments: Object.fromEntries(names.map((name) => [name, `{${name}}`])),
  };
}

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
