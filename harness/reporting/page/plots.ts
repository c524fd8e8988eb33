/** The report's plots, drawn to SVG text in Node. Colours are CSS variables, so one drawing serves light and dark. */
import { createHash } from 'node:crypto';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { agentsShown } from '../../grading/control-agents.ts';
import { contestantOf, type Report, solvedText } from '../run-report.ts';

export interface Plot {
  title: string;
  /** What to see, and how to read it. */
  caption: string;
  svg: string;
  /** The same numbers beside the drawing. */
  table: { header: string[]; rows: string[][] };
}

const FONT = 'system-ui, sans-serif';
const AXIS = {
  labelColor: 'var(--muted)',
  titleColor: 'var(--muted)',
  gridColor: 'var(--line)',
  domainColor: 'var(--line)',
  tickColor: 'var(--line)',
  labelFont: FONT,
  titleFont: FONT,
  titleFontWeight: 'normal' as const,
  labelLimit: 320,
  labelFontSize: 12,
  titleFontSize: 12,
};
const COLOURS: Record<string, string> = {
  retrieval: 'var(--series-1)',
  oracle: 'var(--series-2)',
  noop: 'var(--series-3)',
};

export async function drawPlots(report: Report): Promise<Plot[]> {
  const plots = [await successPlot(report), await tokenPlot(report), await callPlot(report), await latencyPlot(report)];
  return plots.filter((plot) => plot !== undefined);
}

async function successPlot(report: Report): Promise<Plot | undefined> {
  const agents = agentsShown(report.meta.agents);
  const own = report.suites.filter((row) => agents.includes(row.agent));
  const rows = own.map((row) => ({
    suite: row.suite,
    agent: row.agent,
    solved: row.passed / Math.max(1, row.runs),
    low: row.solvedInterval?.[0] ?? row.passed / Math.max(1, row.runs),
    high: row.solvedInterval?.[1] ?? row.passed / Math.max(1, row.runs),
    text: solvedText(row),
  }));
  if (rows.length === 0) return undefined;
  const svg = await draw({
    data: { values: rows },
    width: 360,
    height: { step: 13 },
    encoding: {
      y: {
        field: 'suite',
        type: 'nominal',
        title: null,
        sort: suiteOrder(rows.map((row) => row.suite)),
        axis: { labelPadding: 6, labelLimit: 320 },
      },
      yOffset: { field: 'agent', sort: agents },
    },
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 2 },
        encoding: {
          x: {
            field: 'solved',
            type: 'quantitative',
            title: 'share solved',
            scale: { domain: [0, 1] },
            axis: { format: '%', tickCount: 5 },
          },
          color: colourBy(agents),
        },
      },
      {
        mark: { type: 'rule', color: 'var(--ink)', opacity: 0.55 },
        encoding: { x: { field: 'low', type: 'quantitative' }, x2: { field: 'high' } },
      },
    ],
  });
  return {
    title: 'Solved, by suite and agent',
    caption:
      'Controls are not drawn: their table says whether they held. Lines are 95 % intervals, scenarios drawn anew.',
    svg,
    table: {
      header: ['suite', ...agents],
      rows: suiteOrder(rows.map((row) => row.suite)).map((suite) => [
        suite,
        ...agents.map((agent) => rows.find((row) => row.suite === suite && row.agent === agent)?.text ?? '–'),
      ]),
    },
  };
}

async function tokenPlot(report: Report): Promise<Plot | undefined> {
  return dotPlot(report, 'token_usage', {
    title: 'Tokens per scenario',
    axis: 'tokens (o200k_base)',
    caption:
      'Instructions and tool definitions once, the intent, and every call and result once. Lower is better; the gate allows 10 % more than the baseline.',
    digits: 0,
  });
}

async function callPlot(report: Report): Promise<Plot | undefined> {
  return dotPlot(report, 'api_call_count', {
    title: 'Platform calls per scenario',
    axis: 'calls, counted by the fake',
    caption: 'Token calls and polling are not counted. The gate allows no more than the baseline.',
    digits: 1,
  });
}

