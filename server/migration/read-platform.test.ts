/** An export that is read from a controller: whole, or not at all. */
import { describe, expect, test } from 'vitest';
import type { Call, LocalToolContext, Result } from '../dispatch/dispatch-call.ts';
import { shape } from '../dispatch/shape.ts';
import { dispatchPort } from './dispatch-port.ts';
import { exportFromPlatform } from './read-platform.ts';
import { planFrom } from './run-request.ts';

const MAX_BYTES = 10_000;

/** A router over a controller with these lists; every other one is empty. */
function controller(lists: Readonly<Record<string, unknown[]>>, whole?: unknown): LocalToolContext {
  const list = { property: '_data.objects', first: 1, parameters: { limit: 'limit', offset: 'offset' } };
  const invoke = async ({ name, arguments: values }: Call): Promise<Result> => {
    const all = lists[name] ?? [];
    const from = Number(values['offset'] ?? 1) - 1;
    const answer = whole ?? { _data: { objects: all.slice(from, from + Number(values['limit'])) }, total: all.length };
    const request = {
      tool: { list, parameters: [] },
      answer,
      values,
      bounds: { maxItems: 200, maxBytes: MAX_BYTES },
      from: 0,
    };
    const { result } = shape({ ...request, resumable: true } as unknown as Parameters<typeof shape>[0]);
    return { kind: 'done', result, outcome: 'success' };
  };
  return { call: { principal: 'somebody' }, invoke } as unknown as LocalToolContext;
}

const policies = (...names: string[]) => names.map((accname) => ({ accname }));
const large = { accname: 'large', description: 'x'.repeat(MAX_BYTES) };
const unreadOf = async (context: LocalToolContext) =>
  (await exportFromPlatform(dispatchPort(context), '/md')).unread.map(
    ({ pointer, message }) => `${pointer} ${message}`,
  );
const planned = (context: LocalToolContext) => planFrom({ config_path: '/md', target_type: 'new' }, context);

describe('a list of the controller', () => {
  test('of many pages is read to its end', async () => {
    const context = controller({ legacy_list_vlan_ids: Array.from({ length: 900 }, (_, i) => ({ id: i + 1 })) });
    expect(await unreadOf(context)).toEqual([]);
    expect((await planned(context)).source_object_counts.vlans).toBe(900);
  });
  test.each([
    ['in its middle', [...policies('a'), large, ...policies('c')], 1],
    ['at its end', [...policies('a', 'b'), large], 2],
  ])('with an item larger than an answer may be %s is not taken for a short one', async (_, items, read) => {
    const context = controller({ legacy_list_acl_sesses: items });
    expect(await unreadOf(context)).toEqual([`/policies the list was cut after ${read} items: plan from an export`]);
    await expect(planned(context)).rejects.toMatchObject({
      code: 'MIGRATION_EXPORT_INVALID',
      details: { sections: ['/policies'] },
    });
  });
  test('with more items than are read is not taken for a short one', async () => {
    const entries = Array.from({ length: 10_001 }, (_, i) => ({ mac: `m${i}` }));
    const [first] = await unreadOf(controller({ legacy_list_ap_allowlist_campuses: entries }));
    expect(first).toMatch(/^\/whitelist_rule the list was cut after \d+ items/);
  });
  test('whose answer is no list is not taken for an empty one', async () => {
    const unread = await unreadOf(controller({}, { status: 'busy' }));
    expect(new Set(unread.map((each) => each.replace(/^\S+ /, '')))).toEqual(new Set(['the answer is no list']));
    await expect(planned(controller({}, { status: 'busy' }))).rejects.toMatchObject({
      code: 'MIGRATION_EXPORT_INVALID',
    });
  });
  test.each([[{}], [{ _data: {} }], [{ _data: { objects: [] } }]])(
    'that is empty may be left out of the answer: %j',
    async (answer) => {
      expect(await unreadOf(controller({}, answer))).toEqual([]);
    },
  );
});
