/** An independent validator stands between a caller and the fake and judges what passes, over everything that is shipped. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicDocument } from '#bench/packages';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';
import { NO_ROWS, State } from '../engine/state/state.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { type FakeApi, startFakeApi } from '../fake.ts';
import type { ForeignPlatform } from '../foreign/foreign-platform.ts';
import { pollPath } from './carried-out.ts';
import { startContractProxy } from './contract-proxy.ts';
import { rewinder } from './every-call.ts';
import { fixtureCall } from './fixture-call.ts';
import { foreignSample } from './foreign-sample-call.ts';
import { foreignDocument, pets } from './foreign-sample-document.ts';
import { freshState, type Installation, shippedInstallation } from './full-installation.ts';
import { type Asked, servedOperations } from './platform-client.ts';
import { openingOf, type Pass, passOf, withPass } from './platform-login.ts';

const FILE = publicDocument();

interface Sent {
  status: number;
  headers: Record<string, string>;
  text: string;
}

async function send(
  base: string,
  call: { method: string; path: string; query: string; body: string | null },
  headers: Record<string, string>,
): Promise<Sent> {
  const response = await fetch(`${base}${call.path}${call.query === '' ? '' : `?${call.query}`}`, {
    method: call.method,
    headers,
    redirect: 'manual',
    ...(call.body === null ? {} : { body: call.body }),
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

const ids = await listPlatforms();
/** A refusal is judged as well, so an operation is not tried for ever; that each succeeds is asked elsewhere. */
const ROWS_JUDGED = 8;

/** The key of a created object, whatever its answer puts around it. */
function keyIn(text: string, keyName: string): string | undefined {
  const said: unknown = JSON.parse(text);
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const object = isObject(said) ? said : {};
  const found =
    Object.entries(object).find(([name]) => plain(name) === plain(keyName)) ??
    Object.entries(object).find(([name]) => name === 'id');
  return found === undefined ? undefined : String(found[1]);
}
const MOST_REFUSED = 0.01;
/** The nightly run asks for every operation; each check for every third of them. */
const EVERY = process.env['NIGHTLY'] === undefined ? 3 : 1;
const drawn = <T>(operations: readonly T[]): T[] => operations.filter((_, at) => at % EVERY === 0);

describe('between a caller and the shipped documents', () => {
  let installation: Installation;
  let fake: FakeApi;
  let startAgain: () => Promise<void>;

  beforeAll(async () => {
    installation = await shippedInstallation();
    fake = await startFakeApi({ documents: installation.documents });
    startAgain = await rewinder(fake.control);
  });
  afterAll(() => fake.close());

  it.each(ids)('of %s it finds nothing to object to in any request or answer', async (id) => {
    const platform = installation.platforms.get(id)!;
    await using contractProxy = await startContractProxy(`${fake.platforms[id]}`, [
      ...installation.documents.get(id)!.values(),
    ]);
    const judgedSend = async (call: Asked, pass: Pass): Promise<Sent> => {
      const { method, path, query = '', body, media = 'application/json', headers = {} } = call;
      const text = body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body);
      const told = { ...(text === null ? {} : { 'content-type': media }), ...pass.headers, ...headers };
      return send(contractProxy.url, { method, path, query: withPass(query, pass), body: text }, told);
    };
    const enter = async (): Promise<Pass> => {
      const opening = openingOf(platform);
      const nothing = { headers: {}, query: '' };
      return passOf(platform, opening === null ? null : (await judgedSend(opening, nothing)).text);
    };
    const pass = await enter();
    const state = freshState(installation, id);
    const unanswered: string[] = [];
    const asked = drawn(servedOperations(platform));
    for (const operation of asked) {
      // A task is polled where it is started.
      if (operation.isPoll) continue;
      let last = 0;
      for (let at = 0; at < ROWS_JUDGED && (last < 200 || last >= 300); at += 1) {
        const call = fixtureCall(platform, state, operation, at);
        if (call === null) continue;
        const sent = await judgedSend(call, pass);
        last = sent.status;
        if (operation.async !== null && last < 300) {
          const poll = platform.byId.get(operation.async.poll)!;
          const path = pollPath(operation, poll, call, { headers: sent.headers, json: JSON.parse(sent.text) });
          await judgedSend({ method: 'GET', path }, pass);
          last = (await judgedSend({ method: 'GET', path }, pass)).status;
        }
        if (operation.capability !== 'read' && last < 300) await startAgain();
      }
      // Where everything is in use, what was just created is not.
      if (last === 409 && operation.kind === 'delete') {
        const create = platform.operations.find(
          (other) => other.kind === 'create' && other.resource === operation.resource,
        );
        const made = create === undefined ? null : fixtureCall(platform, state, create, 0);
        const call = fixtureCall(platform, state, operation, 0);
        if (made !== null && call !== null) {
          const created = await judgedSend(made, pass);
          const [, keyName = ''] = /\{([^{}]+)\}$/.exec(operation.template) ?? [];
          const key = created.status < 300 ? keyIn(created.text, keyName) : undefined;
          if (key !== undefined)
            last = (await judgedSend({ ...call, path: call.path.replace(/[^/]+$/, encodeURIComponent(key)) }, pass))
              .status;
          await startAgain();
        }
      }
      if (last < 200 || last >= 300) unanswered.push(`${operation.id}: ${last}`);
    }
    const leaving = platform.operations.find(({ kind }) => kind === 'logout');
    if (leaving !== undefined) {
      const left = await judgedSend({ method: leaving.method, path: leaving.template }, await enter());
      if (left.status >= 300) unanswered.push(`${leaving.id}: ${left.status}`);
    }
    expect(contractProxy.violations).toEqual([]);
    expect(unanswered.length).toBeLessThanOrEqual(platform.operations.length * MOST_REFUSED);
    // Where all are asked, what logs in or out and what is polled comes by as well.
    const due = EVERY === 1 ? platform.operations : asked.filter(({ isPoll }) => !isPoll);
    expect(due.filter(({ id: own }) => !contractProxy.judged.has(own)).map((one) => one.id)).toEqual([]);
  });

  it('objects when it should: to an unknown parameter and an undeclared path', async () => {
    await using contractProxy = await startContractProxy(`${fake.platforms['mgmt']}`, [
      ...installation.documents.get('mgmt')!.values(),
    ]);
    const wrong = { method: 'GET', path: '/network-monitoring/v1/aps', query: 'unheard-of=1', body: null };
    await send(contractProxy.url, wrong, {});
    await send(contractProxy.url, { ...wrong, path: '/network-monitoring/v1/unheard-of', query: '' }, {});
    expect(contractProxy.violations.map(({ side, problem }) => `${side} ${problem}`)).toEqual([
      expect.stringMatching(/^request \/query .*additional properties.*unheard-of/),
      'request no operation of the documents',
    ]);
  });
});

