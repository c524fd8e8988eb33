/** Placeholder until the page stands. */
import type { Recording } from '../recording/recording.ts';
import type { TryResult } from './try-result.ts';

export async function tryPage(_root: string, result: TryResult, _recordings: readonly Recording[]): Promise<string> {
  return `<pre>${result.server.name}</pre>`;
}
