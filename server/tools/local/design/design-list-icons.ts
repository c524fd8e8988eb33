/** design_list_icons: the icons a diagram may use. */
import { type Static, Type } from '../../../config/schema.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only icons whose id or title holds it' }),
    ),
    include_svg: Type.Optional(Type.Boolean({ description: 'The drawings as well' })),
  },
  { additionalProperties: false },
);

export default {
  name: 'design_list_icons',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'List the icons for network diagrams, with their drawings on request.',
  more: 'The icons are drawn by this router and embedded in what it exports.',
  input: Input,
  search: { aliases: ['diagram icons', 'network symbols', 'stencils'], questions: [] },
  open:
    () =>
    async ({ search = '', include_svg = false }: Static<typeof Input>) => {
      const { ICONS, iconSvg } = await import('../../../diagram/icons.ts');
      return ICONS.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(search.toLowerCase())).map(
        (icon) => ({ id: icon.id, title: icon.title, ...(include_svg ? { svg: iconSvg(icon) } : {}) }),
      );
    },
} satisfies LocalTool<Static<typeof Input>>;
