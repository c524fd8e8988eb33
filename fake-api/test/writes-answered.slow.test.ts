/** A written object comes back whole, and says when and by whom what was done to it was done. */
import { beforeAll, describe, expect, it } from 'vitest';
import { USERNAME } from '../engine/http/account.ts';
import { isNullable, plain, type Schema, shapeOf, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import { fixtureCall } from './fixture-call.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient } from './platform-client.ts';

const NOW = '2026-03-02T09:00:00Z';
const ROWS_TRIED = 6;

let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation();
});

/** The object that a call answers, in an untouched namespace; null where no row of the fixture takes it. */
function answered(platform: Platform, operation: Operation): JsonObject | null {
  const client = new PlatformClient(installation, platform.id);
  for (let at = 0; at < ROWS_TRIED; at += 1) {
    const call = fixtureCall(platform, client.state, operation, at);
    const answer = call === null ? null : client.send(call);
    if (answer !== null && answer.status < 300) return JSON.parse(answer.body || 'null') as JsonObject;
  }
  return null;
}

function operationsOf(kind: string): [Platform, Operation][] {
  return [...installation.platforms.values()].flatMap((platform) =>
    platform.operations
      .filter((operation) => operation.kind === kind)
      .map((operation): [Platform, Operation] => [platform, operation]),
  );
}

/** Lists and nullable fields that an object does not have, by the schema it is read with. */
function missingFrom(platform: Platform, operation: Operation, value: JsonObject): string[] {
  const resource = platform.resources.get(operation.resource ?? '');
  if (resource === undefined || resource.readSchema === null) return [];
  const { properties } = shapeOf(resource.document, resource.readSchema);
  const isShown = ([name, property]: [string, Schema]) => {
    const schema = plain(resource.document, property);
    const isEmpty = typesOf(schema).includes('array') && (schema.minItems ?? 0) === 0;
    return schema.writeOnly === true || name in value || !(isEmpty || isNullable(schema));
  };
  return Object.entries(properties)
    .filter((entry) => !isShown(entry))
    .map(([name]) => name);
}

describe('an object that was created', () => {
  it('comes back with every list and every field that may be null', () => {
    const wrong: string[] = [];
    let whole = 0;
    for (const [platform, operation] of operationsOf('create')) {
      const resource = platform.resources.get(operation.resource ?? '');
      const value = answered(platform, operation);
      // Some platforms answer with an envelope or the identifier alone.
      if (value === null || !resource?.keyNames.every((name) => name in value)) continue;
      whole += 1;
      const missing = missingFrom(platform, operation, value);
      if (missing.length > 0 && Object.keys(value).length > resource.keyNames.length)
        wrong.push(`${platform.id}/${operation.id}: ${missing.join(', ')}`);
    }
    expect(whole).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  });

  it('says when it was opened and who asked for it', () => {
    const stamps = operationsOf('create').flatMap(([platform, operation]) =>
      Object.entries(answered(platform, operation) ?? {})
        .filter(([name]) => /^(created|opened|requested)(_?at|_?by|_?time)$/i.test(name))
        .filter(([name]) => platform.resources.get(operation.resource ?? '')?.writable.has(name) !== true)
        .map(([name, value]) => [`${platform.id}/${operation.id}.${name}`, value]),
    );
    expect(stamps.length).toBeGreaterThan(80);
    expect(stamps.filter(([, value]) => value === null)).toEqual([]);
  });
});

describe('a deed', () => {
  it.each([
    ['mgmt', 'acknowledgeAlert', 'acknowledgedAt', 'acknowledgedBy'],
    ['cloudwlan', 'ackOrgAlarm', 'acked_time', 'acked_by'],
    ['nac', 'acknowledgeSystemEvent', null, 'acknowledged_by'],
  ])('on %s says when and by whom', (id, operationId, at, by) => {
    const platform = installation.platforms.get(id) as Platform;
    const operation = platform.operations.find((entry) => entry.id === operationId);
    expect(operation, `${operationId} of ${id}`).toBeDefined();
    const client = new PlatformClient(installation, id);
    for (let row = 0; row < ROWS_TRIED; row += 1) {
      const call = fixtureCall(platform, client.state, operation as Operation, row);
      if (call !== null && client.send(call).status < 300) break;
    }
    const done = [...client.state.rows(id, (operation as Operation).resource as string).all()].filter(
      ({ value }) => value[by] === USERNAME,
    );
    expect(done).toHaveLength(1);
    if (at !== null) expect(done[0]?.value[at]).toBe(NOW);
    expect(isObject(done[0]?.value)).toBe(true);
  });
});
