/** Texts of a parameter that stand for a list or an object, taken apart by `style` and `explode` (OpenAPI 3.1, "Style Values"). */

/** `matrix` and `label` have a mark before the value; nothing is changed where it is missing. */
export function withoutStyleMark(text: string, style: string, name: string): string {
  if (style === 'label') return text.replace(/^\./, '');
  if (style !== 'matrix') return text;
  return text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text === `;${name}` ? '' : text.replace(/^;/, '');
}

/** The entries of a list that came as one text. */
export function partsOf(text: string, style: string, explode: boolean, name: string, separator: string): string[] {
  const bare = withoutStyleMark(text, style, name);
  if (style === 'label') return bare.split(explode || !bare.includes(',') ? '.' : ',');
  if (style === 'matrix' && explode) return bare.split(`;${name}=`);
  return bare.split(separator);
}

/** The fields of an object that came as one text: `R,100,G,200` or `R=100,G=200`. Null where the text is no such object. */
export function fieldsOf(
  text: string,
  style: string,
  explode: boolean,
  name: string,
  separator: string,
): Map<string, string[]> | null {
  const bare = withoutStyleMark(text, style, name);
  const between =
    style === 'label' && (explode || !bare.includes(',')) ? '.' : style === 'matrix' && explode ? ';' : separator;
  const parts = bare.split(between);
  const pairs = explode && parts.every((part) => part.includes('=')) ? parts.map(pairOf) : inPairs(parts);
  return pairs === null ? null : new Map(pairs.map(([field, value]) => [field, [value]]));
}

function pairOf(part: string): [string, string] {
  const cut = part.indexOf('=');
  return [part.slice(0, cut), part.slice(cut + 1)];
}

function inPairs(parts: readonly string[]): [string, string][] | null {
  if (parts.length < 2 || parts.length % 2 !== 0) return null;
  return parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] as string] as [string, string]] : []));
}
