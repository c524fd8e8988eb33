/** A value that is worked out when it is first asked for, and then kept. */
export function lazy<T>(work: () => T): () => T {
  let known: { value: T } | null = null;
  return () => {
    known ??= { value: work() };
    return known.value;
  };
}
