/** Named field groups (mixins), nested shapes (objects) and value sets (enums), and the sets in which names are looked up. */
import { ExpandError, type Place } from './expand-errors.ts';
import { type Field, parseFieldLine } from './field-line.ts';
import type { Spot } from './model-file.ts';

export const definitionKeys = ['mixins', 'objects', 'enums'] as const;

export interface Shape {
  readonly name: string;
  readonly place: Place;
  readonly fields: readonly Field[];
}

export interface ValueSet {
  readonly name: string;
  readonly place: Place;
  readonly values: readonly string[];
  /** Meaning per value, where the model gives one. */
  readonly meanings: ReadonlyMap<string, string>;
}

export interface Definitions {
  readonly mixins: ReadonlyMap<string, Shape>;
  readonly objects: ReadonlyMap<string, Shape>;
  readonly enums: ReadonlyMap<string, ValueSet>;
}

export function readFields(spot: Spot): Field[] {
  return [...spot.mapping()].map(([name, line]) => parseFieldLine(name, line.text(), line.place));
}

export function readDefinitions(at: ReadonlyMap<string, Spot>): Definitions {
  const shapes = (key: string): Map<string, Shape> =>
    new Map(
      [...(at.get(key)?.mapping() ?? [])].map(([name, spot]) => [
        name,
        { name, place: spot.place, fields: readFields(spot) },
      ]),
    );
  const enums = new Map(
    [...(at.get('enums')?.mapping() ?? [])].map(([name, spot]) => [name, readValueSet(name, spot)]),
  );
  return { mixins: shapes('mixins'), objects: shapes('objects'), enums };
}

/** Either a plain list, or a mapping from value to meaning. */
function readValueSet(name: string, spot: Spot): ValueSet {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) spot.fail('an enum name in PascalCase', name);
  if (Array.isArray(spot.value)) return { name, place: spot.place, values: spot.texts(), meanings: new Map() };
  const meanings = new Map([...spot.mapping()].map(([value, meaning]) => [value, meaning.text()]));
  return { name, place: spot.place, values: [...meanings.keys()], meanings };
}

/** Joins sets of definitions; the same name in two of them is refused, never shadowed. */
export function joinDefinitions(sets: readonly Definitions[]): Definitions {
  const join = <T extends { name: string; place: Place }>(
    pick: (set: Definitions) => ReadonlyMap<string, T>,
    what: string,
  ) => {
    const joined = new Map<string, T>();
    for (const set of sets) {
      for (const [name, value] of pick(set)) {
        const other = joined.get(name);
        if (other && other !== value) {
          throw new ExpandError('MODEL_DUPLICATE', {
            place: value.place,
            expected: `an ${what} name of its own`,
            got: `${name}, already defined at ${other.place.file}:${other.place.line}`,
          });
        }
        joined.set(name, value);
      }
    }
    return joined;
  };
  return {
    mixins: join((set) => set.mixins, 'mixin'),
    objects: join((set) => set.objects, 'object'),
    enums: join((set) => set.enums, 'enum'),
  };
}