describe('between a caller and a platform that does not keep to its document', () => {
  it('objects to a body, a status, a media type and a missing body', async () => {
    const said: [number, Record<string, string>, string][] = [
      [200, { 'content-type': 'application/json' }, '{"id":"one","name":"Rex"}'],
      [418, {}, ''],
      [200, { 'content-type': 'text/plain' }, 'Rex'],
      [200, {}, ''],
      [200, { 'content-type': 'application/json' }, '{"id":1,"name":"Rex"}'],
    ];
    const liar = createServer((_request, response) => {
      const [status, headers, text] = said.shift() as (typeof said)[number];
      response.writeHead(status, headers).end(text);
    });
    await new Promise<void>((done) => liar.listen(0, '127.0.0.1', done));
    await using contractProxy = await startContractProxy(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, [
      pets(),
    ]);
    while (said.length > 0)
      await send(contractProxy.url, { method: 'GET', path: '/pets/1', query: '', body: null }, {});
    liar.close();
    expect(contractProxy.violations.map(({ side, problem }) => `${side} ${problem}`)).toEqual([
      'response 200: /id must be integer {"type":"integer"}',
      'response 418: status is not declared (200)',
      'response 200: content-type text/plain is not declared (application/json)',
      'response 200: no body, though one is declared',
    ]);
  });

  it('asks for no body where a status declares none, whatever the default answer has', async () => {
    const failure = { description: '', content: { 'application/json': { schema: { type: 'object' } } } };
    const document = foreignDocument({
      '/pets': { delete: { operationId: 'clearPets', responses: { 200: { description: '' }, default: failure } } },
    });
    const answering = createServer((_request, response) => void response.end());
    await new Promise<void>((done) => answering.listen(0, '127.0.0.1', done));
    const { port } = answering.address() as AddressInfo;
    await using contractProxy = await startContractProxy(`http://127.0.0.1:${port}`, [document]);
    expect((await send(contractProxy.url, { method: 'DELETE', path: '/pets', query: '', body: null }, {})).status).toBe(
      200,
    );
    answering.close();
    expect(contractProxy.violations).toEqual([]);
    expect(contractProxy.judged.size).toBe(1);
  });
});

describe('between a caller and a document that nobody here wrote', () => {
  it('finds nothing to object to in any request or answer', async () => {
    const document = JSON.parse(await readFile(FILE, 'utf8')) as object;
    await using fake = await startFakeApi({ documents: new Map(), foreign: [{ file: FILE, name: 'github' }] });
    await using contractProxy = await startContractProxy(`${fake.platforms['github']}`, [document]);
    const platform = fake.foreign[0]?.platform as ForeignPlatform;
    const state = new State(new Map([['github', platform]]), NO_ROWS, {
      seed: 20260302,
      clock: '2026-03-02T09:00:00Z',
    });
    const startAgain = await rewinder(fake.control);
    const asked = drawn(platform.operations as Operation[]);
    for (const operation of asked) {
      const sample = foreignSample(platform, state, operation);
      await send(
        contractProxy.url,
        { ...sample, body: sample.body === null ? null : sample.body.toString('utf8') },
        sample.headers,
      );
      if (operation.method !== 'GET') await startAgain();
    }
    expect(contractProxy.violations).toEqual([]);
    expect(contractProxy.judged.size).toBe(asked.length);
  });
});
