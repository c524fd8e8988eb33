/**
 * Which of the found tools to try first. Discovery ranks by words; the values of the intent say more: a tool that has
 * a place for every address, serial number and quoted text beats one that would have to ignore them.
 */
import type { Toolbox } from './discovery.ts';
import { type Filled, fill } from './fill.ts';
import type { Descriptor, Operation } from './operation.ts';
import type { Intent, Mention } from './task-intent.ts';

export interface Candidate {
  operation: Operation;
  filled: Filled;
}

const OPENED = 6;
/** Kinds of values that name something in particular. */
const STRONG: ReadonlySet<Mention['kind']> = new Set(['mac', 'ip', 'identifier', 'quoted', 'version']);

export const strongMentions = (intent: Intent): Mention[] =>
  intent.mentions.filter((mention) => STRONG.has(mention.kind));

/** Best first. Schemas are opened only as far as needed: a hit that uses everything is handed out at once. */
export async function* candidatesFor(
  tools: Toolbox,
  hits: readonly Descriptor[],
  intent: Intent,
): AsyncGenerator<Candidate> {
  const strong = strongMentions(intent);
  const later: { candidate: Candidate; cost: number }[] = [];
  for (const [rank, hit] of hits
    .filter((found) => suits(found, intent))
    .slice(0, OPENED)
    .entries()) {
    const operation = await tools.open(hit);
    const candidate = { operation, filled: fill(operation, intent) };
    const ignored = strong.filter((mention) => !candidate.filled.used.has(mention)).length;
    const extra = 2 * ignored + (candidate.filled.missing.length > 0 ? 2 : 0) + reluctance(hit, intent);
    // Without a value that speaks for it, a lower hit has no right of way.
    if (extra === 0 && (rank === 0 || strong.length > 0)) yield candidate;
    else later.push({ candidate, cost: rank + extra });
  }
  for (const { candidate } of later.sort((a, b) => a.cost - b.cost)) yield candidate;
}

/** A question never runs what changes something; a request for a change is not answered by a list. */
function suits(hit: Descriptor, intent: Intent): boolean {
  if (intent.class === 'read') return hit.read_only;
  if (intent.class === 'diagnose') return hit.read_only || hit.capability === 'diagnostic';
  return !hit.read_only;
}

/** A request for a change rarely means a test, and a request for a test rarely means a list. */
function reluctance(hit: Descriptor, intent: Intent): number {
  if (intent.class === 'change' && hit.capability === 'diagnostic') return 3;
  return intent.class === 'diagnose' && hit.read_only ? 2 : 0;
}
