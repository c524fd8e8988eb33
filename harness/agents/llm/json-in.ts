/** The JSON value a model meant: all of the text, or what stands in its last fenced block. */
export function jsonIn(text: string): unknown {
  const fenced = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)].at(-1)?.[1];
  for (const candidate of [text, fenced]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // not this one
    }
  }
  return undefined;
}
