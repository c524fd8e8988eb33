/** design_resolve_icon: the icon of a device, from what is known of it. */
import { type Static, Type } from '../../../config/schema.ts';
import type { LocalTool } from '../registry.ts';

const Text = Type.String({ minLength: 1, maxLength: 64 });
const Input = Type.Object(
  { role: Type.Optional(Text), vendor: Type.Optional(Text), model: Type.Optional(Text) },
  { additionalProperties: false, minProperties: 1 },
);

export default {
  name: 'design_resolve_icon',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'Resolve the diagram icon of a device from its role, vendor or hardware model.',
  more: 'Says which of them decided; what nothing is known of gets the generic device, marked as fallback.',
  input: Input,
  search: { aliases: ['icon of a device', 'icon for a model'], questions: [] },
  open: () => async (asked: Static<typeof Input>) => {
    const [{ iconOf, iconSvg }, { resolveRole }] = await Promise.all([
      import('../../../diagram/icons.ts'),
      import('../../../diagram/roles.ts'),
    ]);
    const { role, colour, by } = resolveRole(asked);
    const icon = iconOf(role.id);
    return { icon: icon.id, title: icon.title, role: role.id, colour, by, svg: iconSvg(icon, colour) };
  },
} satisfies LocalTool<Static<typeof Input>>;
