/** `errors:` of `platform.yaml`: how refusals look and where they are declared. */
import type { Spot } from './model-file.ts';

export const errorMeanings = [
  'status',
  'code',
  'message',
  'title',
  'type',
  'debug-id',
  'fields',
  'field-list',
  'pointer',
] as const;
export type ErrorMeaning = (typeof errorMeanings)[number];

export interface ErrorModel {
  /** Object of platform.yaml; null where a refusal is plain text. */
  readonly schema: string | null;
  readonly media: string;
  /** Property of the body → what it tells. */
  readonly body: ReadonlyMap<string, ErrorMeaning>;
  /** Whether the platform states its body, rather than having the usual four properties. */
  readonly ownBody: boolean;
  readonly always: readonly number[];
  readonly item: readonly number[];
  readonly write: readonly number[];
  /** Refusals that are told inside a success. */
  readonly inside: { readonly codes: readonly number[]; readonly status: number } | null;
}

const usualBody: ReadonlyMap<string, ErrorMeaning> = new Map([
  ['httpStatusCode', 'status'],
  ['errorCode', 'code'],
  ['message', 'message'],
  ['debugId', 'debug-id'],
]);

export function readErrors(spot: Spot): ErrorModel {
  const at = spot.mapping(['schema', 'media', 'body', 'always', 'item', 'write', 'inside']);
  const schema = at.get('schema') ?? spot.fail('the key schema, null where refusals are plain text', 'none');
  const media = at.get('media')?.text() ?? 'application/json';
  if (schema.value === null && !media.startsWith('text/')) schema.fail(`an object beside media ${media}`);
  const inside = at.get('inside')?.mapping(['codes', 'status']);
  return {
    schema: schema.value === null ? null : schema.text(),
    media,
    body: at.has('body')
      ? new Map([...at.get('body')!.mapping()].map(([name, meaning]) => [name, meaning.oneOf(errorMeanings)]))
      : usualBody,
    ownBody: at.has('body'),
    always: codes(at.get('always')),
    item: codes(at.get('item')),
    write: codes(at.get('write')),
    inside: inside ? { codes: codes(inside.get('codes')), status: inside.get('status')?.whole() ?? 200 } : null,
  };
}

function codes(spot: Spot | undefined): number[] {
  return spot?.list().map((item) => item.whole()) ?? [];
}
