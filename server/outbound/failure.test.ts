/** Which failures prove that nothing of a request was sent, so that a write may be said to be undone. */
import { expect, test } from 'vitest';
import { brokenOff, neverConnected } from './failure.ts';

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

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SVC_MCP_CA_PATH'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SVC_MCP_CA_PATH'],
  ['CERT_HAS_EXPIRED', 'renews its certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'a host name that the certificate has'],
])('%s says that it is the certificate, and what to do', (code, remedy) => {
  const error = brokenOff('acme', 'https://acme.example/things', failed(code));
  expect(error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', remedy: expect.stringContaining(remedy) });
  expect(error.message).toBe(`acme: the certificate of acme.example was not accepted (${code}), so nothing was sent`);
});
