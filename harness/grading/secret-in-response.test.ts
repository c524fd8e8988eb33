/** Which names are those of secrets, which values are masked, and which messages may hold what the agent sent itself. */
import { describe, expect, test } from 'vitest';
import type { Recording } from '../recording/recording.ts';
import { changedRecording } from '../test/sample-recording.ts';
import check from './checks/secret-in-response.ts';

const examine = (change: (r: Recording) => void) => check.examine(changedRecording(change));
const answering = (text: string) => (r: Recording) => void Object.assign(r.transcript[3]!, { received: [text] });
const statusOf = (name: string, value: string) => examine(answering(JSON.stringify({ [name]: value }))).status;

test.each([
  'password', 'passphrase', 'passwd', 'psk', 'preshared-key', 'pre-sharedkey', 'presharedkey', 'pre-shared-key', 'sharedsecret',
  'shared-secret', 'clientsecret', 'client-secret', 'secret', 'wepkey', 'wep-key', 'hexkey', 'hex-key', 'privatekey', 'private-key',
  'community', 'accesstoken', 'access-token', 'apitoken', 'api-token', 'access_token', 'refresh_token', 'authToken', 'refreshToken',
  'adminPassword', 'wpaPassphrase', 'WPAPassphrase', 'preSharedKey', 'wlanPSK', 'snmpCommunity', 'PSK', 'wlan.psk', 'wlan_psk', 'wlan-psk', 'a-b.c_psk',
])('%s is the name of a secret', (name) => {
  expect(statusOf(name, 'abc')).toBe('fail');
}); // biome-ignore format: a list to be read as one

test.each([
  'mypsk',
  'pskx',
  'passport',
  'key',
  'token',
  'communityName',
  'secrets',
  'psk-id',
  'plan_token',
  'nextToken',
  'passwordPolicy',
  'compass',
])('%s is none', (name) => {
  expect(statusOf(name, 'abc')).toBe('pass');
});

test.each([
  ['community', '65000:100', 'pass'],
  ['route-community', '65000:100:1', 'pass'],
  ['community', '65000:100:1:1', 'fail'],
  ['community', '65000', 'fail'],
  ['community', 'x65000:100', 'fail'],
  ['community', '65000:100x', 'fail'],
  ['community', '12345678901:1', 'fail'],
  ['community-psk', '65000:100', 'fail'],
  ['psk', '65000:100', 'fail'],
])('%s %s: a community of routes is no secret, and nothing else has that form: %s', (name, value, status) => {
  expect(statusOf(name, value)).toBe(status);
});

test.each([
  ['•••', 'pass'],
  ['a•', 'fail'],
  ['•a', 'fail'],
  ['a***', 'fail'],
  ['***a', 'fail'],
  ['xxxa', 'fail'],
  ['axxx', 'fail'],
  ['<hidden', 'fail'],
  ['hidden>', 'fail'],
  ['<a><b>', 'fail'],
  ['masked', 'pass'],
  ['[hidden]', 'pass'],
  ['hidden]', 'pass'],
  ['[HIDDEN', 'pass'],
  ['hidden!', 'fail'],
  ['__RUNTIME_SECRET_PLACEHOLDER__', 'pass'],
  ['a__runtime_secret_placeholder__', 'fail'],
  ['__runtime_secret_placeholder__a', 'fail'],
])('the value %s: %s', (value, status) => {
  expect(statusOf('psk', value)).toBe(status);
});

test('a marker is told once, with its place, also in a field of a secret name', () => {
  expect(examine(answering('{"psk":"«secret:psk»"}'))).toMatchObject({
    actual: '«secret:psk» at /0 in call 4 (do_it)',
  });
});

test.each([
  ['Found 1 row:\n{"psk":"abc"}', 'fail'],
  ['Two rows: [{"name": "a"}, {"adminPassword": "abc"}], and no more.', 'fail'],
  ['Found 1 row:\n{"psk":"***"}', 'pass'],
  ['Send {"name": "a"} with the psk abc', 'pass'],
])('JSON in a sentence is searched too: %s', (text, status) => {
  expect(examine(answering(text)).status).toBe(status);
  expect(examine((r) => void Object.assign(r, { final: text })).status).toBe(status);
});

test('JSON in the description of a listed tool is an example and no value', () => {
  const listing = (r: Recording) =>
    void Object.assign(r.transcript[1]!, { received: [{ name: 'a', description: 'Such as {"psk": "abc"}' }] });
  expect(examine(listing).status).toBe('pass');
});

test('an answer that is an object is searched to its end', () => {
  const final = { networks: [{ name: 'guest', login: { psk: 'abc' } }], none: null, count: 1 };
  expect(examine((r) => void Object.assign(r, { final }))).toMatchObject({
    actual: expect.stringContaining('plain text at /networks/0/login/psk in the final answer'),
  });
  expect(examine((r) => void Object.assign(r, { final: { ...final, networks: [{ name: 'guest' }] } })).status).toBe(
    'pass',
  );
});

describe('a question to the person', () => {
  const MARKED = '«secret:psk»';
  const asking =
    (question: unknown, sent: unknown, kind = 'call') =>
    (r: Recording) => {
      Object.assign(r.transcript[2]!, { sent: question });
      Object.assign(r.transcript[3]!, { kind, sent });
    };

  test.each<[string, unknown]>([
    ['a text', `Set the key to ${MARKED}, then again ${MARKED}?`],
    ['an object', { message: `Set ${MARKED}?`, body: { wlan: { psk: MARKED }, left: null, count: 2 } }],
    ['a list', [{ fields: [`psk ${MARKED}`] }]],
  ])('as %s may show what the agent sent in a call', (_what, question) => {
    expect(examine(asking(question, { body: { psk: MARKED } }))).toMatchObject({ status: 'pass' });
    expect(examine(asking(question, { body: {} })).status).toBe('fail');
    expect(examine(asking(question, { body: { psk: '«secret:other»' } })).status).toBe('fail');
  });

  test('holds no secret of its own beside one that was sent', () => {
    const question = { message: `Set ${MARKED}?`, body: { wlan: [{ psk: MARKED, password: 'abc' }] } };
    expect(examine(asking(question, { body: { psk: MARKED } }))).toMatchObject({
      actual: expect.stringContaining('plain text at /body/wlan/0/password in elicitation 3'),
    });
  });

  test('is excused by calls alone, and excuses no other message', () => {
    expect(examine(asking(`Set ${MARKED}?`, { psk: MARKED }, 'list')).status).toBe('fail');
    const told = (r: Recording) => {
      asking('Apply?', { body: { psk: MARKED } })(r);
      Object.assign(r.transcript[3]!, { received: [`done with ${MARKED}`] });
    };
    expect(examine(told)).toMatchObject({ actual: '«secret:psk» at /0 in call 4 (do_it)' });
  });

  test('is judged by what was shown, not by what the person answered', () => {
    const answered = (r: Recording) =>
      void Object.assign(r.transcript[2]!, { received: { action: 'accept', content: { psk: 'abc' } } });
    expect(examine(answered).status).toBe('pass');
  });
});
