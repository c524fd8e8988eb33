/** `node fake-api/expand/expand-models.ts [lint] [--platforms a,b] [--json]`: makes the documents and counts, or judges, them. */
import { type Counts, count, type Tally } from './lint/endpoint-count.ts';
import { ExpandError, expandErrors } from './model/expand-errors.ts';
import { listPlatforms } from './model/platforms-folder.ts';
import { platformDocuments } from './platform-documents.ts';

interface Request {
  readonly command: 'expand' | 'lint';
  readonly platforms: readonly string[] | null;
  readonly json: boolean;
}

export function readArguments(words: readonly string[]): Request {
  let command: Request['command'] = 'expand';
  let platforms: string[] | null = null;
  let json = false;
  const rest = [...words];
  while (rest.length > 0) {
    const word = rest.shift()!;
    if (word === '--json') json = true;
    else if (word === 'lint') command = 'lint';
    else if (word === '--platforms') {
      const names = rest.shift();
      if (!names || names.startsWith('--'))
        throw new ExpandError('EXPAND_USAGE', { expected: '--platforms a,b', got: names ?? 'nothing' });
      platforms = names.split(',');
    } else throw new ExpandError('EXPAND_USAGE', { expected: 'lint, --platforms or --json', got: word });
  }
  return { command, platforms, json };
}

async function main(words: readonly string[]): Promise<number> {
  const request = readArguments(words);
  const platforms = request.platforms ?? (await listPlatforms());
  if (request.command === 'lint') {
    const { lintPlatforms, printLint } = await import('./lint/lint.ts');
    const report = await lintPlatforms(platforms);
    process.stdout.write(request.json ? `${JSON.stringify(report)}\n` : printLint(report));
    return report.ok ? 0 : 1;
  }
  const counts = count(await platformDocuments(platforms));
  process.stdout.write(request.json ? `${JSON.stringify(counts)}\n` : printCounts(counts));
  return 0;
}

function printCounts(counts: Counts): string {
  const row = (name: string, tally: Tally): string =>
    [
      name.padEnd(36),
      ...[tally.operations, tally.endpoints, tally.schemas, tally.fields].map((value) => String(value).padStart(11)),
    ].join('');
  const lines = [
    `${'document'.padEnd(36)}${['operations', 'endpoints', 'schemas', 'fields'].map((head) => head.padStart(11)).join('')}`,
  ];
  for (const [platform, { documents, total }] of Object.entries(counts.platforms)) {
    for (const [name, tally] of Object.entries(documents)) lines.push(row(`${platform}/${name}`, tally));
    lines.push(row(`${platform} (shared ones once)`, total));
  }
  lines.push(row('total', counts.total));
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof ExpandError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n  ${expandErrors[error.code].remedy}\n`);
    process.exitCode = error.exitCode;
  }
}
