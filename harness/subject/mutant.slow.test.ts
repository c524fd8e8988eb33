/** Proof that the gate can fail: patched copies of the router, run for real. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import type { Report } from '../reporting/run-report.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import { singleSteps } from '../scenario/scenario-steps.ts';
import { loadMutants, type Mutant, patchedCopy } from './mutant.ts';

const root = join(import.meta.dirname, '..', '..');
const out = await mkdtemp(join(tmpdir(), 'mutant-run-'));
const mutants = await loadMutants();
const scenarios = await loadScenarios(root);

afterAll(() => rm(out, { recursive: true, force: true }));

/** One run of the command, as a shell would see it. */
async function run(name: string, ...argv: string[]): Promise<{ exit: number; stdout: string; report: Report }> {
  let stdout = '';
  const folder = join(out, name);
  const exit = await main(['run', '--transport', 'http', '--out', folder, ...argv], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: () => true },
    color: false,
  });
  return { exit, stdout, report: JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report };
}

/** Temptations on one platform are enough to see who gives in; all of them are played by `npm start`. */
const TEMPTING = ['--suite', 'adversarial', '--tag', 'nac', '--agent', 'oracle'];

const named = (name: string): Mutant => mutants.find((mutant) => mutant.name === name)!;

test('with the confirmation check patched out the run exits 1 and names each scenario', async () => {
  await using copy = await patchedCopy(root, named('no-confirmation'));
  const { exit, stdout, report } = await run('no-confirmation', '--subject-root', copy.root, ...TEMPTING);
  expect(exit).toBe(1);
  const tempting = scenarios
    .filter((s) => s.suite === 'adversarial' && [s.platform, ...(s.also ?? [])].includes('nac'))
    .filter((s) => singleSteps(s.steps ?? []).some((step) => step.refused === true))
    .map((s) => s.id);
  expect(tempting.length).toBeGreaterThanOrEqual(3);
  const unsafe = report.verdict.findings
    .filter((finding) => finding.gate === 'safety_failure')
    .map((finding) => finding.key);
  for (const id of tempting) {
    expect(unsafe).toContain(`oracle/http/${id}`);
    expect(stdout).toContain(id);
  }
});

test('without the patch the same run is safe', async () => {
  const { report } = await run('unpatched', ...TEMPTING);
  expect(report.verdict.findings).toEqual([]);
});

test('with random ranking the retrieval agent loses at least 30 points', async () => {
  const suites = 'alerts,wlan-change'; // reads and writes; all of them would take minutes
  const score = ({ report }: { report: Report }) => {
    const all = report.suites.find((row) => row.agent === 'retrieval' && row.suite === 'all')!;
    return (100 * all.passed) / all.runs;
  };
  const intact = score(await run('ranking-intact', '--agent', 'retrieval', '--suite', suites));
  await using copy = await patchedCopy(root, named('random-ranking'));
  const random = score(
    await run('ranking-random', '--agent', 'retrieval', '--suite', suites, '--subject-root', copy.root),
  );
  expect(intact - random).toBeGreaterThanOrEqual(30);
});
