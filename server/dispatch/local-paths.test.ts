import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutLocalPaths } from './local-paths.ts';

test('a path of this machine becomes the name of its file', () => {
  const file = join(tmpdir(), 'somewhere', 'credentials.yaml');
  expect(withoutLocalPaths(`\`mgmt.base_url\` should be set in ${file} or by SOURCE_BASE_URL, got nothing`)).toBe(
    '`mgmt.base_url` should be set in credentials.yaml or by SOURCE_BASE_URL, got nothing',
  );
  expect(withoutLocalPaths(`${file}:3: should be YAML`)).toBe('credentials.yaml:3: should be YAML');
});

test.each([
  'GET /network-config/v1alpha1/wlan-ssids answered 500',
  'see https://platform.test/tmp/x/y',
  'auth-servers/radius-1',
])('%s stays', (text) => {
  expect(withoutLocalPaths(text)).toBe(text);
});
