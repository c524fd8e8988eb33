/** The values in a question: quoted names, addresses, identifiers and serial numbers. They are no topic, so the search does not read them. */

const QUOTED = /"[^"]{1,80}"|“[^”]{1,80}”|(?<![A-Za-z])'[^']{1,80}'(?![A-Za-z])/g;
/** MAC, IP, UUID, addresses of mail and web, and names with digits in them such as `hq-ap-01`. */
const VALUE =
  /\b([0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b|\b([0-9a-f]{4}[.:-]){2}[0-9a-f]{4}\b|\b(?=[a-f]*\d)[0-9a-f]{12}\b|(?<![\w:])([0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(\/\d+)?(?![\w:])|\b\d{1,3}(\.\d{1,3}){3}(\/\d+)?\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[\w.+-]+@[\w-]+(\.[\w-]+)+\b|\bhttps?:\/\/\S+|\b[a-z]+(?:-[a-z0-9]+)*-\d+\b|\b\d+(\/\d+)+\b/gi;
/** The first part of such a name tells what it is, by the custom of the trade. */
const PREFIX = /^(cve|ap|sw|gw|fw|rt|leaf|spine|switch|gateway|router|ctrl|wlc|vm|esx|host|srv|vlan|ssid|site)(?=-)/i;
/** A serial number: capitals with digits among them, which no word has. */
const SERIAL = /\b(?=[A-Z]*\d)[A-Z0-9]{8,}\b/g;
/** Versions and protocol names look like values and are words. */
const WORDLIKE = /^(802|wi|v|ipv|oauth|layer|tls|sha|aes|utf|http|wpa|top)-?\d/i;

/**
 * A name or `METHOD /path` as a catalog has it: without the quotation marks around it, and without the host and the query of
 * an address.
 */
export function bareName(text: string): string {
  const [, bare = text] = /^\s*["'`“‘]([^"'`“”‘’]+)["'`”’]\s*$/.exec(text) ?? [];
  const [, method = '', path] = /^\s*([a-z]+\s+)(?:https?:\/\/[^/\s]+)?(\/[^\s?#]*)(?:[?#]\S*)?\s*$/i.exec(bare) ?? [];
  return path === undefined ? bare : `${method}${path}`;
}

/** The text with a blank in place of each value, or what the beginning of a name tells of its kind. */
export const withoutValues = (text: string): string =>
  text
    .replace(QUOTED, ' ')
    .replace(SERIAL, ' ')
    .replace(VALUE, (value) => (WORDLIKE.test(value) ? value : ` ${PREFIX.exec(value)?.[0] ?? ''} `));
