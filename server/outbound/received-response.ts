import { binaryOf, describeBinary } from './binary-body.ts';
import { LARGE_BODY_BYTES, type LargeBody, readBodyOf } from './body.ts';
import { afterSending, malformed, redirected, tooLarge } from './failure.ts';
import { type PlatformResponse, withLargeBody } from './platform-response.ts';
import { retryAfterMs } from './retry.ts';
import type { PlatformRequest } from './wire-request.ts';

/**
 * What a platform answered, with its body read. No redirect is followed: where it leads is the body of an operation that
 * declares it. Throws for every other redirect and for a body that is of no use.
 */
export function responseOf(
  request: PlatformRequest,
  url: string,
  response: Response,
  bytes: Uint8Array<ArrayBuffer>,
  attempts: number,
): PlatformResponse {
  const { status, headers } = response;
  const { platform, accept } = request;
  const { id } = platform;
  const place = headers.get('location');
  // What a caller has already (RFC 9110, 15.4.5) leads nowhere. Of a write it says too little.
  const isKnown = status === 304 && request.capability === 'read';
  const isRedirect = status >= 300 && status < 400 && !isKnown;
  if (isRedirect && !(request.redirects && place)) throw afterSending(request, redirected(id, url, status));
  const contentType = headers.get('content-type') ?? '';
  const rest = {
    status,
    headers,
    location: place,
    retryAfterMs: retryAfterMs(headers, Date.now()),
    attempts,
  };
  if (isRedirect && place) return { ...rest, body: { location: URL.parse(place, url)?.href ?? place } };
  const binary = binaryOf(bytes, contentType);
  if (binary) return { ...rest, body: describeBinary(binary), binary };
  if (bytes.byteLength > LARGE_BODY_BYTES) {
    const unusable: LargeBody['unusable'] = (problem) =>
      afterSending(
        request,
        'wrong' in problem ? malformed(id, url, status, problem.wrong) : tooLarge(id, status, problem.tooLarge),
      );
    return withLargeBody(rest, { bytes, contentType, asked: accept, unusable });
  }
  const body = readBodyOf(status, bytes, contentType, accept);
  if ('wrong' in body) throw afterSending(request, malformed(id, url, status, body.wrong));
  return { ...rest, body: body.value };
}
