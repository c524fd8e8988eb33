/** Shortens values for a preview. It always counts what it leaves out. */

/** The text, or its beginning and how long the whole is; `from` moves the window, for texts that begin alike. */
export function shortText(text: string, max: number, from = 0): string {
  if (text.length <= max) return text;
  const start = Math.min(from, text.length - max);
  const shown = text.slice(start, start + max);
  return `${start > 0 ? '…' : ''}${shown}${start + max < text.length ? '…' : ''} [${max} of ${text.length} characters shown]`;
}

/** A value as it is where its JSON is short, else its JSON made short. */
export function shortValue(value: unknown, max: number): unknown {
  const text = textOf(value);
  return text.length > max ? shortText(text, max) : value;
}

/** Two values, shortened around the first place where they differ. */
export function shortPair(one: unknown, other: unknown, max: number): [unknown, unknown] {
  const [a, b] = [textOf(one), textOf(other)];
  let alike = 0;
  while (alike < a.length && a[alike] === b[alike]) alike += 1;
  const from = alike < max / 2 ? 0 : alike - Math.floor(max / 4);
  return [a.length > max ? shortText(a, max, from) : one, b.length > max ? shortText(b, max, from) : other];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
