/** `prove`: figures about the harness itself, made by running it many times. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { keepControl, madeSince } from '../../controls/control-baseline.ts';
import { type ProveOptions, proveIdentity, proveRepeats } from '../../controls/scenario-proof.ts';
import { EXIT } from '../../exit-codes.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './options.ts';

export function addProveCommand(program: Command, context: CommandContext): void {
  const prove = program.command('prove').description('prove something about the harness by running it many times');
  prove
    .command('identity [options...]')
    .description('in one piece, in 2 and 4 shards, killed and resumed: the same bytes; takes options of `run` after --')
    .option('--json', 'print one JSON object')
    .action(async (words: string[], { json }: { json?: boolean }) => {
      const started = performance.now();
      const result = await within('identity', words, context, proveIdentity);
      await keep('identity', words, result, started, context);
      const sum = Object.values(result.differing).reduce((a, b) => a + b, 0);
      const lines = Object.entries(result.differing).map(([how, bytes]) => `${how}: ${bytes} bytes differ`);
      const text = `${[`${result.runs} runs`, ...lines, `killed after ${result.killedAfter}`].join('\n')}\n`;
      context.stdout.write(json === true ? `${JSON.stringify(result)}\n` : text);
      context.exitWith(sum === 0 ? EXIT.pass : EXIT.verdict);
    });
  prove
    .command('repeat [options...]')
    .description('an unchanged tree, many times: how often the verdict was red; takes options of `run` after --')
    .option('--times <n>', 'how often', wholeNumber(2, 1_000), 20)
    .option('--json', 'print one JSON object')
    .action(async (words: string[], { json, times }: { json?: boolean; times: number }) => {
      const started = performance.now();
      const result = await within('repeat', words, context, (options) => proveRepeats(options, times));
      await keep('repeat', words, result, started, context);
      const text = `${result.red} of ${times} runs red, ${result.differing} with other evidence than the first\n`;
      context.stdout.write(json === true ? `${JSON.stringify(result)}\n` : text);
      context.exitWith(result.red === 0 ? EXIT.pass : EXIT.verdict);
    });
}

/** Only the full size: a part of the campaign shows less than the page says. */
async function keep(name: string, words: readonly string[], result: object, started: number, { root }: CommandContext) {
  if (words.length > 0) return;
  await keepControl(root, name, { ...result, made: await madeSince(root, started) });
}

/** In a folder of its own below var, which stays when the proof fails, so that it can be looked into. */
async function within<T>(
  name: string,
  words: readonly string[],
  { root, signal, stderr }: CommandContext,
  proof: (options: ProveOptions) => Promise<T>,
): Promise<T> {
  const folder = join(root, 'var', 'prove', `${name}-${process.pid}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return proof({ root, folder, words, signal, note: (text) => stderr.write(`${text}\n`) });
}
