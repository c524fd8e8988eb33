/** Rows that are kept nowhere because they follow from state: started tasks, pending changes, committed versions. */
import type { Call } from '../http/accepted-call.ts';
import { plain, plainName, shapeOf } from '../openapi/openapi-document.ts';
import type { AsyncStyle } from '../openapi/served-operation.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { locationOf, taskValues } from '../tasks/task-values.ts';
import { changeEntry, stageAnswer } from './action-facts.ts';
import { type Row, rowId } from './collection.ts';
import type { JsonObject } from './json-value.ts';
import { pendingChanges, stageName, versionsOf } from './stage.ts';
import type { Task } from './state.ts';

export function rowsThatFollow(call: Call, resource: Resource): Row[] | null {
  const { derive } = resource;
  if (derive['tasks'] === true) return startedTasks(call, resource);
  if (derive['stage'] === 'list') return changeRows(call, resource);
  return derive['stage'] === 'versions' ? versionRows(call, resource) : null;
}

/** One row, whether it is kept or follows from state. */
export function rowAt(call: Call, resource: Resource, id: string): Row | undefined {
  return (
    rowsThatFollow(call, resource)?.find((row) => row.id === id) ??
    call.state.rows(call.platform.id, resource.name).get(id)
  );
}

/** Tasks of the platform, or of the object that the list stands below. */
function startedTasks(call: Call, resource: Resource): Row[] {
  const parents = call.values.slice(0, resource.parentNames.length);
  const above = resource.collectionTemplate?.replace(/\/[^/]+$/, '') ?? '';
  const rows: Row[] = [];
  for (const task of call.state.tasks.values()) {
    const style = call.platform.byId.get(task.operationId)?.async;
    if (style == null || !parents.every((value, at) => task.values[at] === value)) continue;
    if (parents.length > 0 && !task.template.startsWith(`${above}/`)) continue;
    rows.push(rowOf(parents, task.id, taskRow(call, resource, task, style)));
  }
  return rows;
}

function taskRow(call: Call, resource: Resource, task: Task, style: AsyncStyle): JsonObject {
  const known: Record<string, unknown> = taskValues(style, task, locationOf(call.platform, task));
  const byPlainName = new Map(Object.entries(known).map(([name, value]) => [plainName(name), value]));
  const kind = (task.template.split('/').findLast((segment) => !segment.startsWith('{')) ?? '').replaceAll('-', '_');
  const value: JsonObject = {};
  for (const [name, property] of Object.entries(propertiesOf(resource))) {
    const words = plain(resource.document, property).enum;
    const fact = name === resource.keyNames[0] ? task.id : (known[name] ?? byPlainName.get(plainName(name)));
    const word = words?.find((each) => plainName(String(each)) === plainName(kind));
    if (fact !== undefined) value[name] = fact as JsonObject[string];
    else if (word !== undefined) value[name] = word as string;
    else if (words === undefined && KIND_OF_TASK.test(plainName(name))) value[name] = kind;
  }
  return value;
}

const KIND_OF_TASK = /^(name|type|kind|task|action|operation|tasktype|taskname)$/;

function changeRows(call: Call, resource: Resource): Row[] {
  const parents = call.values.slice(0, resource.parentNames.length);
  return pendingChanges(call.state, call.platform, stageName(call)).map((change) => {
    const key = `${change.resource}:${change.key}`;
    const value = changeEntry(resource.document, resource.readSchema ?? {}, change) as JsonObject;
    return rowOf(parents, key, { ...value, [resource.keyNames[0] as string]: key });
  });
}

function versionRows(call: Call, resource: Resource): Row[] {
  const parents = call.values.slice(0, resource.parentNames.length);
  return versionsOf(call.state, stageName(call)).map((version) => {
    const facts = { changes: version.changes, version: version.number, at: version.at, words: version.words };
    const value = stageAnswer(resource.document, resource.readSchema ?? {}, facts) as JsonObject;
    return rowOf(parents, String(version.number), {
      ...value,
      [resource.keyNames[0] as string]: version.number,
    });
  });
}

function rowOf(parents: string[], key: string, value: JsonObject): Row {
  return { id: rowId([...parents, key]), value, secrets: {}, revision: 1 };
}

function propertiesOf(resource: Resource) {
  return resource.readSchema === null ? {} : shapeOf(resource.document, resource.readSchema).properties;
}
