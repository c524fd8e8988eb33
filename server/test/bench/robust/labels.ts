/** R17: ten thousand hostile names while metrics are scraped: the cap holds, sums agree, and nothing asked is shown. */
import { spawnSync } from 'node:child_process';
import { mcpRequest, textOf, Wire } from '../../support/mcp-wire.ts';
import { blockedNames } from '../tool-names.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext } from './robust-check.ts';

const LABELS = 10_000;
const REAL = 700;
const CAP = 512;
const CANARY = 'canary-value-81f2';
const HOSTILE = [
  '"}\n',
  '\\',
  '{le="1"}',
  '\u0000',
  '# HELP x',
  'ü'.repeat(70),
  '\ud83d\ude00',
  ' ',
  '__proto__',
  'le',
];
/** promtool complains about units in names, and the specification gives these names. */
const NAMES_WITH_UNITS = /metric names should not contain abbreviated units$/;

interface Series {
  requests: number;
  latency: { count: number; buckets: number[]; over_max: number };
  tool: string;
}

async function run({ router: start, scale }: RobustContext): Promise<Finding> {
  await using router = await start();
  const { port, bearer } = router;
  const failures = new Failures();
  const real = blockedNames(REAL);
  const hostile = Math.ceil(LABELS * scale);
  const names = [...real, ...Array.from({ length: hostile }, (_, n) => `${HOSTILE[n % HOSTILE.length]}${n}${CANARY}`)];
  const scrape = async (wire: Wire, query: string) =>
    textOf(
      await wire.ask(`GET /metrics${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${bearer}\r\n\r\n`),
    );
  let going = true;
  let scrapes = 0;
  const scraper = (async () => {
    const wire = new Wire(port);
    while (going) {
      const text = await scrape(wire, '');
      checkText(text, failures);
      scrapes += 1;
    }
    wire.close();
  })();
  let at = 0;
  const caller = async () => {
    const wire = new Wire(port);
    while (at < names.length) {
      const name = names[at++] as string;
      const params = { name: 'invoke_read_tool', arguments: { name, arguments: { query: CANARY } } };
      await wire.ask(mcpRequest({ era: '2026-07-28', id: at, bearer, method: 'tools/call', params }));
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  going = false;
  await scraper;
  const wire = new Wire(port);
  const json = await scrape(wire, '?format=json');
  const text = await scrape(wire, '');
  wire.close();
  checkText(text, failures);
  const { series, series_count: count } = JSON.parse(json) as { series: Series[]; series_count: number };
  const requests = series.reduce((sum, one) => sum + one.requests, 0);
  if (count !== CAP || series.length !== CAP) failures.add(`${count} series, should be ${CAP}`);
  if (!series.some(({ tool }) => tool === '_overflow_')) failures.add('no overflow series');
  if (requests !== names.length) failures.add(`the series count ${requests} requests of ${names.length}`);
  for (const { tool, latency } of series)
    if (latency.buckets.reduce((sum, one) => sum + one, latency.over_max) !== latency.count)
      failures.add(`${tool}: bins do not add up to the count`);
  if (json.includes(CANARY)) failures.add('the snapshot shows what was asked');
  const promtool = promtoolSays(text, failures);
  return { figures: { calls: names.length, series: count, requests, scrapes, promtool }, failures: failures.all() };
}

function checkText(text: string, failures: Failures): void {
  if (text.includes(CANARY)) failures.add('the text shows what was asked');
  const infinite = new Map(
    [...text.matchAll(/_bucket\{(.*),le="\+Inf"\} (\d+)/g)].map(([, labels, value]) => [labels, value]),
  );
  const counts = [...text.matchAll(/_latency_ms_count\{(.*)\} (\d+)/g)];
  if (counts.length > CAP) failures.add(`${counts.length} histograms`);
  for (const [, labels, value] of counts)
    if (infinite.get(labels) !== value) failures.add(`+Inf is ${infinite.get(labels)} and count ${value} of ${labels}`);
}

function promtoolSays(input: string, failures: Failures): string {
  const { status, error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  if (error !== undefined) return `not run here: ${error.message}`;
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !NAMES_WITH_UNITS.test(line));
  for (const line of said) failures.add(`promtool: ${line}`);
  return said.length === 0 ? 'clean' : `status ${status}`;
}

export const LABELS_CHECK: RobustCheck = { id: 'R17', title: 'hostile labels under scrape', run };
