/** Which part of a question set an intent belongs to: tuned on, or only published. Its two wordings never part. */
import { createHash } from 'node:crypto';
import type { Part } from './question-set.ts';

export function partOf(intent: string): Part {
  return (createHash('sha256').update(intent).digest()[0] as number) < 128 ? 'dev' : 'published';
}
