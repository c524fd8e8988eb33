/** The ranking behind find_tool, hit by hit, and why. Started by `find.mjs`. */
import { Command } from 'commander';
import { CAPABILITIES, type Capability } from '../access/access-policy.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { openCatalog } from '../open-catalog.ts';
import type { Hit } from '../search/find.ts';
import { openFinder } from '../search/open-finder.ts';
import { explainScore, explanationLines } from '../search/score-explanation.ts';
import { runCommand } from './run-command.ts';

interface Options {
  explain?: boolean;
  json?: boolean;
  top: string;
  platform?: string;
  capability?: string;
}

const program = new Command('svc-mcp-find')
  .description('Find backend tools for a task in plain words. Local: no platform is called.')
  .version(version)
  .argument('<query>', 'what you want to do, or an exact name, operationId or METHOD /path')
  .option('--explain', 'show what each feature gave to each hit')
  .option(
    '--top <n>',
    'how many hits of the ranking, 1 to 10; find_tool folds some of them and leaves out those far below the best',
    '5',
  )
  .option('--platform <id>', 'only this platform')
  .option('--capability <class>', `only ${CAPABILITIES.join(', ')}`)
  .option('--json', 'print one JSON object')
  .action((query: string, options: Options) => {
    const topK = Number(options.top);
    if (!Number.isInteger(topK) || topK < 1 || topK > 10)
      throw new RouterError('USAGE', `--top should be a whole number from 1 to 10, got ${JSON.stringify(options.top)}`);
    const capability = CAPABILITIES.find((known): known is Capability => known === options.capability);
    if (options.capability !== undefined && capability === undefined) {
      throw new RouterError(
        'USAGE',
        `--capability should be one of ${CAPABILITIES.join(', ')}, got ${JSON.stringify(options.capability)}`,
      );
    }
    const config = loadConfig({ env: process.env });
    assertPlatform(options.platform, config);
    const { catalog } = openCatalog(config);
    const finder = openFinder(config, catalog);
    const { hits, note } = finder.find({
      query,
      topK,
      ...(options.platform === undefined ? {} : { platform: options.platform }),
      ...(capability === undefined ? {} : { capability }),
    });
    if (options.json) {
      const shown = hits.map((hit) => ({
        ...finder.describe(hit.tool),
        ...(options.explain
          ? { score: hit.score, features: hit.features, text: hit.text, evidence: hit.tool.evidence }
          : {}),
      }));
      process.stdout.write(`${JSON.stringify({ query, hits: shown, ...(note === undefined ? {} : { note }) })}\n`);
    } else {
      hits.forEach((hit, i) => {
        process.stdout.write(lineFor(hit, i, options.explain === true));
      });
      if (note !== undefined) process.stdout.write(`${note}\n`);
    }
    catalog.close();
  });

/** A question of an agent about an unknown platform is answered with a note; a person at a terminal mistyped. */
function assertPlatform(id: string | undefined, { platforms, known }: Config): void {
  if (id === undefined || known.some((platform) => platform.id === id)) return;
  const served = platforms.map((platform) => platform.id);
  throw new RouterError(
    'USAGE',
    `--platform should be one of ${served.join(', ')}, got ${JSON.stringify(id.slice(0, 64))}${didYouMean(id, served)}`,
  );
}

function lineFor(hit: Hit, i: number, explain: boolean): string {
  const { name, capability, method, path, line } = hit.tool;
  const lines = [line, ...(explain ? explanationLines(explainScore(hit)) : [])];
  return `${i + 1}. ${name}  [${capability}]  ${method} ${path}\n${lines.map((text) => `   ${text}\n`).join('')}`;
}

await runCommand(program);
