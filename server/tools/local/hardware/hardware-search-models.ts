/** hardware_search_models: the hardware catalogue by words. No platform is called. */
import { type Static, Type } from '../../../config/schema.ts';
import type { HardwareModel } from '../../../hardware/models.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Model name, or words such as "outdoor access point"',
    }),
    vendor: Type.Optional(
      Type.Enum(['mgmt', 'cloudwlan', 'sdwan', 'legacy', 'fabric', 'sensors', 'nac'], {
        description: 'Only what this platform manages',
      }),
    ),
    include_specs: Type.Optional(Type.Boolean({ description: 'Specifications and lifecycle dates as well' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: 'Default 5' })),
  },
  { additionalProperties: false },
);

export default {
  name: 'hardware_search_models',
  backend: 'catalog',
  toolset: 'catalog',
  capability: 'read',
  line: 'Search the hardware catalogue: device models with specifications, end of sale and end of support.',
  more: 'Local data about neutral models; nothing is asked of a platform.',
  input: Input,
  search: {
    aliases: ['datasheet', 'hardware specification', 'SKU', 'end of life date', 'end of support', 'device model'],
    questions: [],
  },
  open:
    () =>
    async ({ query, vendor, include_specs = false, limit = 5 }: Static<typeof Input>) => {
      const { isUnknownModel, searchModels } = await import('../../../hardware/models.ts');
      const found = searchModels(query, vendor);
      const unknown = isUnknownModel(query) ? { unknown: `there is no model ${query.trim()}` } : {};
      return {
        ...unknown,
        total: found.length,
        models: found.slice(0, limit).map((model) => shown(model, include_specs)),
      };
    },
} satisfies LocalTool<Static<typeof Input>>;

function shown({ specs, lifecycle, ...model }: HardwareModel, more: boolean) {
  return more ? { ...model, specs, lifecycle } : model;
}
