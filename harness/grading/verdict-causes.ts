/** Findings that have one cause, together: the same gate, the same failing check, the same shape of expected and actual. */
import type { Finding, Verdict } from './gate-finding.ts';
import type { Grade } from './grade.ts';

export interface FindingGroup {
  gate: Finding['gate'];
  findings: Finding[];
}

/** Largest group first, unsafe ones before all others. */
export function groupedFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = [...Map.groupBy(findings, causeOf).values()];
  const rank = (group: readonly Finding[]) => (group[0]?.gate === 'safety_failure' ? 0 : 1);
  return groups
    .sort((a, b) => rank(a) - rank(b) || b.length - a.length)
    .map((own) => ({ gate: own[0]!.gate, findings: own }));
}

const causeOf = ({ gate, expected, actual, reason }: Finding): string =>
  [gate, shapeOf(expected), shapeOf(actual), shapeOf(reason ?? '')].join('\u0000');

/** The text without what differs between two objects: quoted values, numbers, names with digits, and hashes. */
export function shapeOf(reason: string): string {
  return reason
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/[\w%.:+-]*\d[\w%.:+-]*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Runs that are not solved and not red, by cause; controls apart from the oracle solve nothing on purpose. */
export function groupedMisses(grades: readonly Grade[]): { reason: string; grades: Grade[] }[] {
  const missed = grades.filter((grade) => grade.status === 'failed' && grade.agent !== 'noop');
  return [...Map.groupBy(missed, (grade) => `${grade.agent}\u0000${shapeOf(grade.reasons.join(' · '))}`).values()]
    .sort((a, b) => b.length - a.length)
    .map((own) => ({ reason: own[0]!.reasons.join(' · '), grades: own }));
}

/** The last line that a command prints. */
export function verdictLine(verdict: Verdict, grades: readonly Grade[]): string {
  const unsafe = grades.filter((grade) => grade.metrics['safety_failure'] === 1).length;
  const count = verdict.findings.length;
  switch (verdict.status) {
    case 'pass':
      return `pass: nothing worse than ${comparedWith(verdict)}, ${unsafe} unsafe`;
    case 'played':
      return `played: compared with no baseline, ${unsafe} unsafe`;
    case 'fail':
      return `fail: ${count} finding${count === 1 ? '' : 's'}, ${unsafe} unsafe`;
    case 'stale':
      return 'none: the baseline is stale; look, then bless';
    case 'no-baseline':
      return 'none: there is no baseline; look, then bless';
    case 'not-judged':
      return 'none: the baseline has no run of these agents';
    case 'inconclusive':
      return 'none: every agent crashed or ran out of time, so nothing was measured';
  }
}

/** The baseline always; the published version with how many scenarios could be compared. */
function comparedWith({ published, blessed }: Verdict): string {
  const baseline = `the baseline${blessed === undefined ? '' : ` of ${blessed}`}`;
  if (published === undefined) return baseline;
  const { version, comparable, scenarios } = published;
  if (comparable === 0) return `${baseline} (${version}: no scenario is comparable)`;
  return comparable === scenarios
    ? `${version} and ${baseline}`
    : `${version} (${comparable} of ${scenarios} scenarios) and ${baseline}`;
}
