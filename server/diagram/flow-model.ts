/** Form of a flow of steps. */
import { type Static, Type } from '../config/schema.ts';

const Id = Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z][A-Za-z0-9_]*$' });
const Label = Type.String({ minLength: 1, maxLength: 80 });

export const FlowModel = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
    steps: Type.Array(
      Type.Object(
        {
          id: Id,
          label: Label,
          kind: Type.Optional(Type.Enum(['start', 'step', 'decision', 'end'], { description: 'Default step' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 60 },
    ),
    flows: Type.Array(
      Type.Object(
        { from: Id, to: Id, label: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })) },
        { additionalProperties: false },
      ),
      { maxItems: 120 },
    ),
    format: Type.Optional(Type.Enum(['mermaid', 'svg'], { description: 'Default mermaid' })),
  },
  { additionalProperties: false },
);

export type Flow = Static<typeof FlowModel>;
