/** Lints over resources and schemas: nothing counted twice, nothing hollow, nothing without a use. */
import type { Field } from '../model/field-line.ts';
import { snake } from '../model/name-spelling.ts';
import type { Resource } from '../model/platform-folder-model.ts';
import { everyField } from '../schema/resource-references.ts';
import type { Finding, LintRule } from './lint-rule.ts';
import { nearPairs } from './look-alike-check.ts';

const fewestOwnFields = 3;
const mostOverlap = 0.75;
const longestToolName = 60;

/** (c) Fewer than three own fields is a hollow resource, unless it is a singleton, an assignment or only tasks. */
const ownFields: LintRule = ({ platform }) =>
  platform.documents.flatMap((view) =>
    view.resources.flatMap(({ model }): Finding[] => {
      const exempt = model.singleton || model.arrayBody || model.ops.size === 0 || model.twin !== null;
      const isAssignment = model.key.length > fewestOwnFields;
      const own = everyField(model.fields, [], view).length;
      if (exempt || isAssignment || own >= fewestOwnFields) return [];
      return [
        at(
          'c-own-fields',
          model.spot.place,
          `at least ${fewestOwnFields} own fields, nested ones included, got ${own}`,
        ),
      ];
    }),
  );

/** (d) Two resources with nearly the same field names are one resource, unless the model says why not. */
const noTwinFields: LintRule = ({ platform }) => {
  const resources = [...platform.resources.values()].filter(({ model }) => model.fields.length >= fewestOwnFields);
  const names = resources.map(({ model }) => new Set(model.fields.map((field) => tellingName(model.name, field))));
  return nearPairs(names, mostOverlap).flatMap(({ left, right, overlap }): Finding[] => {
    const [one, two] = [resources[left]!, resources[right]!];
    if (declaredAlike(one, two)) return [];
    return [
      at(
        'd-overlap',
        two.model.spot.place,
        `field names unlike those of ${one.model.name} or variant-of, got an overlap of ${overlap.toFixed(2)}`,
      ),
    ];
  });
};

/**
 * A time and a reference are called the same on every resource of a platform, so they make no two resources alike: each
 * counts as a name of its own resource.
 */
const tellingName = (resource: string, { name, type }: Field): string =>
  type.kind === 'ref' || (type.kind === 'scalar' && type.name === 'datetime') ? `${resource}.${name}` : name;

export function declaredAlike(left: Resource, right: Resource): boolean {
  if ((left.model.like ?? left.model) === (right.model.like ?? right.model)) return true;
  const names = (model: Resource['model']): (string | undefined)[] => [
    model.twin?.of,
    ...model.variantOf.map((variant) => variant.name),
  ];
  return names(left.model).includes(right.model.name) || names(right.model).includes(left.model.name);
}

/** (g) No operation without a declared use: the resource says which intents lead to it and what it is also called. */
const declaredUse: LintRule = ({ platform }) =>
  [...platform.resources.values()].flatMap(({ model }): Finding[] => [
    ...(model.questions.length > 0
      ? []
      : [at('g-use', model.spot.place, 'questions that lead to this resource, got none')]),
    ...(model.aliases.length > 0 || model.subDocument !== null
      ? []
      : [at('alias', model.spot.place, 'at least one alias, got none')]),
    ...model.aliases
      .filter((alias) => model.noun.some((noun) => noun.toLowerCase() === alias.toLowerCase()))
      .map((alias) => at('alias', model.spot.place, `aliases other than the noun, got ${alias}`)),
  ]);

/** Tool names are the platform and the snake form of the operation id. */
const nameLength: LintRule = ({ platform, expanded }) =>
  expanded.flatMap(({ operations }) =>
    operations.flatMap((operation): Finding[] => {
      const name = `${platform.model.id}_${snake(operation.id)}`;
      if (name.length <= longestToolName) return [];
      return [
        at(
          'name-length',
          operation.resource.model.spot.place,
          `a tool name of at most ${longestToolName} characters, got ${name} (${name.length})`,
        ),
      ];
    }),
  );

function at(rule: string, place: { file: string; line: number; field: string }, message: string): Finding {
  return { rule, place: `${place.file}:${place.line} ${place.field}`, message: `expected ${message}` };
}

export const structureRules: readonly LintRule[] = [ownFields, noTwinFields, declaredUse, nameLength];
