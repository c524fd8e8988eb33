/** Which failures prove that nothing of a request was sent, so that a write may be said to be undone. */
import { expect, test } from 'vitest';
import { neverConnected } from './failure.ts';

const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

test.each([
  'ECONNREFUSED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'UND_ERR_INVALID_ARG',
])('%s: nothing was sent', (code) => {
  expect(neverConnected(failed(code))).toBe(true);
});

test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ERR_SSL_BAD_RECORD_TYPE'])(
  '%s: something may have been sent',
  (code) => {
    expect(neverConnected(failed(code))).toBe(false);
  },
);
