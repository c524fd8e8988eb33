/** Writes nobody answered for, and what is on record of them. */
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyAudit } from '../audit/chain.ts';
import { ensureCatalog } from '../catalog/ensure.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { SAMPLE_SECRET, sampleInstallation } from '../test/support/sample-installation.ts';
import { json, type Responder, sampleNetwork } from '../test/support/sample-network.ts';
import { openDispatch } from './open-dispatch.ts';

const PATCH = { name: 'radius-1', body: { 'auth-port': 1912 } };

function bench(variables: Record<string, string> = {}) {
  const installation = sampleInstallation();
  const network = sampleNetwork();
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1', ...variables });
  const { catalog } = ensureCatalog(config);
  const log: string[] = [];
  const logger = createLogger('debug', (line) => log.push(line));
  const { dispatch } = openDispatch(config, catalog, logger);
  const run = (name: string, args: Record<string, unknown>) =>
    dispatch.invoke({ dispatcher: 'invoke_tool', name, arguments: args, principal: 'local', approver: approver() });
  const apply = async (name: string, args: Record<string, unknown>) => {
    const preview = await run(name, args);
    if (preview.kind !== 'done') throw new Error(`expected a preview, got ${JSON.stringify(preview)}`);
    const { plan_token } = preview.result as { plan_token: string };
    return run(name, { ...args, dry_run: false, confirm: true, plan_token });
  };
  return {
    installation,
    network,
    log,
    run,
    apply,
    writes: () => network.calls.filter(({ method }) => method !== 'GET').length,
    [Symbol.dispose]: () => {
      catalog.close();
      network[Symbol.dispose]();
      installation[Symbol.dispose]();
    },
  };
}

/** A platform whose writes end badly and whose object reads as given. */
const badWrites =
  (end: Responder, object: unknown, status = 200): Responder =>
  (call) =>
    call.method === 'GET' ? json(object, status) : end(call);
const busy: Responder = () => json({ message: 'try later' }, 503);
const page: Responder = () => new Response('<html>proxy</html>', { headers: { 'content-type': 'text/html' } });

