/** One row of the state, as a client of its platform gets to see it. */
import { expect } from 'vitest';
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { filled } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { contradictionsIn, contradictionText } from '../engine/semantics/contradictions.ts';
import { rowParts } from '../engine/state/collection.ts';
import type { PlatformClient } from './platform-client.ts';
import { wholeList } from './whole-list.ts';

/** The row as its own operation answers it, else its entry in the list; undefined where there is none. No answer may contradict itself. */
export function answeredRow(client: PlatformClient, resource: Resource, id: string): unknown {
  const operations = client.platform.operations.filter((each) => each.resource === resource.name && each.by === null);
  const parts = rowParts(id);
  const item = operations.find(({ kind }) => kind === 'get' || kind === 'singleton-get');
  if (item !== undefined) {
    const answer = client.get(filled(item.template, parts.slice(0, item.pathNames.length)));
    if (answer.status < 300) judge(client, item, answer.json);
    return answer.status === 404 ? undefined : answer.json;
  }
  const list = operations.find(({ kind }) => kind === 'list') as Operation;
  const found = wholeList(client, list, { path: filled(list.template, parts.slice(0, resource.parentNames.length)) });
  expect(found.refused?.body, list.id).toBeUndefined();
  for (const page of found.pages) judge(client, list, page.json);
  const keys = parts.slice(resource.parentNames.length);
  return found.entries.find((entry) => resource.keyNames.every((name, at) => String(entry[name]) === keys[at]));
}

function judge({ state }: PlatformClient, operation: Operation, json: unknown): void {
  const schema = successOf(operation).schema ?? {};
  const found = contradictionsIn(operation.document, schema, json, { nowMs: state.clock.ms });
  expect(found.map(contradictionText), operation.id).toEqual([]);
}
