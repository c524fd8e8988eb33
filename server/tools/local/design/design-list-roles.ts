/** design_list_roles: what a node of a diagram can be, and whose it can be. */
import { type Static, Type } from '../../../config/schema.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object({}, { additionalProperties: false });

export default {
  name: 'design_list_roles',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'List the device roles and vendors that a network diagram knows, with their aliases and colours.',
  more: 'A role decides icon and row of a node, a vendor (the platform that manages it) its colour.',
  input: Input,
  search: { aliases: ['diagram roles', 'diagram vendors', 'device roles for a diagram'], questions: [] },
  open: () => async (_: Static<typeof Input>) => {
    const { MAKERS, ROLES } = await import('../../../diagram/roles.ts');
    return {
      roles: ROLES.map(({ id, tier, aliases }) => ({ id, row: tier, aliases })),
      vendors: Object.entries(MAKERS).map(([id, colour]) => ({ id, colour })),
    };
  },
} satisfies LocalTool<Static<typeof Input>>;
