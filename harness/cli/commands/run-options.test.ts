/** Which runs the options of `run` select, and how the server would start. It runs no scenario. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { selectScenarios, tagsOf, type Wanted } from '../../execution/matrix.ts';
import type { Plan } from '../../recording/campaign-plan.ts';
import { loadScenarios } from '../../scenario/scenario.ts';
import { loadSubject, withSettings } from '../../subject/subject.ts';
import { main } from '../harness.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const scenarios = await loadScenarios(root);
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();

interface Listed {
  plan: Plan;
  runs: { scenario: string; agent: string; transport: string; seed: number }[];
}

async function listed(...argv: string[]): Promise<Listed> {
  let stdout = '';
  let stderr = '';
  const exit = await main(['run', '--list', '--json', ...argv], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) } as never,
  });
  expect(exit, stderr).toBe(0);
  return JSON.parse(stdout) as Listed;
}
const left = (wanted: Partial<Wanted>) =>
  idsOf(selectScenarios(scenarios, { suites: [], filter: undefined, tags: [], ...wanted }));

test('--suite, --tag, --filter and --wording select the scenarios and their wording', async () => {
  const argv = ['--suite', 'nac,alerts', '--tag', 'nac,write', '--filter', 'visitor', '--wording', '2'];
  const { plan, runs } = await listed(...argv);
  expect([...new Set(runs.map(({ scenario }) => scenario))]).toEqual(['nac/extend-visitor']);
  expect(plan).toMatchObject({ selected: ['nac/extend-visitor'], wording: 2 });
  expect(plan.settings).toEqual({ mode: 'minimal', profile: 'custom' });
});

test('an option that is given twice adds to what it said before', async () => {
  const more = ['--agent', 'oracle', '--agent', 'noop,retrieval', '--transport', 'http'];
  const { runs } = await listed('--suite', 'nac', '--suite', 'alerts', ...more);
  const those = (of: (run: Listed['runs'][number]) => string | undefined) => [...new Set(runs.map(of))].sort();
  expect(those(({ agent }) => agent)).toEqual(['noop', 'oracle', 'retrieval']);
  expect(those(({ scenario }) => scenario.split('/')[0])).toEqual(['alerts', 'nac']);
  expect(those(({ transport }) => transport)).toEqual(['http']);
});

test('each option selects what it names, and each further one narrows the selection', () => {
  const suites = left({ suites: ['nac', 'alerts'] });
  expect(suites).toEqual(idsOf(scenarios.filter(({ suite }) => suite === 'nac' || suite === 'alerts')));
  for (const tag of ['write', 'destructive', 'gates-open', 'multi-platform', 'approved', 'faults', 'legacy']) {
    const own = left({ tags: [tag] });
    expect(own, tag).toEqual(idsOf(scenarios.filter((scenario) => tagsOf(scenario).includes(tag))));
    expect(own.length * (scenarios.length - own.length), tag).toBeGreaterThan(0);
  }
  const both = left({ tags: ['nac', 'write'] });
  expect(both).toEqual(left({ tags: ['nac'] }).filter((id) => left({ tags: ['write'] }).includes(id)));
  expect(left({ tags: ['nac', 'write'], suites: ['nac'] })).toEqual(both.filter((id) => id.startsWith('nac/')));
});

describe('--mode and --profile', () => {
  test('stand in the plan', async () => {
    const { plan } = await listed('--filter', 'alerts/worst', '--mode', 'direct', '--profile', 'safe-read-only');
    expect(plan.settings).toEqual({ mode: 'direct', profile: 'safe-read-only' });
  });

  test.each([
    [{ mode: 'default' }, { SVC_MCP_ROUTER_MODE: 'default', SVC_MCP_ACCESS_PROFILE: 'custom' }],
    [{ profile: 'full-read-write' }, { SVC_MCP_ROUTER_MODE: 'minimal', SVC_MCP_ACCESS_PROFILE: 'full-read-write' }],
    [
      { mode: 'direct', profile: 'custom' },
      { SVC_MCP_ROUTER_MODE: 'direct', SVC_MCP_ACCESS_PROFILE: 'custom' },
    ],
  ])('%j is what the server is started with', async (settings, env) => {
    expect(withSettings(await loadSubject('router'), settings).subject.env).toMatchObject(env);
  });
});
