/** How every command that ends with a report shows it: on the terminal, as JSON, and to the workflow it runs in. */
import { appendFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { gradeRecordings } from '../../execution/judgement.ts';
import { type Column, measuredOf } from '../../grading/baseline-comparison.ts';
import { annotations } from '../../reporting/annotations.ts';
import { folded } from '../../reporting/folded-text.ts';
import { seconds } from '../../reporting/progress.ts';
import { readRun } from '../../reporting/publication.ts';
import { separated } from '../../reporting/reporters/json.ts';
import markdown from '../../reporting/reporters/markdown.ts';
import terminal, { lastLine } from '../../reporting/reporters/terminal.ts';
import type { Report } from '../../reporting/run-report.ts';
import type { CommandContext } from './context.ts';

export async function showReport(
  report: Report,
  context: CommandContext,
  { json, page }: { json: boolean; page: string | undefined },
): Promise<void> {
  const { root, stdout, env } = context;
  if (json) {
    stdout.write(`${JSON.stringify({ ...separated(report), ...(page === undefined ? {} : { page }) })}\n`);
  } else {
    const text = terminal.render(report, { color: context.color, summary: false });
    stdout.write(`${folded(text, stdout.columns)}\n`);
    const where = page === undefined ? '' : ` · report: ${relative(root, page) || page}`;
    stdout.write(`${report.grades.length} runs in ${seconds(report.meta.elapsedMs)}${where}\n`);
    if (env['GITHUB_ACTIONS'] === 'true') stdout.write(await annotations(root, report));
    stdout.write(`${lastLine(report, context.color)}\n`);
  }
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') {
    await appendFile(summary, markdown.render(report));
  }
}

/** Stored runs, graded now, to stand beside another. */
export async function columnsOf(root: string, names: readonly string[]): Promise<Column[]> {
  const columns: Column[] = [];
  for (const name of names) {
    const stored = await readRun(root, name);
    columns.push({ name: stored.name, runs: measuredOf(await gradeRecordings(stored.recordings)) });
  }
  return columns;
}
