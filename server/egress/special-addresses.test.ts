import { describe, expect, test } from 'vitest';
import { specialAddress } from './special-addresses.ts';

const hostOf = (host: string) => new URL(`http://${host}`).hostname;

describe('an address where no platform is', () => {
  test.each([
    ['169.254.169.254', 'link-local'],
    ['169.254.0.1', 'link-local'],
    ['2852039166', 'link-local'],
    ['0xa9.0xfe.0xa9.0xfe', 'link-local'],
    ['0xa9fea9fe', 'link-local'],
    ['0251.0376.0251.0376', 'link-local'],
    ['169.254.43518', 'link-local'],
    ['169.254.169.254.', 'link-local'],
    ['[fe80::1]', 'link-local'],
    ['[febf:ffff::1]', 'link-local'],
    ['0.0.0.0', 'unspecified'],
    ['0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['[::]', 'unspecified'],
    ['[::ffff:0.0.0.0]', 'unspecified'],
    ['100.100.100.200', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['[fd00:ec2::254]', 'metadata'],
    ['[fd00:0ec2:0:0:0:0:0:254]', 'metadata'],
    ['[fd00:ec2::23]', 'metadata'],
    ['[fd20:ce::254]', 'metadata'],
    ['[fd00:c1::a9fe:a9fe]', 'metadata'],
    ['[fd00:42::42]', 'metadata'],
    ['[fd00:a9fe:a9fe::1]', 'metadata'],
    ['[fd00:100::100:200]', 'metadata'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['[ff02::1]', 'multicast'],
    ['255.255.255.255', 'broadcast or reserved'],
    ['240.0.0.1', 'broadcast or reserved'],
    ['[::ffff:169.254.169.254]', 'link-local'],
    ['[::ffff:a9fe:a9fe]', 'link-local'],
    ['[::ffff:0:169.254.169.254]', 'link-local'],
    ['[::169.254.169.254]', 'link-local'],
    ['[::ffff:100.100.100.200]', 'metadata'],
    ['[64:ff9b::169.254.169.254]', 'link-local'],
    ['[64:ff9b::a83f:8110]', 'metadata'],
    ['[64:ff9b:1::a9fe:a9fe]', 'locally translated'],
    ['[64:ff9b:1:a9fe:a9:fe00::]', 'locally translated'],
    ['[2002:a9fe:a9fe::1]', 'link-local'],
    ['[2002:6464:64c8::]', 'metadata'],
    ['[2001:0:a9fe:a9fe::1]', 'link-local'],
    ['[2001:0:4136:e378:8000:63bf:5601:5601]', 'link-local'],
    ['metadata.platform.internal', 'metadata'],
    ['METADATA.platform.internal.', 'metadata'],
    ['metadata', 'metadata'],
    ['instance-data', 'metadata'],
    ['instance-data.region.internal', 'metadata'],
  ])('%s is %s', (host, kind) => {
    expect(specialAddress(hostOf(host))).toBe(kind);
  });

  test('as a name resolves to it, with its zone', () => {
    expect(specialAddress('fe80::1%eth0')).toBe('link-local');
    expect(specialAddress('::ffff:169.254.169.254')).toBe('link-local');
  });
});

test.each([
  '127.0.0.1',
  '[::1]',
  'localhost',
  '10.0.0.1',
  '172.16.3.4',
  '192.168.1.1',
  '100.64.0.1',
  '[fd00::1]',
  '[fd20:ce::1]',
  '169.253.1.1',
  '192.0.0.191',
  '[fec0::1]',
  '[64:ff9b::10.0.0.1]',
  '[2002:a00:1::1]',
  '[2001:db8::a9fe:a9fe]',
  '[2001:1:a9fe:a9fe::1]',
  '[::ffff:127.0.0.1]',
  'metadata.example.com',
  'api.internal',
])('%s may be a platform', (host) => {
  expect(specialAddress(hostOf(host))).toBeUndefined();
});