describe('a write without a clear answer is resolved by reading the object', () => {
  test.each([
    ['a 503', busy],
    ['a page of a proxy', page],
    ['a connection that breaks', () => Response.error()],
  ] as [string, Responder][])('after %s: done, where it shows what was asked for', async (_name, end) => {
    using b = bench();
    b.network.respond(badWrites(end, { name: 'radius-1', 'auth-port': '1912', type: 'RADIUS' }));
    const result = await b.apply('mgmt_update_auth_server', PATCH);
    expect(result).toMatchObject({
      kind: 'done',
      outcome: 'success',
      result: {
        ok: true,
        status: 'settled_by_read',
        message: expect.stringMatching(
          /PATCH \/auth-servers\/radius-1 was sent once and .*; GET \/auth-servers\/radius-1 shows/,
        ),
        read_back: { found: 'as_requested' },
        contract: { capability: 'write' },
      },
      meta: { 'svc-mcp/spent': { requests: 3 } },
    });
    expect(b.writes()).toBe(1);
  });

  test.each([
    [
      'done, where the object inside is as asked for',
      1912,
      { outcome: 'success', result: { read_back: { found: 'as_requested' } } },
    ],
    [
      'not applied, where it is as it was',
      1812,
      { refusal: { code: 'not_applied', read_back: { found: 'unchanged' } } },
    ],
    ['unknown, where it is neither', 1900, { refusal: { code: 'outcome_unknown' } }],
  ])('in an envelope with a field of the same name: %s', async (_name, after, expected) => {
    using b = bench();
    let port = 1812;
    let reads = 0;
    b.network.respond((call) => {
      if (call.method === 'GET')
        return json({ 'auth-port': 1912, request: `r-${reads++}`, data: { name: 'radius-1', 'auth-port': port } });
      port = after;
      return busy(call);
    });
    expect(await b.apply('mgmt_update_auth_server', PATCH)).toMatchObject(expected);
    expect(b.writes()).toBe(1);
  });

  test('unknown, where the object may be one of several inside', async () => {
    using b = bench();
    const body = { 'auth-port': 1912, type: 'RADIUS' };
    b.network.respond(badWrites(busy, { type: 'pair', data: body, result: body }));
    expect(await b.apply('mgmt_update_auth_server', { name: 'radius-1', body })).toMatchObject({
      refusal: { code: 'outcome_unknown' },
    });
  });

  test('not applied, where it shows what the preview saw', async () => {
    using b = bench();
    b.network.respond(badWrites(busy, { name: 'radius-1', 'auth-port': 1812 }));
    expect(await b.apply('mgmt_update_auth_server', PATCH)).toMatchObject({
      kind: 'refused',
      outcome: 'failed',
      refusal: {
        code: 'not_applied',
        sent: true,
        read_back: { found: 'unchanged' },
        data: { message: 'try later' },
      },
    });
    expect(b.writes()).toBe(1);
  });

  test('a replacement that leaves what it should remove is not applied, however much of it was there before', async () => {
    using b = bench();
    const before = { security: { mode: 'open' }, parent: { security: { mode: 'open' } } };
    b.network.respond(badWrites(busy, before));
    const body = { security: { mode: 'open' } };
    expect(await b.apply('mgmt_replace_wlan', { ssid: 'iot', body })).toMatchObject({
      refusal: { code: 'not_applied', read_back: { found: 'unchanged' } },
    });
    let reads = 0;
    b.network.respond((call) => (call.method === 'GET' ? json({ ...before, clients: reads++ }) : busy(call)));
    expect(await b.apply('mgmt_replace_wlan', { ssid: 'iot', body })).toMatchObject({
      refusal: { code: 'outcome_unknown' },
    });
    let there: object = before;
    b.network.respond((call) => {
      if (call.method === 'GET') return json(there);
      there = body;
      return busy(call);
    });
    expect(await b.apply('mgmt_replace_wlan', { ssid: 'iot', body })).toMatchObject({ outcome: 'success' });
  });

  test('another letter case counts as done only where the platform made it', async () => {
    using b = bench();
    const change = { name: 'radius-1', body: { type: 'LDAP' } };
    b.network.respond(badWrites(busy, { name: 'radius-1', type: 'ldap' }));
    expect(await b.apply('mgmt_update_auth_server', change)).toMatchObject({ refusal: { code: 'outcome_unknown' } });
    let type = 'RADIUS';
    b.network.respond((call) => {
      if (call.method === 'GET') return json({ name: 'radius-1', type });
      type = 'ldap';
      return busy(call);
    });
    expect(await b.apply('mgmt_update_auth_server', change)).toMatchObject({ outcome: 'success' });
  });

  test.each([
    ['a delete that leaves something behind', 'mgmt_delete_auth_server', { name: 'radius-1' }],
    ['a change that reads otherwise than asked', 'mgmt_update_auth_server', PATCH],
  ])('unknown after %s: neither what was asked for nor what was there', async (_name, tool, args) => {
    using b = bench();
    let writes = 0;
    b.network.respond((call) => {
      if (call.method === 'GET') return json({ name: 'radius-1', state: `state-${writes}` });
      writes += 1;
      return busy(call);
    });
    expect(await b.apply(tool, args)).toMatchObject({
      refusal: { code: 'outcome_unknown', message: expect.stringContaining('as asked for or as before') },
    });
  });

  test('a delete is done when the object is absent, and not when it exists', async () => {
    using b = bench();
    let there = true;
    b.network.respond((call) => {
      if (call.method === 'GET') return there ? json({ name: 'radius-1' }) : json({}, 404);
      there = false;
      return json({ message: 'try later' }, 503);
    });
    expect(await b.apply('mgmt_delete_auth_server', { name: 'radius-1' })).toMatchObject({ kind: 'done' });
    b.network.respond(badWrites(busy, { name: 'radius-1' }));
    expect(await b.apply('mgmt_delete_auth_server', { name: 'radius-1' })).toMatchObject({
      refusal: { code: 'not_applied' },
    });
    expect(b.writes()).toBe(2);
  });

  test.each([
    ['the field cannot be read', { body: { 'shared-secret': 'a-long-secret' } }, { name: 'radius-1' }, 200],
    [
      'one field of two cannot be read',
      { body: { 'auth-port': 1912, 'shared-secret': 'a-long-secret' } },
      { 'auth-port': 1912 },
      200,
    ],
    ['the read is refused', { body: { 'auth-port': 1912 } }, {}, 403],
  ])('unknown, where %s', async (_name, change, object, status) => {
    using b = bench();
    b.network.respond(badWrites(busy, object, status));
    expect(await b.apply('mgmt_update_auth_server', { name: 'radius-1', ...change })).toMatchObject({
      refusal: { code: 'outcome_unknown', sent: true, message: expect.stringContaining('unknown') },
    });
    expect(b.writes()).toBe(1);
  });

  test('an action that no read shows stays unknown', async () => {
    using b = bench();
    b.network.respond(badWrites(busy, { serial: 'AP1' }));
    expect(await b.apply('mgmt_reboot_access_point', { serial: 'AP1' })).toMatchObject({
      refusal: { code: 'outcome_unknown', message: expect.stringContaining('no operation reads this object back') },
    });
  });

  test('a refusal of the platform needs no settling', async () => {
    using b = bench();
    b.network.respond(badWrites(() => json({ message: 'in use' }, 409), {}));
    const before = b.network.calls.length;
    expect(await b.apply('mgmt_update_auth_server', PATCH)).toMatchObject({ refusal: { code: 'upstream_rejected' } });
    expect(b.network.calls.length - before, 'preview read, read before the sending, write').toBe(3);
  });
});

