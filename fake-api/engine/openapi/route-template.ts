/** Path templates such as `/sites/{site}/devices/{serial}`. */

export function namesIn(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
}

/** A template with its parameters replaced in their order. */
export function filled(template: string, values: readonly string[]): string {
  let at = 0;
  return template.replace(/('?)\{[^}]+\}/g, (_, quote: string) => {
    const text = encodeURIComponent(values[at++] ?? '');
    return quote + (quote === '' ? text : text.replaceAll("'", "''"));
  });
}

/** A template with its parameter names removed, so that two spellings of one path meet. */
export function shapeOfPath(template: string): string {
  return template.replace(/\{[^}]+\}/g, '{}');
}
