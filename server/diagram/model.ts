/**
 * The model that every topology export draws: things, the links between them, and the places they stand in. Nothing but its
 * form, because every start loads it.
 */
import { type Static, Type } from '../config/schema.ts';

/** Limits of a model: readable on a page, and small enough for one answer. */
export const MODEL_LIMITS = { nodes: 120, links: 300, groups: 24, label: 80 };

const Id = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/-]*$' });
const Label = Type.String({ minLength: 1, maxLength: MODEL_LIMITS.label });
const LINK_KINDS = ['wired', 'wireless', 'tunnel', 'aggregate', 'logical'] as const;
const STATES = ['up', 'degraded', 'down', 'unknown'] as const;

export const DiagramModel = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
    nodes: Type.Array(
      Type.Object(
        {
          id: Id,
          label: Type.Optional(Label),
          role: Type.Optional(
            Type.String({ maxLength: 64, description: 'From design_list_roles, or an alias of one' }),
          ),
          vendor: Type.Optional(
            Type.String({ maxLength: 64, description: 'Platform that manages it; decides the colour' }),
          ),
          model: Type.Optional(Type.String({ maxLength: 64, description: 'Hardware model' })),
          group: Type.Optional(Id),
          address: Type.Optional(Type.String({ maxLength: 64 })),
          state: Type.Optional(Type.Enum([...STATES])),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MODEL_LIMITS.nodes },
    ),
    links: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Id,
            to: Id,
            label: Type.Optional(Label),
            from_port: Type.Optional(Type.String({ maxLength: 32 })),
            to_port: Type.Optional(Type.String({ maxLength: 32 })),
            kind: Type.Optional(Type.Enum([...LINK_KINDS])),
            state: Type.Optional(Type.Enum([...STATES])),
          },
          { additionalProperties: false },
        ),
        { maxItems: MODEL_LIMITS.links },
      ),
    ),
    groups: Type.Optional(
      Type.Array(Type.Object({ id: Id, label: Type.Optional(Label) }, { additionalProperties: false }), {
        maxItems: MODEL_LIMITS.groups,
        description: 'Sites, floors or racks that nodes stand in',
      }),
    ),
  },
  { additionalProperties: false },
);

export type Diagram = Static<typeof DiagramModel>;
export type DiagramNode = Diagram['nodes'][number];
export type DiagramLink = NonNullable<Diagram['links']>[number];
export type State = NonNullable<DiagramNode['state']>;
