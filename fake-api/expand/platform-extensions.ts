/** What holds for every operation of a platform and differs from the usual: stated once, at the root of each document. */
import type { PlatformModel } from './model/platform-model.ts';
import type { Schema } from './schema/schema-object.ts';

/** The usual limit, announced in the usual headers, is what a document says by saying nothing. */
const usualLimit = { limit: 5000, per: 'hour', headers: 3 };
const usualMedia = 'application/json';

export function platformExtensions({ errors, rateLimit }: PlatformModel): Schema {
  const isUsualLimit =
    rateLimit?.limit === usualLimit.limit &&
    rateLimit.per === usualLimit.per &&
    rateLimit.headers.size === usualLimit.headers;
  return {
    ...(errors.ownBody || errors.media !== usualMedia
      ? {
          'x-svc-errors': {
            media: errors.media,
            body: errors.schema === null ? null : Object.fromEntries(errors.body),
          },
        }
      : {}),
    ...(isUsualLimit
      ? {}
      : {
          'x-svc-rate-limit':
            rateLimit === null
              ? null
              : { limit: rateLimit.limit, per: rateLimit.per, headers: [...rateLimit.headers.keys()] },
        }),
  };
}
