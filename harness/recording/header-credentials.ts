/** Which parts of the headers that somebody gave for a server or an endpoint are secrets. */

const BY_NAME = /(^|[-_])(authorization|auth|api-?key|key|token|secret|password)$/i;
/** RFC 9110, 11.4: a scheme, then the credential; under whatever name. */
const BY_SCHEME = /^(basic|bearer|digest|key|token)\s/i;

/**
 * Header → its credential, without the word of a scheme before it: who refuses one may repeat it without the word. One of fewer
 * letters than `shortest` may stand in ordinary text by chance, and is left out.
 */
export function credentialsIn(headers: Readonly<Record<string, string>>, shortest = 1): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (!BY_NAME.test(name) && !BY_SCHEME.test(value)) return [];
      const credential = /^[A-Za-z][\w-]*\s+(\S.*)$/.exec(value)?.[1] ?? value;
      return credential.length >= shortest ? [[name, credential]] : [];
    }),
  );
}
