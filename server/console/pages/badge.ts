/** How something ended, as a word on a ground of its kind: the word alone says it, the colour only helps. */
import { fill, type Markup } from './layout.ts';

type Tone = 'good' | 'bad' | 'wait' | '';

const WORDS: Readonly<Record<Exclude<Tone, ''>, readonly string[]>> = {
  good: ['success', 'approved', 'used', 'complete', 'reachable', 'enabled'],
  wait: ['pending', 'write', 'degraded', 'confirmation_required', 'open', 'slowed down'],
  bad: [
    ...[
      'destructive',
      'expired',
      'missing',
      'not reachable',
      'login refused',
      'error',
      'exception',
      'timeout',
      'failed',
    ],
    ...['failure', 'blocked', 'forbidden', 'declined', 'confirmation_unavailable'],
  ],
};
const TONES = new Map(Object.entries(WORDS).flatMap(([tone, words]) => words.map((word) => [word, tone] as const)));

const BADGE = `<span class="badge <%= it.tone %>"><%= it.word %></span>`;

export const badge = (word: string): Markup => fill(BADGE, { word, tone: TONES.get(word) ?? '' });
