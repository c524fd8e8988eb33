import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeInvisible, visible, visibleText } from './invisible.ts';
import { KnownSecrets } from './known-secrets.ts';
import { createLogger } from './logger.ts';
import { MASK } from './redact.ts';

const TOKEN = 'tQ7vX2mZ9kLp4RsW8nBd3HgJ';

function base32(bytes: Buffer): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** How a platform might say a value back. */
const WAYS: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  json: (secret) => JSON.stringify({ a: secret }),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 after one byte': (secret) => Buffer.from(`:${secret}:`).toString('base64'),
  'base64 after two bytes': (secret) => Buffer.from(`ab${secret}`).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  HEX: (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  url: (secret) => encodeURIComponent(secret),
  'every byte for a URL': (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
  'entities of HTML, decimal': (secret) => [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  'entities of HTML, three digits': (secret) =>
    [...secret].map((letter) => `&#${String(letter.charCodeAt(0)).padStart(3, '0')};`).join(''),
  'entities of HTML, hex': (secret) => [...secret].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(''),
  'entities of HTML, HEX': (secret) =>
    [...secret].map((letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`).join(''),
  'entities of HTML, by name': (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  'url twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  reversed: (secret) => [...secret].reverse().join(''),
  base32: (secret) => base32(Buffer.from(secret)),
  'base32 in small letters, padded': (secret) => `${base32(Buffer.from(secret)).toLowerCase()}======`,
  'base32 after three bytes': (secret) => base32(Buffer.from(`abc${secret}de`)),
  'hex with colons': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replace(/..(?=.)/g, '$&:'),
  'HEX with dashes': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .toUpperCase()
      .replace(/..(?=.)/g, '$&-'),
  'hex with spaces': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .replace(/..(?=.)/g, '$& '),
  'base64 twice': (secret) => Buffer.from(Buffer.from(secret).toString('base64')).toString('base64'),
  'every letter for JSON': (secret) =>
    [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
};

describe('a known value is masked', () => {
  test.each(Object.keys(WAYS))('as %s', (way) => {
    const secrets = new KnownSecrets([TOKEN]);
    const clean = secrets.scrub(`before ${WAYS[way]!(TOKEN)} after`);
    expect(clean).toContain(MASK);
    expect(clean.startsWith('before ')).toBe(true);
    expect(clean.endsWith(' after')).toBe(true);
    expect(clean.length).toBeLessThan('before  after'.length + 20);
  });

  test.each(Object.keys(WAYS))('as %s, where a person chose it, with letters of every kind', (way) => {
    const password = 'Tr&ee "house" <7> über/x+y';
    const clean = new KnownSecrets([password]).scrub(`before ${WAYS[way]!(password)} after`);
    expect(clean).toContain(MASK);
    for (const piece of ['house', 'über', Buffer.from('house').toString('hex'), 'esuoh'])
      expect(clean).not.toContain(piece);
  });

  test('in part, where a machine made it', () => {
    const secrets = new KnownSecrets([TOKEN]);
    expect(secrets.scrub(`starts ${TOKEN.slice(0, 9)} ends ${TOKEN.slice(-8)}.`)).toBe(`starts ${MASK} ends ${MASK}.`);
    expect(secrets.scrub(`seven ${TOKEN.slice(3, 10)}`)).toBe(`seven ${TOKEN.slice(3, 10)}`);
  });

  test('as a whole only, where it is made of words', () => {
    const secrets = new KnownSecrets(['network-configuration', 'hunter22']);
    const text = 'network-config network-configurations hunter2 hunter22';
    expect(secrets.scrub(text)).toBe(`network-config ${MASK}s hunter2 ${MASK}`);
  });

  test('also with a quote in it, as JSON writes it', () => {
    const secrets = new KnownSecrets(['s3cr3t"q']);
    expect(secrets.scrub(JSON.stringify({ a: 's3cr3t"q' }))).toBe(`{"a":"${MASK}"}`);
  });

  // No part of a short one counts.
  test.each(['correct\u00a0horse\u200bbattery', 'pa\u00a0ss\u200bwd1'])(
    'also with a character in it that nobody sees, as an answer shows it: %j',
    (secret) => {
      const secrets = new KnownSecrets([secret]);
      const texts = [JSON.stringify({ a: secret }), JSON.stringify(visible({ a: secret }))];
      for (const text of [...texts, ...texts.map(escapeInvisible)])
        expect(secrets.scrubJson(text)).toBe(`{"a":"${MASK}"}`);
      expect(secrets.scrub(visibleText(secret))).toBe(MASK);
    },
  );

  test('at any place, among many, in every way', () => {
    const way = fc.constantFrom(...Object.keys(WAYS));
    const filler = fc.string({ maxLength: 40 });
    const secret = fc.integer({ min: 12, max: 60 }).map((size) => randomBytes(size).toString('base64url'));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 8 }),
        way,
        filler,
        filler,
        (values, name, before, after) => {
          const secrets = new KnownSecrets(values);
          for (const value of values) {
            const clean = secrets.scrub(`${before} ${WAYS[name]!(value)} ${after}`);
            for (let at = 0; at + 8 <= value.length; at++) {
              const piece = value.slice(at, at + 8);
              if (/[a-z].*\d|\d.*[a-z]/.test(piece)) expect(clean).not.toContain(piece);
            }
            expect(clean).not.toContain(WAYS[name]!(value));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a part of a value', () => {
  test.each([
    ['of a token that a platform issued, all capitals', 'learnIssued', 'GCMJFAKZCLWQTRNBVXPO', 'GCMJFAKZCL'],
    ['of a key that only a machine writes, all digits', 'learn', '3a7f19284405617209be0d4c', '28440561'],
  ] as const)('%s, is masked', (_what, learn, value, piece) => {
    const secrets = new KnownSecrets();
    secrets[learn](value);
    expect(secrets.scrub(`seen ${piece} here`)).toBe(`seen ${MASK} here`);
  });

  test.each([0, 1, 2])('of eight bytes, in base64 behind %d others, is masked', (before) => {
    const secrets = new KnownSecrets();
    secrets.learnIssued('NELNSBDNQWMXZKTRGYPO');
    const text = Buffer.from(`${'u'.repeat(before)}NELNSBDN`)
      .toString('base64')
      .replace(/=+$/, '');
    const own = text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + 8) * 8) / 6));
    expect(secrets.scrub(`seen ${text}`)).not.toContain(own);
  });

  test('of a password that a person chose, is an ordinary word and stays', () => {
    const secrets = new KnownSecrets(['Wintergarden-Password-2026']);
    expect(secrets.scrub('the Password of the Wintergarden')).toBe('the Password of the Wintergarden');
    expect(secrets.scrub('Wintergarden-Password-2026')).toBe(MASK);
  });
});

describe('nothing else is', () => {
  test('other text passes as it is', () => {
    const secrets = new KnownSecrets([TOKEN, randomBytes(32).toString('hex'), randomBytes(700).toString('base64url')]);
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => secrets.scrub(text) === text),
      { numRuns: 500 },
    );
    expect(new KnownSecrets([TOKEN]).scrub('')).toBe('');
    expect(new KnownSecrets().scrub(TOKEN)).toBe(TOKEN);
  });

  test('a value of five characters is not looked for', () => {
    expect(new KnownSecrets(['abcde']).scrub('abcde')).toBe('abcde');
  });
});

test('what is learnt later counts from then on, and the oldest of very many are let go', () => {
  const secrets = new KnownSecrets(['first-of-all-1']);
  expect(secrets.scrub('second-1')).toBe('second-1');
  secrets.learn('second-1', undefined);
  expect(secrets.scrub('second-1')).toBe(MASK);
  for (let n = 0; n < 512; n++) secrets.learn(`another-${n}`);
  expect(secrets.scrub('first-of-all-1 another-511')).toBe(`first-of-all-1 ${MASK}`);
});

test('what stands in the credentials file stays known, whatever tokens come; what stood there is let go like any other', () => {
  const secrets = new KnownSecrets();
  secrets.hold('credentials', ['account-secret-1', 'account-secret-2']);
  for (let n = 0; n < 600; n++) secrets.learn(`another-${n}`);
  expect(secrets.scrub('account-secret-1 account-secret-2')).toBe(`${MASK} ${MASK}`);
  secrets.hold('credentials', ['account-secret-3']);
  expect(secrets.scrub('account-secret-2 account-secret-3')).toBe(`${MASK} ${MASK}`);
  for (let n = 0; n < 600; n++) secrets.learn(`one-more-${n}`);
  expect(secrets.scrub('account-secret-2 account-secret-3')).toBe(`account-secret-2 ${MASK}`);
});

test('JSON stays JSON: a value of digits is masked in its texts, and no number changes but the value itself', () => {
  const secrets = new KnownSecrets(['20201234', 'a"b\\c-password']);
  const held = {
    '20201234': 'x',
    used: 1202012345,
    at: 0.20201234,
    said: 'pin 20201234 "a"b\\c-password"',
    list: ['é\n'],
  };
  const text = JSON.stringify(held, null, 1);
  expect(secrets.scrubJson(text)).toBe(
    text.replace('"20201234": "x"', `"${MASK}": "x"`).replace(/"pin .*"/, JSON.stringify(`pin ${MASK} "${MASK}"`)),
  );
  expect(secrets.scrubJson('Note: 20201234 is no {JSON}')).toBe(`Note: ${MASK} is no {JSON}`);
  expect(secrets.scrubJson('20201234')).toBe(MASK);
  const is = (pin: unknown) => JSON.stringify({ used: 202012345, pin, list: [20201234.5, pin, '20201'] });
  expect(secrets.scrubJson(is(20201234))).toBe(is(MASK));
  expect(secrets.scrubJson(is(-20201234))).toBe(is(MASK));
  const lines: string[] = [];
  createLogger('debug', (line) => lines.push(line), secrets).info('a', { bytes: 1202012345, code: '20201234' });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ bytes: 1202012345, code: MASK });
});

test('a log line never holds one', () => {
  const lines: string[] = [];
  const logger = createLogger('debug', (line) => lines.push(line));
  logger.secrets.learn(TOKEN);
  logger.error('failed', { why: `with ${TOKEN}`, [TOKEN]: 1 });
  expect(lines.join('')).not.toContain(TOKEN);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'failed', why: `with ${MASK}` });
});
