/** Refusals that a platform tells inside a success. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { visible } from '../telemetry/invisible.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { ExecutionContract } from './contract.ts';
import { Cursors } from './cursor.ts';
import { fixedKeys } from './keyring.ts';
import { answerOf } from './tool-answer.ts';

const tool = {
  name: 'legacy_set_vlan',
  platform: 'legacy',
  capability: 'write',
  innerOutcome: { status: '_global_result.status', ok: 0, message: '_global_result.status_str' },
} as Tool;

const options = {
  config: { response: { maxItems: 200, maxBytes: 200_000, batchMaxBytes: 300_000, cursorTtlSeconds: 900 } },
  cursors: new Cursors(fixedKeys(new Uint8Array(32)), 900),
  logger: createLogger('silent'),
};

const answered = (body: unknown, of: Tool = tool, status = 200, contract?: ExecutionContract) =>
  answerOf({
    tool: of,
    ...(contract ? { contract } : {}),
    values: {},
    principal: 'local',
    from: 0,
    options,
    response: {
      status,
      body,
      headers: new Headers(),
      location: null,
      retryAfterMs: undefined,
      attempts: 1,
    },
  });

test('a code that is not the good one is a refusal with the words of the platform', () => {
  const body = { _global_result: { status: 409, status_str: 'VLAN 20 is in use' } };
  expect(answered(body)).toMatchObject({
    kind: 'refused',
    refusal: {
      code: 'upstream_rejected',
      message: 'legacy answered 200 and refused inside it',
      platform_code: '409',
      platform_message: 'VLAN 20 is in use',
      data: body,
    },
  });
});

test.each([
  ['the good code', { _global_result: { status: 0, status_str: 'Success' } }],
  ['the good code as text', { _global_result: { status: '0' } }],
  ['no code at all', { _data: { vlan: [] } }],
])('%s is a success', (_, body) => {
  expect(answered(body)).toMatchObject({ kind: 'done', outcome: 'success' });
});

const bulk = { name: 'own_update_things', platform: 'own', capability: 'write', parameters: [] } as unknown as Tool;
const many = Array.from({ length: 300 }, (_, i) => ({ id: i, status: i < 250 ? 200 : 409 }));
const contract = { platform: 'own' } as ExecutionContract;

test.each([
  [
    'a list',
    {
      results: [
        { id: 'a', status: 200 },
        { id: 'b', status: 409 },
        { id: 'c', status: '404' },
      ],
    },
    2,
    3,
  ],
  ['status lines', [{ status: 'HTTP/1.1 200 OK' }, { status: 'HTTP/1.1 423 Locked' }], 1, 2],
  ['more than an answer shows', many, 50, 300],
  ['a map', { a: { statusCode: 201 }, b: { statusCode: 500, body: { code: 500 } } }, 1, 2],
])('a write of which parts failed is no success: %s', (_, body, failed, parts) => {
  const end = answered(body, bulk, 207, contract);
  expect(end).toMatchObject({ kind: 'done', outcome: 'error', result: { failed_parts: { failed, parts } } });
  expect(end).toMatchObject({ result: { contract, ...(Array.isArray(body) ? {} : { object: body }) } });
});

test.each([
  ['all parts were carried out', 207, { results: [{ status: 200 }, { status: 201 }] }],
  ['a status is a word', 207, { status: 400, results: [{ status: 'queued' }] }],
  ['the answer has one status', 200, { results: [{ status: 404 }] }],
])('a write is a success where %s', (_, status, body) => {
  expect(answered(body, bulk, status, contract)).toMatchObject({ outcome: 'success', result: { object: body } });
  expect(answered(body, bulk, status, contract)).not.toHaveProperty('result.failed_parts');
});

test('a field that the document declares as a secret is masked in answers and in refusals', () => {
  const of = { ...tool, answerSecrets: ['community'] };
  const body = { snmp: [{ community: 'platform-held', name: 'n' }] };
  const masked = { snmp: [{ community: '******', name: 'n' }] };
  expect(answered(body, of)).toMatchObject({ result: masked });
  expect(answered({ ...body, _global_result: { status: 1, status_str: 'no' } }, of)).toMatchObject({
    refusal: { data: masked },
  });
});

test.each([
  ['told where nothing else names the thing', undefined, '/v1/things/t%207?sig=x', '/v1/things/t%207'],
  [
    'told of an address elsewhere by its path',
    { warnings: [] },
    'https://other.example/v1/things/t-7',
    '/v1/things/t-7',
  ],
  ['left away where the answer names the thing', { id: 't 7' }, '/v1/things/t%207', undefined],
  ['left away where it is none', undefined, 'http://[', undefined],
  ['left away where there is none', undefined, null, undefined],
])('the place of what a write made is %s', (_, body, location, told) => {
  const response = { status: 201, body, headers: new Headers(), location, retryAfterMs: undefined, attempts: 1 };
  const plain = { ...tool, innerOutcome: undefined } as unknown as Tool;
  const source = { tool: plain, values: {}, principal: 'local', from: 0, options, response } as const;
  const contract = { platform: 'legacy' } as never;
  const written = answerOf({ ...source, contract }) as { result: { location?: string } };
  expect(written.result.location).toBe(told);
  const read = answerOf(source) as { result?: { location?: string } };
  expect(read.result?.location).toBeUndefined();
});

test('pages and cursors bring every item once, in order, each page within its budgets, whatever the items are', () => {
  const read = {
    name: 'legacy_list_vlans',
    platform: 'legacy',
    capability: 'read',
    list: { property: 'vlans' },
  } as Tool;
  const item = fc.dictionary(fc.string({ maxLength: 12 }), fc.string({ maxLength: 400, unit: 'grapheme' }), {
    maxKeys: 4,
  });
  const lists = fc.array(item, { maxLength: 60 });
  const budgets = fc.record({
    maxItems: fc.integer({ min: 1, max: 20 }),
    maxBytes: fc.integer({ min: 1024, max: 9000 }),
  });
  fc.assert(
    fc.property(lists, budgets, fc.string({ maxLength: 900 }), (vlans, budget, note) => {
      // What a page of the platform says beside its list, the upstream's own cursor among it.
      const body = { vlans, note, next_cursor: 'upstream-7' };
      const own = { ...options, config: { response: { ...budget, batchMaxBytes: 300_000, cursorTtlSeconds: 900 } } };
      const seen: unknown[] = [];
      let from = 0;
      for (let page = 0; page <= vlans.length; page++) {
        const response = {
          status: 200,
          body,
          headers: new Headers(),
          location: null,
          retryAfterMs: undefined,
          attempts: 1,
        };
        const answer = answerOf({ tool: read, values: {}, principal: 'local', from, options: own, response });
        if (answer.kind !== 'done') throw new Error('expected a page');
        const text = answer.text ?? JSON.stringify(answer.result);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(answer.result)));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget.maxBytes);
        const shown = answer.result as {
          items: unknown[];
          next_cursor: string;
          _response_bounds?: { passed_over?: object };
        };
        expect(shown.items.length).toBeLessThanOrEqual(budget.maxItems);
        seen.push(...shown.items);
        if (shown._response_bounds?.passed_over) seen.push(visible(vlans[from]));
        const next = own.cursors.read(shown.next_cursor, { tool: read.name, arguments: {}, principal: 'local' });
        if ('reason' in next) {
          expect(shown.next_cursor, 'at the end the cursor of the platform itself').toBe('upstream-7');
          break;
        }
        expect(next.offset).toBeGreaterThan(from);
        from = next.offset;
      }
      expect(seen).toEqual(visible(vlans));
    }),
    { numRuns: 300 },
  );
});
