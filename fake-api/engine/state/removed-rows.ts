/** Stored rows of the platform that an action or a task takes away. */
import type { Row } from './collection.ts';
import type { TaskCall } from './platform-behaviour.ts';

/** Ids of those that went: none where the platform is served without the resource. */
export function removeRows(
  { platform, state }: Pick<TaskCall, 'platform' | 'state'>,
  name: string,
  isMeant: (row: Row) => boolean,
): string[] {
  const resource = platform.resources.get(name);
  if (resource === undefined) return [];
  const ids = [...state.rows(platform.id, name).all()].filter(isMeant).map(({ id }) => id);
  for (const id of ids) state.remove(resource, id);
  return ids;
}
