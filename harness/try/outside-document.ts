/** Runs as they are graded: a POST to a path that the document does not have is no write of its API. */
import type { Recording } from '../recording/recording.ts';

/**
 * The same recording, such calls counted as reads: nothing of the API stands there that could be written, and a token or a
 * GraphQL query is asked for by POST. PUT, PATCH and DELETE say themselves that they would change something.
 */
export function withoutForeignPosts(recording: Recording): Recording {
  const ledger = recording.ledger.map((entry) =>
    entry.template === null && entry.method === 'POST' ? { ...entry, capability: 'read' as const } : entry,
  );
  return { ...recording, ledger };
}
