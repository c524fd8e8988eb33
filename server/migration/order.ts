/** The order in which objects can be written: lowest apply order first, and never before what they depend on. */
import { type Candidate, refOf } from './candidate.ts';

export interface Ordered {
  order: readonly Candidate[];
  /** References of objects that wait for each other, sorted. */
  circle: readonly string[];
}

/** Depth first from the lowest apply order: linear in objects and references. */
export function inApplyOrder(candidates: readonly Candidate[]): Ordered {
  const sorted = [...candidates].sort(compare);
  const byRef = new Map(sorted.map((candidate) => [refOf(candidate), candidate]));
  const state = new Map<string, 'open' | 'placed'>();
  const order: Candidate[] = [];
  const circle = new Set<string>();
  for (const start of sorted) visit(start, byRef, state, order, circle);
  return { order, circle: [...circle].sort() };
}

/** Depth first without recursion: what an object depends on stands before it. */
function visit(
  start: Candidate,
  byRef: ReadonlyMap<string, Candidate>,
  state: Map<string, 'open' | 'placed'>,
  order: Candidate[],
  circle: Set<string>,
): void {
  const stack: { candidate: Candidate; next: number }[] = [];
  const push = (candidate: Candidate) => {
    state.set(refOf(candidate), 'open');
    stack.push({ candidate, next: 0 });
  };
  if (!state.has(refOf(start))) push(start);
  while (stack.length > 0) {
    const top = stack.at(-1) as { candidate: Candidate; next: number };
    const ref = top.candidate.dependencies[top.next++];
    if (ref === undefined) {
      stack.pop();
      state.set(refOf(top.candidate), 'placed');
      order.push(top.candidate);
      continue;
    }
    const needed = byRef.get(ref);
    if (!needed) continue;
    if (!state.has(ref)) push(needed);
    else if (state.get(ref) === 'open') {
      const from = stack.findIndex(({ candidate }) => refOf(candidate) === ref);
      for (const { candidate } of stack.slice(from)) circle.add(refOf(candidate));
    }
  }
}

function compare(a: Candidate, b: Candidate): number {
  if (a.apply_order !== b.apply_order) return a.apply_order - b.apply_order;
  const [left, right] = [refOf(a), refOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
