/** The command that goes on with a campaign that ended early: its plan is stored, the other options are given again. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import type { RunOptions } from './run-options.ts';

/** What the stored plan does not hold. */
const GIVEN_AGAIN: readonly (keyof RunOptions)[] = [
  'scenarios',
  'baseline',
  'against',
  'subjectRoot',
  'concurrency',
  'directListing',
  'replay',
  'strength',
  'failFast',
  'yes',
  'json',
];

export function resumeCommand(command: Command, root: string, folder: string): string {
  const words = command.options
    .filter((option) => GIVEN_AGAIN.includes(option.attributeName() as keyof RunOptions))
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return value === true ? [option.long ?? ''] : [option.long ?? '', quoted(String(value))];
    });
  return ['npm run harness -- run --resume', quoted(relative(root, folder) || folder), ...words].join(' ');
}

const quoted = (text: string): string =>
  /^[\w./:=,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
