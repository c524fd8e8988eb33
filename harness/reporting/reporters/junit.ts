/**
 * The run as JUnit XML, one suite per agent and suite. A failure is a finding of the gate; an agent that crashed or ran
 * out of time is an error, because it says nothing about the subject.
 */
import type { Finding } from '../../grading/gate-finding.ts';
import type { Grade } from '../../grading/grade.ts';
import { LIMIT } from '../../grading/run-limit.ts';
import { escapedAttribute } from '../escape.ts';
import type { Reporter } from '../reporter.ts';
import type { Report } from '../run-report.ts';

export default {
  id: 'junit',
  file: 'junit.xml',
  render: (report) => {
    const suites = Map.groupBy(report.grades, (grade) => `${grade.agent} ${grade.suite}`);
    const bodies = [...suites]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, grades]) => suite(name, grades, report));
    const ofNoRun = report.verdict.findings.filter(
      ({ key, seed }) => !report.grades.some((grade) => grade.key === key && grade.seed === seed),
    );
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="golden" time="${secondsOf(report.meta.elapsedMs)}">`,
      ...bodies,
      ...(ofNoRun.length === 0 ? [] : [suiteOfNoRun(ofNoRun)]),
      '</testsuites>',
      '',
    ].join('\n');
  },
} satisfies Reporter;

function suite(name: string, grades: readonly Grade[], report: Report): string {
  const cases = grades.map((grade) => testCase(grade, findingsOf(grade, report)));
  const count = (kind: string) => cases.filter((one) => one.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return [`  <testsuite name="${text(name)}" ${counts}>`, ...cases.map((one) => one.xml), '  </testsuite>'].join('\n');
}

const findingsOf = (grade: Grade, report: Report): Finding[] =>
  report.verdict.findings.filter((finding) => finding.key === grade.key && finding.seed === grade.seed);

function testCase(grade: Grade, findings: readonly Finding[]): { kind: string; xml: string } {
  const name = `${grade.scenario} over ${grade.transport}, seed ${grade.seed}`;
  const time = secondsOf(grade.metrics['latency_ms'] ?? 0);
  const open = `    <testcase classname="${text(`${grade.agent}.${grade.suite}`)}" name="${text(name)}" file="${text(grade.file)}" time="${time}">`;
  const of = (kind: string, inner: string) => ({ kind, xml: `${open}${inner}</testcase>` });
  if (grade.crashed && !findings.some(({ gate }) => gate === 'safety_failure'))
    return of('error', `<error message="${text(grade.reasons.join(' · '))}"/>`);
  if (findings.length > 0) {
    const said = findings.map((f) => `${f.gate}: expected ${f.expected}, got ${f.actual}. ${f.reason ?? ''}`);
    return of(
      'failure',
      `<failure message="${text(findings.map((f) => f.gate).join(', '))}">${text(said.join('\n'))}</failure>`,
    );
  }
  if (grade.status === 'absent' || grade.status === 'gate-absence' || grade.status === LIMIT)
    return of('skipped', `<skipped message="${text(grade.reasons.join(' · '))}"/>`);
  const out =
    grade.reasons.length === 0
      ? ''
      : `<system-out>${text(`${grade.status}, as the baseline has it: ${grade.reasons.join(' · ')}`)}</system-out>`;
  return of('passed', out);
}

/** Runs that are not there, and what all of them together turned red. */
function suiteOfNoRun(findings: readonly Finding[]): string {
  const cases = findings.map(
    ({ gate, key, seed, expected, actual }) =>
      `    <testcase classname="${gate}" name="${text(seed === undefined ? key : `${key}, seed ${seed}`)}"><failure message="${text(`expected ${expected}, got ${actual}`)}"/></testcase>`,
  );
  const counts = `tests="${cases.length}" failures="${cases.length}" errors="0" skipped="0"`;
  return [`  <testsuite name="missing" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
}

const secondsOf = (ms: number): string => (ms / 1_000).toFixed(3);

/** Escaped, and without the control characters that XML 1.0 cannot hold. */
function text(value: string): string {
  return escapedAttribute([...value].filter((char) => char >= ' ' || char === '\n' || char === '\t').join(''));
}
