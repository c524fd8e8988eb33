/**
 * Names by which frameworks let a request say that it is another one: another method (Rails, Laravel and Symfony `_method`,
 * `X-HTTP-Method-Override`, `X-HTTP-Method`, `X-Method-Override`) or another address (`X-Original-URL`, `X-Rewrite-URL`).
 * A class is that of the request as sent, so none of these is ever sent.
 */
const LETTERS: ReadonlySet<string> = new Set([
  'xhttpmethodoverride',
  'xhttpmethod',
  'xmethodoverride',
  'xmethod',
  'xhttpverb',
  'xverboverride',
  'httpmethodoverride',
  'methodoverride',
  'xoriginalmethod',
  'xforwardedmethod',
  'xoriginalurl',
  'xoriginaluri',
  'xrewriteurl',
  'xhttpurloverride',
]);

/** `_method`, `__method`, `_httpmethod`, `$method`; plain `method` is a field like any other. */
const MARKED = /^[_$.:]+(?:http[_-]?)?(?:method|verb)[_$.:]*$/;

export function overridesRequest(name: string): boolean {
  const plain = name.normalize('NFKC').replace(/\p{C}/gu, '').trim().toLowerCase().replace(/\[.*$/s, '');
  return MARKED.test(plain) || LETTERS.has(plain.replace(/[^a-z]/g, ''));
}

/** The first name of a query, of headers or of the top level of a body that makes a request another one. */
export function overridingName(names: Iterable<string>): string | undefined {
  for (const name of names) if (overridesRequest(name)) return name;
  return undefined;
}
