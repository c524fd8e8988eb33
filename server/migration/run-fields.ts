/** The arguments that select a migration: shared by preview and creation. */
import { type Static, Type } from '../config/schema.ts';
import { RUN_LIMITS } from './migration-run.ts';

const Name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));

export const RUN_FIELDS = {
  // It may hold secrets: where it is no object, nothing of it is said.
  export: Type.Optional(Type.Object({}, { writeOnly: true, description: 'The exported configuration' })),
  config_path: Name('In place of export: node of the legacy controller to read, such as /md/site'),
  target_type: Type.Enum(['classic', 'new'], { description: 'Generation that is written to' }),
  scope_id: Name('New generation: scope that receives the objects'),
  scope_name: Name('Classic: the group, named by the operator'),
  persona: Name('New generation: device function, such as CAMPUS_AP'),
  cluster_name: Name('Tunnelled networks: the gateway cluster'),
  cluster_scope_id: Name('Tunnelled networks: scope of the gateway cluster'),
  conflict_policy: Type.Optional(
    Type.Enum(['fail', 'skip-existing', 'update'], {
      description: 'What to do with an object that exists; default fail',
    }),
  ),
  selected_candidates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 600 }), {
      maxItems: RUN_LIMITS.candidates,
      description: 'Only these, as type:identifier',
    }),
  ),
};

const Fields = Type.Object(RUN_FIELDS);
export type RunRequest = Static<typeof Fields>;
