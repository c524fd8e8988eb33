/**
 * Checks the path templates of a document. The router joins a template to the base URL as it is. So a character that a
 * URL parser or a server does not read as part of a segment (RFC 3986 §3.3) would send the call to another address
 * than the one shown.
 */
const REMEDY = 'write the path as the server routes it: literal segments and {parameters}, nothing else';

export interface PathProblem {
  what: string;
  remedy: string;
}

const RULES: readonly [pattern: RegExp, what: string][] = [
  [/^(?!\/)/, 'should begin with /'],
  [/[#?]/, 'holds # or ?, so what follows is no part of the path'],
  [/\\/, 'holds a backslash, which URL parsers read as /'],
  [/\/\//, 'holds // or a scheme and host'],
  [/(?:^|\/)\.{1,2}(?:;[^/]*)?(?=\/|$)/, 'holds a dot segment, which names another path'],
  [/%(?![0-9a-f]{2})/i, 'holds a % that encodes nothing'],
  [/%(?:2f|5c|2e|25|23|3f|[01][0-9a-f]|7f)/i, 'holds an encoded slash, dot, %, #, ? or control character'],
  [/(?![\t\n\r])\p{Cc}|[\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}]/u, 'holds a control or invisible character'],
  [/^\s|\s$/, 'begins or ends with a blank'],
];

/**
 * The address that requests of a path go to. Documents write several operations of one address behind fragments, as
 * `/#Action=ListUsers`; no request carries a fragment (RFC 9110, 7.1). One that is written like a path is left as it is.
 */
export function addressOf(path: string): string {
  const [before = '', fragment] = path.split('#', 2);
  return fragment !== undefined && /^[\w.&=:+-]*$/.test(fragment) && before.startsWith('/') ? before : path;
}

/** The names of its parameters, in their order: `site` and `id` of `/sites/{site}/things/{id}`. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** Why a template is refused; undefined where it is fine. */
export function pathProblem(path: string): PathProblem | undefined {
  // Some servers bring a path to its compatibility form, where a full-width # is a #.
  for (const form of [path, path.normalize('NFKC')])
    for (const [pattern, what] of RULES) if (pattern.test(form)) return { what, remedy: REMEDY };
  const outside = path.replace(/\{[^{}/]+\}/g, '');
  return /[{}]/.test(outside) ? { what: 'has braces that hold no parameter', remedy: REMEDY } : undefined;
}
