/** Dashboard and alert rules name only metrics, labels and values that the router has, and promtool accepts the rules. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../config/config.ts';
import { ERRORS } from '../errors.ts';
import { FAMILIES } from './prometheus.ts';

const read = (file: string) => readFileSync(join(packageRoot, 'docker', file), 'utf8');

interface Dashboard {
  panels: { title: string; gridPos: object; targets: { expr: string }[] }[];
}
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}

const dashboard = JSON.parse(read('grafana/dashboard.json')) as Dashboard;
const rules = (parse(read('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
const expressions = [...dashboard.panels.flatMap(({ targets }) => targets), ...rules].map(({ expr }) => expr);

/** What each family has on the wire; a histogram has three names. */
const SERIES = new Set(
  FAMILIES.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
);
const metricsIn = (text: string) => [...text.matchAll(/\bsvc_mcp_\w+/g)].map(([name]) => name);
const unknownIn = (texts: readonly string[]) => texts.flatMap(metricsIn).filter((name) => !SERIES.has(name));

test('every metric of the dashboard and the rules is one of the router', () => {
  expect(unknownIn([read('grafana/dashboard.json'), read('prometheus/alerts.yaml')])).toEqual([]);
  expect(unknownIn(['rate(svc_mcp_tool_call_total[5m])'])).toEqual(['svc_mcp_tool_call_total']);
});

test('the dashboard shows every family', () => {
  const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
  expect(FAMILIES.map(({ name }) => name).filter((name) => !shown.some((one) => one.startsWith(name)))).toEqual([]);
});

test('every label and every outcome that an expression selects by exists', () => {
  const labels = new Set(['tool', 'backend', 'outcome', 'capability', 'principal', 'to', 'le', 'instance', 'job']);
  const outcomes = new Set(['success', ...Object.values(ERRORS).map(({ outcome }) => outcome as string)]);
  for (const expr of expressions) {
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    const selected = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label);
    expect([...grouped, ...selected].filter((label) => !labels.has(label))).toEqual([]);
    for (const [, values = ''] of expr.matchAll(/outcome=~"([^"]*)"/g))
      expect(values.split('|').filter((value) => !outcomes.has(value))).toEqual([]);
  }
});

test('the page has a row for every alert', () => {
  const page = readFileSync(join(packageRoot, 'docs', 'metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(SvcMcp\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(rules.map(({ alert }) => alert));
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!promtool)(
  `promtool accepts the rules, and each fires when it should${promtool ? '' : ' (skipped: promtool is not on this machine)'}`,
  () => {
    const run = (...words: string[]) =>
      spawnSync('promtool', words, { cwd: join(packageRoot, 'docker', 'prometheus'), encoding: 'utf8' });
    const checked = run('check', 'rules', 'alerts.yaml');
    expect(checked.stdout + checked.stderr).toMatch(new RegExp(`SUCCESS: ${rules.length} rules found`));
    const tested = run('test', 'rules', 'alerts.test.yaml');
    expect(`${tested.status} ${tested.stdout}${tested.stderr}`).toMatch(/^0 /);
    const named = [...read('prometheus/alerts.test.yaml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(rules.map(({ alert }) => alert)));
  },
);
