/** How a document wants its values written: `style`, `explode` and `allowReserved` of parameters and of the fields of a form. */
import { type ApiDocument, isObject, type JsonObject, resolveRef, textOf } from './platform-document.ts';
import type { FieldEncoding, ToolParameter } from './tool.ts';

type Written = Pick<ToolParameter, 'style' | 'explode' | 'allowReserved'>;

/** Set at import on lists of a Swagger 2 document, because OpenAPI 3 has no style for each of its formats. */
export const COLLECTION_FORMAT = 'x-svc-collection-format';

const STYLES_OF_FORMATS = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);

/** With the defaults of OpenAPI; a parameter with `content` is sent as JSON. */
export function styleOf(parameter: JsonObject, where: ToolParameter['in'], hasMedia: boolean): Written {
  const usual = where === 'query' || where === 'cookie' ? 'form' : 'simple';
  const reserved = where === 'query' && parameter['allowReserved'] === true ? { allowReserved: true as const } : {};
  const format = parameter[COLLECTION_FORMAT];
  if (typeof format === 'string') return ofCollection(format, usual);
  const style = hasMedia ? 'json' : textOf(parameter['style']) || usual;
  const explode = typeof parameter['explode'] === 'boolean' ? parameter['explode'] : style === 'form';
  return { style, explode, ...reserved };
}

const ofCollection = (format: string, usual: string): Written => ({
  style: STYLES_OF_FORMATS.get(format) ?? usual,
  explode: format === 'multi' && usual === 'form',
});

/** Encodings of a form's fields that differ from the default; `style` wins over `contentType` (OpenAPI 3.1, 4.8.15). */
export function fieldEncodings(document: ApiDocument, media: unknown): { encoding?: FieldEncoding[] } {
  if (!isObject(media)) return {};
  const stated = isObject(media['encoding']) ? Object.entries(media['encoding']) : [];
  const properties = resolveRef(document, media['schema'])['properties'];
  const lists = isObject(properties) ? Object.entries(properties) : [];
  const encoding = [
    ...lists.flatMap(([name, schema]) => {
      const format = isObject(schema) ? schema[COLLECTION_FORMAT] : undefined;
      return typeof format === 'string' ? [{ name, ...ofCollection(format, 'form') }] : [];
    }),
    ...stated.flatMap(([name, entry]) => (isObject(entry) ? [{ name, ...encodingOf(entry) }] : [])),
  ].filter(({ name }, at, all) => all.findIndex((one) => one.name === name) === at);
  return encoding.length === 0 ? {} : { encoding };
}

function encodingOf(entry: JsonObject): Omit<FieldEncoding, 'name'> {
  if (['style', 'explode', 'allowReserved'].some((key) => entry[key] !== undefined))
    return styleOf(entry, 'query', false);
  const contentType = textOf(entry['contentType']);
  return contentType === '' ? {} : { contentType };
}
