/** Scenario by agent: how each ended, with a link to a run that shows it. Transports that end alike share one entry. */
import type { Grade } from '../../grading/grade.ts';
import { isPassOrFail, type Report } from '../run-report.ts';

/** One link: `✗` where all runs ended so, `✗ stdio` for one transport, `✗ 2/5` for some of several seeds. */
export interface MatrixMark {
  anchor: string;
  tone: string;
  text: string;
  /** For who does not see the mark. */
  title: string;
}

export interface MatrixSuite {
  suite: string;
  /** `retrieval 3 of 7`, one for each agent. */
  solved: string[];
  rows: { scenario: string; cells: MatrixMark[][] }[];
}

export interface MarkedRun {
  grade: Grade;
  anchor: string;
  tone: string;
  mark: string;
}

export function scenarioMatrix(report: Report, runs: readonly MarkedRun[]): MatrixSuite[] {
  const { agents } = report.meta;
  const suites = [...Map.groupBy(runs, ({ grade }) => grade.suite)].sort(([a], [b]) => (a < b ? -1 : 1));
  return suites.map(([suite, own]) => {
    const scenarios = [...Map.groupBy(own, ({ grade }) => grade.scenario)].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      suite,
      solved: agents.map((agent) => solvedOf(agent, own)),
      rows: scenarios.map(([scenario, played]) => ({
        scenario,
        cells: agents.map((agent) => marksOf(played.filter(({ grade }) => grade.agent === agent))),
      })),
    };
  });
}

function solvedOf(agent: string, runs: readonly MarkedRun[]): string {
  const own = runs.filter(({ grade }) => grade.agent === agent && isPassOrFail(grade));
  return `${agent} ${own.filter(({ grade }) => grade.status === 'passed').length} of ${own.length}`;
}

function marksOf(runs: readonly MarkedRun[]): MatrixMark[] {
  const transports = new Set(runs.map(({ grade }) => grade.transport));
  return [...Map.groupBy(runs, ({ mark }) => mark).values()].map((alike): MatrixMark => {
    const { anchor, tone, mark, grade } = alike[0] as MarkedRun;
    const over = new Set(alike.map(({ grade: one }) => one.transport));
    const where = over.size < transports.size ? ` ${[...over].join(' ')}` : '';
    const share = where === '' && alike.length < runs.length ? ` ${alike.length}/${runs.length}` : '';
    const title = `${grade.scenario}, ${grade.agent}${where}: ${grade.status}`;
    return { anchor, tone, text: `${mark}${where}${share}`, title };
  });
}
