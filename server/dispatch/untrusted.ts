/** Marks an answer that holds text of somebody else: a platform's, or that of a document which a user added. */

/** Key in `_meta` of a tool result. */
const UNTRUSTED = 'svc-mcp/untrusted';

/** `sources`: `platform:<id>` or `document:<id>`, each once. */
export const untrustedFrom = (sources: readonly string[]): Record<string, unknown> => ({
  [UNTRUSTED]: { source: sources.join(', ') },
});

/** Those that the answer to another call names. */
export function sourcesIn(result: { kind: string; meta?: Record<string, unknown> }): string[] {
  const mark = result.meta?.[UNTRUSTED] as { source: string } | undefined;
  return mark === undefined ? [] : mark.source.split(', ');
}
