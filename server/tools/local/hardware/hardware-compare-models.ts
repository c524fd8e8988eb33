/** hardware_compare_models: two to five models of the hardware catalogue side by side. */
import { type Static, Type } from '../../../config/schema.ts';
import type { HardwareModel } from '../../../hardware/models.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  { models: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 2, maxItems: 5 }) },
  { additionalProperties: false },
);

export default {
  name: 'hardware_compare_models',
  backend: 'catalog',
  toolset: 'catalog',
  capability: 'read',
  line: 'Compare two to five hardware models: what differs, what is the same, and which ends first.',
  more: 'A model that the catalogue does not know is named with the closest ones it does.',
  input: Input,
  search: { aliases: ['compare access points', 'compare switches', 'difference between models'], questions: [] },
  open:
    () =>
    async ({ models }: Static<typeof Input>) => {
      const { modelNamed, modelsLike } = await import('../../../hardware/models.ts');
      const found = models.map((name) => ({ name, model: modelNamed(name) }));
      const known = [...new Set(found.flatMap(({ model }) => (model ? [model] : [])))];
      const unknown = found
        .filter(({ model }) => model === undefined)
        .map(({ name }) => ({
          model: name,
          close: modelsLike(name)
            .slice(0, 3)
            .map(({ model }) => model),
        }));
      return {
        models: known.map(({ model }) => model),
        ...comparison(known),
        ...(unknown.length > 0 ? { unknown } : {}),
      };
    },
} satisfies LocalTool<Static<typeof Input>>;

/** A row per property; the value stands at the place of its model, null where it has none. */
function comparison(models: readonly HardwareModel[]) {
  const rows = models.map(rowOf);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const valuesOf = (name: string) => rows.map((row) => row[name] ?? null);
  const same = names.filter((name) => new Set(valuesOf(name)).size === 1);
  return {
    differs: Object.fromEntries(names.filter((name) => !same.includes(name)).map((name) => [name, valuesOf(name)])),
    same: Object.fromEntries(same.map((name) => [name, valuesOf(name)[0]])),
  };
}

function rowOf({ vendor, role, summary, specs, lifecycle }: HardwareModel): Record<string, unknown> {
  return { vendor, role, summary, ...specs, ...lifecycle };
}
