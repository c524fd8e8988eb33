/** Words, quoted texts, numbers and marks of an OData filter. */
const TOKEN = /\s*(?:(?<word>[A-Za-z_][\w.\-/]*)|(?<text>'(?:[^']|'')*')|(?<number>-?\d+(?:\.\d+)?)|(?<mark>[(),]))/y;

export function tokenize(text: string): string[] | null {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) return null;
    tokens.push(match[0].trim());
  }
  return tokens;
}

/** The value a token stands for, null where it stands for none. */
export function literal(token: string | undefined): string | null {
  if (token === undefined) return null;
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  return /^(-?\d+(\.\d+)?|true|false|null)$/.test(token) ? token : null;
}
