/** Which mutants a change calls for: those of every change, and those whose files it touches. */
import { runProcess } from '../running-process.ts';
import type { Mutant } from '../subject/mutant.ts';

export async function mutantsForChange(root: string, mutants: readonly Mutant[], trunk: string): Promise<Mutant[]> {
  const changed = await changedFiles(root, trunk);
  return mutants.filter(
    (mutant) =>
      mutant.every_change === true ||
      changed.has(`harness/controls/mutants/${mutant.name}.yaml`) ||
      mutant.edits.some((edit) => changed.has(edit.file)) ||
      (mutant.scenarios ?? []).some((scenario) => changed.has(`harness/controls/scenarios/${scenario}.yaml`)),
  );
}

/** Changed files since the branch left the trunk; on the trunk since its last commit. Undefined without a history. */
async function changedFiles(root: string, trunk: string): Promise<Set<string>> {
  const git = async (...args: string[]) => {
    const { code, error, stdout, stderr } = await runProcess('git', args, { cwd: root });
    if (code !== 0) throw error ?? new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  const known = async (...args: string[]) => git(...args).catch(() => undefined);
  const head = await known('rev-parse', 'HEAD');
  if (head === undefined) return new Set();
  const left = (await known('merge-base', 'HEAD', trunk)) ?? (await known('merge-base', 'HEAD', 'main'));
  const base = left === undefined || left === head ? ((await known('rev-parse', 'HEAD^')) ?? head) : left;
  const differing = await git('diff', '--name-only', base);
  const untracked = await git('ls-files', '--others', '--exclude-standard');
  return new Set(`${differing}\n${untracked}`.split('\n'));
}
