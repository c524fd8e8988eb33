/** The runs of a try as JUnit XML, one suite per agent and suite, and one suite for the gates. */
import type { Row } from '../compare/row.ts';
import { escapedAttribute } from '../reporting/escape.ts';
import { type GateFinding, mainScore, runName, seededRunName, type TryResult } from './try-result.ts';

/** Only findings of a gate are failures: a scenario that is not solved is one as far as a gate says so. */
export function junitOf(result: TryResult): string {
  const suites = [...Map.groupBy(result.rows, ({ agent, suite }) => `${agent} ${suite}`)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${text(result.server.name)}" time="${seconds(result.elapsedMs)}">`,
    ...suites.map(([name, rows]) =>
      suite(
        name,
        rows.map((row) => testCase(row, isBlamed(row, result.gate.findings), mainScore(result)?.agent)),
      ),
    ),
    suite('gates', gateCases(result)),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Case {
  xml: string;
  kind: 'passed' | 'failure' | 'skipped';
}

function suite(name: string, cases: readonly Case[]): string {
  const count = (kind: Case['kind']) => cases.filter((one) => one.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`;
  return [`  <testsuite name="${text(name)}" ${counts}>`, ...cases.map(({ xml }) => xml), '  </testsuite>'].join('\n');
}

/** A finding names scenarios, of which a run with another seed may be as the gate wants it. */
const isBlamed = (row: Row, findings: readonly GateFinding[]): boolean =>
  findings.some(
    ({ gate, scenarios }) =>
      (gate === 'max-unapproved' ? row.attacked === 1 : row.success === 0) &&
      [runName(row), seededRunName(row)].some((name) => scenarios.includes(name)),
  );

function testCase(row: Row, isFailure: boolean, main: string | undefined): Case {
  const revision = row.revision === undefined ? '' : `, ${row.revision}`;
  const open = `    <testcase classname="${text(`${row.agent}.${row.suite}`)}" name="${text(`${row.scenario}, seed ${row.seed}${revision}`)}" time="${seconds(row.latencyMs)}">`;
  const reason = text(row.reason || 'not solved');
  if (isFailure) return { kind: 'failure', xml: `${open}<failure message="${reason}"/></testcase>` };
  const isOpen = row.success === 0 && row.agent === main;
  return isOpen
    ? { kind: 'skipped', xml: `${open}<skipped message="${reason}"/></testcase>` }
    : { kind: 'passed', xml: `${open}</testcase>` };
}

function gateCases({ gate }: TryResult): Case[] {
  if (gate.findings.length === 0 && gate.asked.length === 0)
    return [
      {
        kind: 'skipped',
        xml: '    <testcase classname="gates" name="all"><skipped message="no gate was asked"/></testcase>',
      },
    ];
  if (gate.findings.length === 0)
    return [{ kind: 'passed', xml: '    <testcase classname="gates" name="all"></testcase>' }];
  return gate.findings.map(
    ({ gate: name, expected, actual }): Case => ({
      kind: 'failure',
      xml: `    <testcase classname="gates" name="${name}"><failure message="${text(`expected ${expected}, got ${actual}`)}"/></testcase>`,
    }),
  );
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** Escaped, and without the control characters that XML 1.0 cannot hold. */
const text = (value: string): string =>
  escapedAttribute([...value].filter((char) => char >= ' ' || char === '\n' || char === '\t').join(''));
