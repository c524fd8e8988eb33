/** Which properties of a row are its key: as its operations declare it, else by the names in its path. */
import { plainName, type Schema } from './openapi-document.ts';
import type { Operation } from './served-operation.ts';

/** `itemNames` are the parameters of the item's path below its parents. */
export function keyNamesOf(
  operations: readonly Operation[],
  properties: Record<string, Schema>,
  itemNames: readonly string[],
): string[] {
  const composite: readonly string[] = itemNames.length > 1 ? itemNames : (operations[0]?.resourceKeys ?? []);
  if (composite.length > 1) return composite.map((parameter) => propertyNamed(properties, parameter) ?? parameter);
  const declared = operations.find((operation) => operation.resourceKey !== null)?.resourceKey ?? null;
  return [keyProperty(properties, declared, itemNames[0] ?? null)];
}

function keyProperty(properties: Record<string, Schema>, declared: string | null, parameter: string | null): string {
  for (const wanted of [declared, parameter]) {
    const found = wanted === null ? undefined : propertyNamed(properties, wanted);
    if (found !== undefined) return found;
  }
  for (const name of ['id', 'uuid', 'name', 'key']) if (Object.hasOwn(properties, name)) return name;
  return declared ?? parameter ?? 'id';
}

function propertyNamed(properties: Record<string, Schema>, wanted: string): string | undefined {
  if (Object.hasOwn(properties, wanted)) return wanted;
  return Object.keys(properties).find((name) => plainName(name) === plainName(wanted));
}
