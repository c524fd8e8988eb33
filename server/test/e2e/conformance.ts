/**
 * `npm run conformance`: the official MCP conformance suite, both protocol revisions.
 *
 * (a) the router as it is shipped, on every scenario that a server with tools alone can meet;
 * (b) its protocol layer and HTTP surface with the suite's fixtures mounted, on everything a revision requires;
 * (c) the control: (b) without the fixtures has to fail, or the suite proves nothing.
 *
 * No expected failures. Exit 0 when (a) and (b) hold and (c) fails; `--json` prints one object.
 */
import { parseArgs } from 'node:util';
import { setup as expandDocuments } from '#fake-api/documents';
import { APPLICABLE } from './conformance/applicable.ts';
import { startFixtureServer } from './conformance/fixture-server.ts';
import { REVISIONS, type Revision, runSuite, type SuiteRun } from './conformance/official-suite.ts';
import { ensureInstalled } from './installed.ts';
import { startRouter } from './router-process.ts';

interface Line {
  part: string;
  revision: Revision;
  scenarios: number;
  passed: number;
  failed: string[];
  /** Checks that failed in scenarios that do not count for the revision. */
  unscored: number;
  held: boolean;
}

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
ensureInstalled();
await expandDocuments();
const lines: Line[] = [];
await using router = await startRouter();
for (const revision of REVISIONS) {
  const runs: SuiteRun[] = [];
  for (const scenario of APPLICABLE[revision]) runs.push(await runSuite(router.url, revision, scenario));
  const checks = runs.flatMap((run) => run.checks);
  const untried = APPLICABLE[revision].filter((name) => !checks.some(({ scenario }) => scenario === name));
  for (const name of untried) console.error(`not tried: ${name}, which the suite no longer knows`);
  const ok = untried.length === 0 && runs.every(({ exit }) => exit === 0);
  report('(a) the router as shipped', revision, { checks, unscored: new Set() }, ok);
}
await using fixtures = await startFixtureServer();
for (const revision of REVISIONS) {
  const run = await runSuite(fixtures.url, revision);
  report('(b) everything required', revision, run, run.exit === 0);
}
for (const revision of REVISIONS) {
  const run = await runSuite(router.url, revision);
  report('(c) the same without fixtures fails', revision, run, run.exit !== 0);
}
const held = lines.every((line) => line.held);
if (values.json) console.log(JSON.stringify({ conformance: '0.2.0-alpha.12', held, lines }));
process.exitCode = held ? 0 : 1;

function report(
  part: string,
  revision: Revision,
  { checks, unscored }: Pick<SuiteRun, 'checks' | 'unscored'>,
  ok: boolean,
): void {
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  const counted = failures.filter(({ scenario }) => !unscored.has(scenario));
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const line: Line = {
    part,
    revision,
    scenarios: new Set(checks.map(({ scenario }) => scenario)).size,
    passed,
    failed: counted.map(({ scenario, id }) => `${scenario}: ${id}`),
    unscored: failures.length - counted.length,
    held: ok && passed > 0,
  };
  lines.push(line);
  if (values.json) return;
  const aside = line.unscored > 0 ? `, ${line.unscored} more in scenarios that do not count (extensions)` : '';
  console.log(
    `${line.held ? 'ok  ' : 'FAIL'} ${part.padEnd(36)} ${revision}  ${line.scenarios} scenarios, ${passed} checks passed, ${counted.length} failed${aside}`,
  );
  if (!line.held) for (const name of line.failed) console.log(`       ${name}`);
}
