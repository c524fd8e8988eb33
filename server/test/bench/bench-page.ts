/** The look that all bench pages share: plots as SVG in colours that follow light and dark, and numbers beside them. */
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { htmlPage } from '../../markup/html-page.ts';

export const QUIET = {
  labelColor: 'var(--muted)',
  titleColor: 'var(--muted)',
  gridColor: 'var(--line)',
  domainColor: 'var(--line)',
  tickColor: 'var(--line)',
};
export const COLOURS = [
  'var(--series-1)',
  'var(--series-2)',
  'var(--series-3)',
  'var(--series-4)',
  'var(--series-5)',
  'var(--series-6)',
  'var(--series-7)',
];

export async function draw(spec: TopLevelSpec): Promise<string> {
  const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });
  return view.toSVG();
}

export const shown = (value: number | undefined) =>
  value === undefined ? 'not measured' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export function pageOf(title: string, lead: string, figures: readonly string[]): string {
  const body = `<main>
<h1>${title}</h1><p>${lead}</p>
${figures.join('\n')}
</main>`;
  return htmlPage({ title, style: STYLE, body });
}

const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf8; --card: #fff; --ink: #1d2126; --muted: #626b76; --line: #e2e0da;
  --series-1: #3b6fd4; --series-2: #2f9e6e; --series-3: #c4701f; --series-4: #8a57c2; --series-5: #b8862b; --series-6: #c2476b; --series-7: #5b6b7b; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --card: #1c2026; --ink: #e8eaed; --muted: #9aa4b0; --line: #30363e;
  --series-1: #7aa5ff; --series-2: #5fcf9e; --series-3: #e79a52; --series-4: #b78cf0; --series-5: #e0b860; --series-6: #f08aa8; --series-7: #9fb0c0; } }
* { box-sizing: border-box; } body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; } h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.05rem; margin: 0; }
p { color: var(--muted); margin: 0 0 12px; } code { font-size: .9em; } svg { max-width: 100%; height: auto; }
figure { margin: 0 0 16px; padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  display: grid; gap: 20px; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } figcaption { grid-column: 1 / -1; }
.wide { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
@media (max-width: 760px) { figure, .wide { grid-template-columns: minmax(0, 1fr); } }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; align-self: start; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); } th { color: var(--muted); font-weight: 500; }
.n { text-align: right; }
`;
