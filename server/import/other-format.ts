/** Descriptions of an API in other formats than OpenAPI, and what is saved in place of one: each has a name for who added it. */
import { isObject, type JsonObject, scalarText } from '../catalog/platform-document.ts';

export interface OtherFormat {
  /** With its article. */
  name: string;
  remedy: string;
}

const CONVERT = 'convert it to OpenAPI 3, or ask the maker of the API for an OpenAPI document';
const SAVE = 'save the document itself: the page that shows it often links to a file `openapi.json` or `swagger.yaml`';
const UNPACK = 'unpack it, and name the document or the folder';

const TEXTS: readonly [RegExp, string, string][] = [
  [/^<(?:!doctype\s+html|html|head|body)\b/i, 'an HTML page', SAVE],
  [/^<(?:\?xml|!--|!doctype|[A-Za-z][\w.-]*:?[\w.-]*[\s>])/i, 'an XML document', CONVERT],
  [/^#%RAML\b/, 'a RAML document', CONVERT],
  [/^FORMAT: *1A\b/, 'an API Blueprint', CONVERT],
  [/^syntax *= *["']proto\d/, 'a Protocol Buffers file', CONVERT],
  [/^PK[^\w\s:]{2}/, 'a ZIP archive', UNPACK],
  [
    /^(?:extend +)?(?:schema|type|input|enum|interface|union|directive|scalar)[ \t](?! *:)[^:{=@]*(?:[{=@]|$)/,
    'a GraphQL schema',
    CONVERT,
  ],
];

/** Of a text; undefined for what may be JSON or YAML of OpenAPI. Comments and descriptions of GraphQL before the first type do not count. */
export function textFormat(text: string): OtherFormat | undefined {
  const begin = text.slice(0, 4_096).trimStart();
  const said = begin.replace(/^(?:"""(?:(?!""")[\s\S])*"""\s*|#(?!%)[^\n]*\s*)+/, '');
  const [, name, remedy] = TEXTS.find(([form]) => form.test(begin) || form.test(said)) ?? [];
  return name === undefined || remedy === undefined ? undefined : { name, remedy };
}

const VALUES: readonly [(value: JsonObject) => boolean, string][] = [
  [(value) => 'asyncapi' in value, 'an AsyncAPI document'],
  [(value) => isPostman(value['info']) || isPostman(value['collection']), 'a Postman collection'],
  [(value) => 'swaggerVersion' in value, 'a Swagger document older than 2.0'],
  [(value) => '__schema' in value || isIntrospection(value['data']), 'the introspection of a GraphQL API'],
  [(value) => 'arazzo' in value, 'an Arazzo description'],
  [(value) => 'overlay' in value, 'an OpenAPI Overlay'],
  [(value) => 'openrpc' in value, 'an OpenRPC document'],
  [(value) => isObject(value['log']) && Array.isArray(value['log']['entries']), 'an HTTP archive (HAR)'],
  [(value) => '__export_format' in value, 'an export of an HTTP client'],
  [(value) => scalarText(value['kind']) === 'discovery#restDescription', 'an API discovery document'],
];

/** Of a value without `openapi` and `swagger`; undefined for one that is none of those known. */
export function valueFormat(value: JsonObject): OtherFormat | undefined {
  const name = VALUES.find(([isIt]) => isIt(value))?.[1];
  return name === undefined ? undefined : { name, remedy: CONVERT };
}

function isPostman(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (isObject(value['info'])) return isPostman(value['info']);
  return '_postman_id' in value || /getpostman\.com/.test(scalarText(value['schema']));
}

const isIntrospection = (value: unknown): boolean => isObject(value) && '__schema' in value;
