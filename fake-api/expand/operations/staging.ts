/** What an operation of a staged resource, or one that acts on a stage, has in addition: a note of the stage, a view. */
import type { Platform, Resource } from '../model/platform-folder-model.ts';
import type { Wording } from '../model/task-model.ts';
import type { Schema } from '../schema/schema-object.ts';
import type { Unfinished } from './modelled-operation.ts';

export function isStaged(resource: Resource): boolean {
  return resource.model.staged ?? resource.document.staged;
}

/** Reads say by a parameter whether what is edited or what is committed is meant; everything else lands in the stage. */
export function inStage(draft: Unfinished, resource: Resource, platform: Platform, wording: Wording): Unfinished {
  const actsOnStage = stageAction(wording) !== null || stageAction(resource.model) !== null;
  if (!isStaged(resource) && !actsOnStage) return draft;
  const { stage } = platform.model;
  if (!stage) return resource.model.spot.fail('stage: in platform.yaml for what is staged', 'none', 'MODEL_REFERENCE');
  const { key, view } = stage;
  const isRead = draft.capability === 'read' && !actsOnStage && draft.kind !== 'async-result';
  const seen = isRead ? view : null;
  if (seen && draft.query.some((parameter) => parameter['name'] === seen.parameter)) {
    resource.model.spot.fail(
      `${draft.kind} parameters other than ${seen.parameter}, by which reads of the stage say what they mean`,
      seen.parameter,
      'MODEL_DUPLICATE',
    );
  }
  return {
    ...draft,
    query: seen ? [...draft.query, viewParameter(seen)] : draft.query,
    extensions: { ...draft.extensions, 'x-svc-stage': { key, view: seen } },
  };
}

/** The word of `derive: {stage: ...}`. */
export function stageAction({ derive }: { readonly derive?: unknown }): string | null {
  const word = (derive as { stage?: unknown } | null | undefined)?.stage;
  return typeof word === 'string' ? word : null;
}

function viewParameter(view: { parameter: string; edited: string; committed: string }): Schema {
  return {
    name: view.parameter,
    in: 'query',
    required: false,
    description: `Which state to read: ${view.edited} with the changes that wait, ${view.committed} as it is in effect`,
    schema: { type: 'string', enum: [view.edited, view.committed], default: view.edited },
  };
}
