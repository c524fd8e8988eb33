import { expect, test } from 'vitest';
import { isPlaceholder } from './placeholder.ts';

test.each([
  '<client id>',
  'your-client-id',
  'YOUR_SECRET',
  'change-me',
  'replace this',
  'xxxx',
  '{{URL}}',
  '$' + '{TOKEN}',
  'https://api.example.net',
  'https://us.mgmt.svc.example/path',
  'https://your-tenant.cloud.net',
  'https://<region>.cloud.net',
])('%s stands for something else', (value) => expect(isPlaceholder(value)).toBe(true));

test.each([
  'client-1',
  'yourself',
  'https://api.network.net',
  'http://127.0.0.1:8020/ns/a/mgmt',
  'https://example.company.net',
  'https://platform.test',
  '',
])('%s does not', (value) => expect(isPlaceholder(value)).toBe(false));
