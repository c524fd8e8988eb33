import { Command } from 'commander';
import { expect, test } from 'vitest';
import { resumeCommand } from './resume-command.ts';
import { addRunOptions } from './run-options.ts';

const resumed = (...argv: string[]) => {
  const command = addRunOptions(new Command('run'));
  command.parse(argv, { from: 'user' });
  return resumeCommand(command, '/repo', '/repo/reports/runs/2026-11-24-080000');
};
const START = 'npm run harness -- run --resume reports/runs/2026-11-24-080000';

test('names the run alone where nothing else was asked for than its plan', () => {
  expect(resumed()).toBe(START);
  expect(resumed('--suite', 'nac', '--runs', '5', '--seed', '3', '--out', 'x', '--agent', 'oracle')).toBe(START);
});

test('repeats what the plan does not hold', () => {
  const rest = '--subject-root /tmp/copy --scenarios mine --baseline none --against 0.2.0,latest --json';
  expect(resumed('--filter', 'a', ...rest.split(' '))).toBe(`${START} ${rest}`);
  expect(resumed('--baseline=my blessed.json')).toBe(`${START} --baseline 'my blessed.json'`);
});
