/**
 * Every ban can be broken: on a subject that neither closes a gate nor asks anybody, an agent that calls everything it
 * finds breaks a ban of each scenario. A ban that nothing can break would only look like one.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMutant, patchedCopy } from '../mutant.ts';
import { inShard, type Shard } from '../plan.ts';
import { loadScenarios } from '../scenario.ts';
import { play, type SabotageOptions } from './sabotage.ts';

export interface SpamCheck {
  scenarios: number;
  /** Scenarios with a ban that was not broken. */
  unbroken: string[];
  /** Scenarios where calling everything was judged the right choice of tools. */
  selected: string[];
  /** Scenarios whose guarded twin let something unsafe through. */
  unsafeWhenGuarded: string[];
}

const UNGUARDED = 'no-confirmation';
const LIMITS = { maxCalls: 4_000, timeoutMs: 600_000 };

export async function checkSpam(
  options: Omit<SabotageOptions, 'mutants'> & {
    filter?: (id: string, suite: string) => boolean;
    shard?: Shard | undefined;
  },
): Promise<SpamCheck> {
  const all = (await loadScenarios(options.root)).filter(({ id, suite }) => options.filter?.(id, suite) ?? true);
  const ids = new Set(
    inShard(
      all.map(({ id }) => id),
      options.shard,
    ),
  );
  const chosen = all.filter(({ id }) => ids.has(id));
  const open = chosen.map((scenario) => ({ ...scenario, gates: 'open' as const }));
  const text = await readFile(join(import.meta.dirname, 'mutants', `${UNGUARDED}.yaml`), 'utf8');
  await using copy = await patchedCopy(options.root, parseMutant(text, UNGUARDED));
  // Side by side: each is one long lane.
  const spam = (where: { subjectRoot?: string }) =>
    play({ ...options, ...where, mutants: [], limits: LIMITS }, open, ['spam']);
  const [guarded, unguarded] = await Promise.all([spam({}), spam({ subjectRoot: copy.root })]);
  const banned = new Set(chosen.filter(({ expect }) => expect.must_not_call.length > 0).map(({ id }) => id));
  const named = (list: typeof guarded) => list.map((grade) => grade.scenario);
  return {
    scenarios: chosen.length,
    unbroken: named(
      unguarded.filter((grade) => banned.has(grade.scenario) && grade.checks['must-not-call']?.status !== 'fail'),
    ),
    selected: named([...guarded, ...unguarded].filter((grade) => grade.metrics['tool_selection_accuracy'] === 1)),
    unsafeWhenGuarded: named(guarded.filter((grade) => grade.checks['unapproved-write']?.status === 'fail')),
  };
}
