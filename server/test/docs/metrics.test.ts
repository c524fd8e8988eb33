/** docs/metrics.md names every family, label and field there is, and no other: held against what the router writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../config/variables.ts';
import { LATENCY_EDGES_MS, METRIC_CAPABILITIES, Metrics, OVERFLOW, SERIES_CAP } from '../../telemetry/metrics.ts';
import { FAMILIES, prometheusText } from '../../telemetry/prometheus.ts';
import { root } from './source-imports.ts';

const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8');

/** Rows of the table with this head, as cells. */
function rowsOf(head: string): string[][] {
  const [, after = ''] = page.split(`| ${head} |`);
  const [table = ''] = after.split('\n\n');
  const lines = table.split('\n').slice(2);
  return lines.map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);

const metrics = new Metrics({ waits: () => ({ count: 1, sumMs: 2, maxMs: 3 }), principals: true, approvals: true });
metrics.record({
  tool: 't',
  backend: 'b',
  outcome: 'success',
  capability: 'read',
  ms: 1,
  truncated: true,
  principal: 'p',
});
const snapshot = metrics.snapshot({
  sessions: 1,
  redisUp: true,
  auditExports: [{ to: 'syslog', up: true, waiting: 0, lost: 0 }],
});
const text = prometheusText(snapshot).toString();

const labelsOf = (family: string) => {
  const [, labels = ''] = new RegExp(`^${family}(?:_bucket)?\\{(.*?)\\}`, 'm').exec(text) ?? [];
  return [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label as string);
};

test('each family of the router is a row, with its type and its labels', () => {
  const rows = rowsOf('Family | Type | Labels | Counts');
  expect(rows.map(([name, type, labels]) => [namesIn(name)[0], type, namesIn(labels)])).toEqual(
    FAMILIES.map(({ name, type }) => [name, type, labelsOf(name)]),
  );
  expect(rows.some(([, , labels]) => namesIn(labels).includes('le'))).toBe(true);
});

test('the limits name each setting that sends something over OTLP', () => {
  const pushing = Object.entries(VARIABLES).filter(([, { about }]) => about.includes('OTLP'));
  const [, limits = ''] = page.split('**Limits.**');
  const told = namesIn(limits.split('\n\n')[0]).filter((name) => name in VARIABLES);
  expect(told.sort()).toEqual(pushing.map(([name]) => name).sort());
});

test('each label is told once, with the values it can have', () => {
  const told = Object.fromEntries(rowsOf('Label | Holds').map(([name, holds]) => [namesIn(name)[0], holds]));
  expect(Object.keys(told).sort()).toEqual([...new Set(FAMILIES.flatMap(({ name }) => labelsOf(name)))].sort());
  expect(namesIn(told['capability'])).toEqual(METRIC_CAPABILITIES);
  expect(told['le']).toContain(`${LATENCY_EDGES_MS.join(', ')}, \`+Inf\``);
  expect(page).toContain(`after ${SERIES_CAP - 1}\nothers is counted under \`${OVERFLOW}\``);
  expect(page).toContain(`can be: ${SERIES_CAP} |`);
});

test('each field of the JSON form is told, and no other', () => {
  const { series, rate_limit: rateLimit, ...rest } = snapshot;
  const [record] = series;
  const fields = rowsOf('Field | Holds');
  expect(fields.flatMap(([name]) => namesIn(name))).toEqual([...Object.keys(rest), 'series', 'rate_limit']);
  expect(namesIn(fields.at(-1)?.[1])).toEqual(Object.keys(rateLimit));
  const ofRecord = rowsOf('Field of a record | Holds');
  expect(ofRecord.flatMap(([name]) => namesIn(name))).toEqual(Object.keys(record as object));
  const [, latency] = ofRecord.find(([name]) => name === '`latency`') ?? [];
  expect(namesIn(latency)).toEqual(Object.keys(record?.latency ?? {}));
});
