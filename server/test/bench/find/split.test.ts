import { expect, test } from 'vitest';
import { partOf } from './split.ts';

/** First byte of the digest, taken with sha256sum. */
test.each([
  ['sdwan-001', 0xba, 'published'],
  ['sdwan-002', 0x12, 'dev'],
  ['mgmt-001', 0xec, 'published'],
  ['mgmt-002', 0x5a, 'dev'],
  ['nac-001', 0xad, 'published'],
  ['github-001', 0xf7, 'published'],
])('%s starts with %i, so it is %s', (intent, byte, part) => {
  expect(partOf(intent)).toBe(part);
  expect(byte < 128).toBe(part === 'dev');
});

test('the parts are about as large', () => {
  const dev = Array.from({ length: 1_000 }, (_, i) => partOf(`intent-${i}`)).filter((part) => part === 'dev');
  expect(dev.length).toBeGreaterThan(440);
  expect(dev.length).toBeLessThan(560);
});