describe('with an audit log', () => {
  const on = { SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' };
  const records = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('each call leaves one line, a write one more before it is sent, and no argument is in any', async () => {
    using b = bench(on);
    const path = join(b.installation.root, on.SVC_MCP_AUDIT_LOG);
    const secret = 'a-secret-of-the-caller';
    let atSending: unknown[] = [];
    b.network.respond((call) => {
      if (call.method === 'PATCH') atSending = records(path).map(({ kind }) => kind);
      return json({});
    });
    await b.run('mgmt_nothing_like_it', { any: secret });
    await b.apply('mgmt_update_auth_server', { name: 'radius-1', body: { 'shared-secret': secret } });
    const kept = records(path);
    expect(atSending).toEqual(['call', 'call', 'intent']);
    expect(kept.map(({ kind, tool, outcome, capability }) => [kind, tool, outcome, capability])).toEqual([
      ['call', 'mgmt_nothing_like_it', 'not_found', null],
      ['call', 'mgmt_update_auth_server', 'success', 'write'],
      ['intent', 'mgmt_update_auth_server', undefined, 'write'],
      ['call', 'mgmt_update_auth_server', 'success', 'write'],
    ]);
    expect(kept[3]).toMatchObject({
      id: kept[2]?.['id'],
      requests: 2,
      argument_keys: expect.arrayContaining(['body.shared-secret']),
    });
    expect(kept[1]?.['argument_digest']).not.toBe(kept[3]?.['argument_digest']);
    expect(readFileSync(path, 'utf8')).not.toContain(secret);
    expect(readFileSync(path, 'utf8')).not.toContain(SAMPLE_SECRET);
    expect(verifyAudit(path)).toMatchObject({ ok: true, lines: 4 });
  });

  test('that takes no more, reads and dry runs go on and a write is refused, nothing sent and its token unspent', async () => {
    using b = bench(on);
    const path = join(b.installation.root, on.SVC_MCP_AUDIT_LOG);
    rmSync(path);
    mkdirSync(`${path}.elsewhere`, { recursive: true });
    symlinkSync('/dev/full', path);
    const preview = await b.run('mgmt_update_auth_server', PATCH);
    expect(preview.kind).toBe('done');
    const { plan_token } = (preview as { result: { plan_token: string } }).result;
    const applied = { ...PATCH, dry_run: false, confirm: true, plan_token };
    expect(await b.run('mgmt_update_auth_server', applied)).toMatchObject({
      outcome: 'blocked',
      refusal: { code: 'audit_unavailable', contract: { capability: 'write' } },
    });
    expect(b.writes()).toBe(0);
    expect(b.log.filter((line) => line.includes('audit.unwritable'))).not.toEqual([]);
    rmSync(path);
    expect(await b.run('mgmt_update_auth_server', applied)).toMatchObject({ kind: 'done' });
    expect(b.writes()).toBe(1);
  });
});

test('the waits of a call are in its meta and in the log', async () => {
  using b = bench({ SVC_MCP_RATE_PER_SECOND: '20' });
  const results = await Promise.all([1, 2, 3, 4].map(() => b.run('mgmt_get_wlan', { ssid: 'x' })));
  const waits = results.map((result) => {
    const { meta } = result as { meta?: Record<string, { rate_wait_ms: number }> };
    return meta?.['svc-mcp/spent']?.rate_wait_ms ?? 0;
  });
  expect(waits.slice(0, 2)).toEqual([0, 0]);
  // A busy machine may wake both at once.
  expect(waits[2]).toBeGreaterThan(0);
  expect(waits[3]).toBeGreaterThanOrEqual(waits[2] ?? 0);
  expect(b.log.filter((line) => line.includes('"outbound.wait"'))).toHaveLength(2);
});
