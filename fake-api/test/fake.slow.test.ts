/** Requests that no well-behaved client sends: each is answered by the platform and counted. */
import { request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerAnswer } from '../control/ledger.ts';
import { type FakeApi, startFakeApi } from '../fake.ts';
import { type Campus, campus } from './campus-testbed.ts';

let fake: FakeApi;
let shipped: Campus;

beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'], fixture: 'tiny' });
  shipped = await campus('tiny');
});
afterAll(() => fake.close());

function raw(
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const { hostname, port } = new URL(fake.api);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function lastEntry(): Promise<{ method: string; path: string; status: number }> {
  const answer = await fetch(`${fake.control}/namespaces/default/ledger`);
  const { entries } = (await answer.json()) as LedgerAnswer;
  const { method, path, status } = entries.at(-1) as (typeof entries)[0];
  return { method, path, status };
}

describe('odd requests over the wire', () => {
  it.each([
    ['GET', '/%zz', undefined, 401],
    ['PROPFIND', '/network-monitoring/v1/aps', undefined, 401],
    ['OPTIONS', '/network-monitoring/v1/aps', undefined, 401],
    ['GET', '//network-monitoring/v1/aps', undefined, 401],
    ['POST', '/network-config/v1alpha1/auth-servers/x', 'x'.repeat(17 * 1024 * 1024), 413],
  ])('%s %s is refused in the platform’s words, with virtual time, and counted', async (method, path, body, status) => {
    const answer = await raw(method, `/mgmt${path}`, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ httpStatusCode: status });
    expect(answer.headers).toMatchObject({ date: 'Mon, 02 Mar 2026 09:00:00 GMT', 'x-ratelimit-limit': '5000' });
    expect(await lastEntry()).toEqual({ method, path, status });
  });

  it('a path outside every platform is refused by place', async () => {
    expect(JSON.parse((await raw('GET', '/')).text)).toMatchObject({ errorCode: 'UNKNOWN_PLACE' });
  });
});

describe('whatever the arguments, the answer is one of the platform', () => {
  it('no operation meets a defect, and each call is counted once', () => {
    const operations = shipped.platform.operations.filter((operation) => operation.kind !== 'token');
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('__proto__', 'constructor', '', '..', '%', 'radius-1', '1'),
    );
    fc.assert(
      fc.property(
        fc.nat(operations.length - 1),
        fc.array(text, { minLength: 5, maxLength: 5 }),
        fc.dictionary(fc.constantFrom('limit', 'next', 'filter', 'sort', 'scope-id', 'search', 'offset'), text, {
          maxKeys: 3,
        }),
        fc.option(fc.jsonValue({ maxDepth: 3 })),
        (index, values, query, body) => {
          const operation = operations[index] as (typeof operations)[0];
          let at = 0;
          const path = operation.template.replace(/\{[^}]+\}/g, () => encodeURIComponent(values[at++] || 'x'));
          const testbed = shipped.open();
          const answer = testbed.send(operation.method, `${path}?${new URLSearchParams(query)}`, body ?? undefined);
          expect(answer.status).not.toBe(500);
          expect(testbed.ledger()).toHaveLength(1);
        },
      ),
      { numRuns: 1500, seed: 20260302 },
    );
  });

  it('no valid body with one value exchanged meets a defect', () => {
    const writing = shipped.platform.operations.filter(
      (operation) => operation.body !== null && operation.kind !== 'token',
    );
    fc.assert(
      fc.property(
        fc.nat(writing.length - 1),
        fc.nat(3),
        fc.nat(20),
        fc.jsonValue({ maxDepth: 2 }),
        (index, at, field, value) => {
          const operation = writing[index] as (typeof writing)[0];
          const call = shipped.sample(operation.id, at);
          if (call === null || typeof call.body !== 'object' || call.body === null) return;
          const names = Object.keys(call.body);
          const body = names.length === 0 ? value : { ...call.body, [names[field % names.length] as string]: value };
          const answer = shipped
            .open()
            .send(call.method, call.query === '' ? call.path : `${call.path}?${call.query}`, body);
          expect([operation.id, answer.status]).not.toEqual([operation.id, 500]);
        },
      ),
      { numRuns: 1500, seed: 20260302 },
    );
  });
});
