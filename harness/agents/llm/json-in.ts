/** The JSON value a model meant: all of the text, or what stands in its last fenced block. */
export function jsonIn(text: string): unknown {
  const fenced = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)].at(-1)?.[1];
  for (const candidate of [text, fenced]) {
    const value = candidate === undefined ? undefined : wholeJson(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * The arguments of a call, or undefined. No text stands for none. Of an object that was begun, a fenced block inside of one of
 * its texts is not taken for the whole.
 */
export function argumentsIn(text: string): Record<string, unknown> | undefined {
  const begun = text.trimStart();
  if (begun === '') return {};
  const value = begun.startsWith('{') ? wholeJson(begun) : jsonIn(begun);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function wholeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
