/** Finds a thing whose path takes its name as well as its key: `/networks/{name_or_id}`. */
import { filled, namesIn } from '../engine/openapi/route-template.ts';
import type { Entity } from './entity.ts';
import { valueAtPath } from './key-path.ts';
import type { ForeignCall } from './shaped-value.ts';

/** The call with the keys of the things that it names otherwise. */
export function withKeys(entities: readonly Entity[], call: ForeignCall): ForeignCall {
  const { template } = call.operation;
  const named = entities.filter((entity) => entity.otherKey !== null && isAtOrBelow(entity.template, template));
  if (named.length === 0) return call;
  const values = [...call.values];
  for (const entity of named.sort((a, b) => (a.template?.length ?? 0) - (b.template?.length ?? 0))) {
    const at = namesIn(entity.template as string).length - 1;
    values[at] = keyOf(call, entity, values.slice(0, at), values[at] as string);
  }
  const isSame = values.every((value, at) => value === call.values[at]);
  return isSame ? call : { ...call, values, concretePath: filled(template, values) };
}

const isAtOrBelow = (item: string | null, template: string): boolean =>
  item !== null && (template === item || template.startsWith(`${item.replace(/\/$/, '')}/`));

/** The key of the thing that is called so; the text itself where it is a key, or nothing is called so. */
function keyOf({ things }: ForeignCall, entity: Entity, parents: readonly string[], text: string): string {
  const known = things.under(entity, parents);
  if (known.some((values) => values.at(-1) === text)) return text;
  const isCalled = (values: string[]) => valueAtPath(things.read(entity, values), entity.otherKey ?? []) === text;
  return known.find(isCalled)?.at(-1) ?? text;
}
