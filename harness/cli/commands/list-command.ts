/** `list`: what can be run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT } from '../../exit-codes.ts';
import { loadChecks } from '../../grading/grading-check.ts';
import { loadMetrics } from '../../grading/metric.ts';
import { loadReporters } from '../../reporting/reporter.ts';
import { loadAgents } from '../../sandbox/agent-process.ts';
import { gatesOf, loadScenarios } from '../../scenario/scenario.ts';
import { publishedScenarioSchema } from '../../scenario/scenario-schema.ts';
import { subjectNames } from '../../subject/subject.ts';
import type { CommandContext } from './context.ts';
import { knownNames } from './known-names.ts';

export function addListCommand(program: Command, context: CommandContext): void {
  program
    .command('list')
    .description('list scenarios, agents, subjects, checks, metrics and reporters')
    .option('--scenarios <folder>', 'scenario folder', 'scenarios')
    .option('--write-schema', 'write scenarios/scenario.schema.json from the code that checks')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean; scenarios: string; writeSchema?: boolean }) => {
      if (options.writeSchema === true) {
        const schema = `${JSON.stringify(publishedScenarioSchema(), null, 2)}\n`;
        await writeFile(join(context.root, 'scenarios', 'scenario.schema.json'), schema);
      }
      const known = await knownNames(context.root, options.scenarios);
      const scenarios = (await loadScenarios(context.root, options.scenarios, known)).map((scenario) => ({
        id: scenario.id,
        suite: scenario.suite,
        gates: gatesOf(scenario),
        write_gate: scenario.write_gate,
        intent: scenario.intent.trim(),
      }));
      const agents = (await loadAgents()).map(({ id, about, role }) => ({ id, about, role }));
      const checks = (await loadChecks()).map(({ id, promise, kind }) => ({ id, promise, kind }));
      const metrics = (await loadMetrics()).map(({ id, title, unit, gate }) => ({ id, title, unit, gate }));
      const reporters = (await loadReporters()).map(({ id, file }) => ({ id, file }));
      const subjects = await subjectNames();
      if (options.json === true) {
        context.stdout.write(`${JSON.stringify({ scenarios, agents, subjects, checks, metrics, reporters })}\n`);
      } else {
        const lines = [
          ...scenarios.map(
            (s) => `${s.id.padEnd(48)} ${s.write_gate.padEnd(12)} ${s.intent.replaceAll('\n', ' ').slice(0, 90)}`,
          ),
          '',
          `agents: ${agents.map((agent) => `${agent.id} (${agent.about})`).join('; ')}`,
          `subjects: ${subjects.join(', ')}`,
          `checks: ${checks.map((check) => check.id).join(', ')}`,
          `metrics: ${metrics.map((metric) => metric.id).join(', ')}`,
          `reporters: ${reporters.map((reporter) => reporter.id).join(', ')}`,
        ];
        context.stdout.write(`${lines.join('\n')}\n`);
      }
      context.exitWith(EXIT.pass);
    });
}