async function latencyPlot(report: Report): Promise<Plot | undefined> {
  return dotPlot(report, 'latency_ms', {
    title: 'Wall clock per scenario',
    axis: 'milliseconds from intent to answer',
    caption: "The agent's own process start is included. Shown, never judged: this machine did other things too.",
    digits: 0,
  });
}

interface DotText {
  title: string;
  axis: string;
  caption: string;
  digits: number;
}

/** One dot per run and agent that works; noop has nothing to show. */
async function dotPlot(report: Report, field: string, text: DotText): Promise<Plot | undefined> {
  const agents = agentsShown(report.meta.agents).filter((agent) => agent !== 'noop');
  const rows = report.grades
    .filter((grade) => agents.includes(grade.agent) && typeof grade.metrics[field] === 'number')
    .map((grade) => ({
      scenario: grade.scenario,
      agent: grade.agent,
      transport: grade.transport,
      value: grade.metrics[field] as number,
    }));
  if (rows.length === 0) return undefined;
  const scenarios = [...new Set(rows.map((row) => row.scenario))].sort();
  const svg = await draw({
    data: { values: rows },
    width: 300,
    height: { step: 27 },
    mark: { type: 'point', filled: true, size: 55, opacity: 0.85 },
    encoding: {
      y: { field: 'scenario', type: 'nominal', title: null, sort: scenarios, axis: { grid: true, labelLimit: 320 } },
      x: { field: 'value', type: 'quantitative', title: text.axis, scale: { zero: true }, axis: { tickCount: 5 } },
      color: colourBy(agents),
      shape: { field: 'transport', type: 'nominal', legend: { title: null } },
    },
  });
  const shown = contestantOf(report);
  const at = (scenario: string, transport: string) => {
    const values = rows
      .filter((row) => row.scenario === scenario && row.agent === shown && row.transport === transport)
      .map((row) => row.value);
    return values.length === 0 ? '–' : (values.reduce((a, b) => a + b, 0) / values.length).toFixed(text.digits);
  };
  return {
    title: text.title,
    caption: `${text.caption} The table shows ${shown}.`,
    svg,
    table: {
      header: ['scenario', ...report.meta.transports],
      rows: scenarios.map((scenario) => [
        scenario,
        ...report.meta.transports.map((transport) => at(scenario, transport)),
      ]),
    },
  };
}

function colourBy(agents: readonly string[]) {
  const range = agents.map((agent, i) => COLOURS[agent] ?? `var(--series-${(i % 5) + 1})`);
  return { field: 'agent', type: 'nominal' as const, scale: { domain: [...agents], range }, legend: { title: null } };
}

const suiteOrder = (suites: string[]): string[] =>
  [...new Set(suites)].sort((a, b) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1));

/** A plot as SVG text; colours are the page's variables. */
export async function draw(spec: object): Promise<string> {
  const full = {
    ...spec,
    background: 'transparent',
    config: {
      font: FONT,
      axis: AXIS,
      view: { stroke: null },
      legend: {
        labelColor: 'var(--ink)',
        labelFont: FONT,
        labelFontSize: 12,
        orient: 'top',
        symbolStrokeWidth: 0,
        symbolFillColor: 'var(--muted)',
      },
    },
  } as TopLevelSpec;
  vega.resetSVGDefIds(); // the same report gives the same bytes
  const view = new vega.View(vega.parse(compile(full).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  // Fixed width and height would not shrink on a phone; the view box is enough.
  return withOwnIds(svg).replace(
    /<svg([^>]*?) width="([\d.]+)" height="[\d.]+"/,
    '<svg$1 style="max-width:$2px;width:100%;height:auto"',
  );
}

/** Every drawing counts its clips from 1: on one page each would be cut by those of the drawings before it. */
function withOwnIds(svg: string): string {
  const own = createHash('sha256').update(svg).digest('hex').slice(0, 8);
  return svg.replaceAll(/(id="|url\(#)(?=\w)/g, `$1d${own}-`);
}
