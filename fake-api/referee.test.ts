/** An independent validator stands between a caller and the fake and judges what passes, over everything that is shipped. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeApi, startFakeApi } from './app.ts';
import { NO_ROWS, State } from './engine/state.ts';
import type { ForeignOperation } from './foreign/operations.ts';
import type { ForeignPlatform } from './foreign/platform.ts';
import { mgmtCampus, rewinder } from './testing/every-call.ts';
import { foreignSample } from './testing/foreign-call.ts';
import { pets } from './testing/foreign-document.ts';
import { mgmtCall, ROWS_TRIED } from './testing/mgmt-call.ts';
import { type Referee, startReferee } from './testing/referee.ts';

const FILE = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');

interface Sent {
  status: number;
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
  return { status: response.status, text: await response.text() };
}

describe('between a caller and the shipped mgmt documents', () => {
  let fake: FakeApi;
  let referee: Referee;
  let campus: Awaited<ReturnType<typeof mgmtCampus>>;

  beforeAll(async () => {
    campus = await mgmtCampus();
    const { documents } = campus;
    fake = await startFakeApi({ documents: new Map([['mgmt', documents]]) });
    referee = await startReferee(`${fake.platforms['mgmt']}`, [...documents.values()]);
  });
  afterAll(async () => {
    await referee.close();
    await fake.close();
  });

  it('finds nothing to object to in any request or answer of any operation', async () => {
    const { platform, fresh } = campus;
    const startAgain = await rewinder(fake.control);
    const token = await send(
      referee.url,
      {
        method: 'POST',
        path: '/as/token',
        query: '',
        body: 'grant_type=client_credentials&client_id=demo-client&client_secret=demo-secret',
      },
      { 'content-type': 'application/x-www-form-urlencoded' },
    );
    const headers = {
      authorization: `Bearer ${JSON.parse(token.text).access_token}`,
      'content-type': 'application/json',
    };
    const unanswered: string[] = [];
    for (const operation of platform.operations) {
      if (operation.kind === 'token') continue;
      const start = platform.operations.find((entry) => entry.async?.poll === operation.id);
      let last: number | null = null;
      for (let at = 0; at < ROWS_TRIED && (last === null || last >= 300); at += 1) {
        const call = mgmtCall(platform, fresh(), start ?? operation, at);
        if (call === null) continue;
        const first = await send(
          referee.url,
          { ...call, body: call.body === undefined ? null : JSON.stringify(call.body) },
          headers,
        );
        last = first.status;
        if (start !== undefined && first.status === 202) {
          const poll = { method: 'GET', path: JSON.parse(first.text).location as string, query: '', body: null };
          await send(referee.url, poll, headers);
          last = (await send(referee.url, poll, headers)).status;
        }
        if (operation.capability !== 'read' || start !== undefined) await startAgain();
      }
      if (last === null || last >= 300) unanswered.push(`${operation.id}: ${last}`);
    }
    expect(unanswered).toEqual([]);
    expect(referee.violations).toEqual([]);
    expect([...referee.judged.keys()].sort()).toEqual(platform.operations.map((operation) => operation.id).sort());
  }, 120_000);

  it('objects when it should: to an unknown parameter and an undeclared path', async () => {
    const before = referee.violations.length;
    await send(
      referee.url,
      { method: 'GET', path: '/network-monitoring/v1/aps', query: 'unheard-of=1', body: null },
      {},
    );
    await send(referee.url, { method: 'GET', path: '/network-monitoring/v1/unheard-of', query: '', body: null }, {});
    const found = referee.violations.slice(before).map(({ side, problem }) => `${side} ${problem}`);
    expect(found).toEqual([
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
    await using referee = await startReferee(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, [pets()]);
    while (said.length > 0) await send(referee.url, { method: 'GET', path: '/pets/1', query: '', body: null }, {});
    liar.close();
    expect(referee.violations.map(({ side, problem }) => `${side} ${problem}`)).toEqual([
      'response 200: /id must be integer {"type":"integer"}',
      'response 418: status is not declared (200)',
      'response 200: content-type text/plain is not declared (application/json)',
      'response 200: no body, though one is declared',
    ]);
  });
});

describe('between a caller and a document that nobody here wrote', () => {
  it('finds nothing to object to in any request or answer of its 1,200 operations', async () => {
    const document = JSON.parse(await readFile(FILE, 'utf8')) as object;
    await using fake = await startFakeApi({ documents: new Map(), foreign: [{ file: FILE, name: 'github' }] });
    await using referee = await startReferee(`${fake.platforms['github']}`, [document]);
    const platform = fake.foreign[0]?.platform as ForeignPlatform;
    const state = new State(new Map([['github', platform]]), NO_ROWS, {
      seed: 20260302,
      clock: '2026-03-02T09:00:00Z',
    });
    const startAgain = await rewinder(fake.control);
    for (const operation of platform.operations as ForeignOperation[]) {
      const sample = foreignSample(platform, state, operation);
      await send(
        referee.url,
        { ...sample, body: sample.body === null ? null : sample.body.toString('utf8') },
        sample.headers,
      );
      if (operation.method !== 'GET') await startAgain();
    }
    expect(referee.violations).toEqual([]);
    expect(referee.judged.size).toBe(platform.operations.length);
  }, 120_000);
});
