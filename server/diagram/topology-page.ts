/** A topology as one HTML page: drawn with inline SVG, moved, searched and read in any browser, and asking nothing of a network. */
import { escapeMarkup, scriptJson } from '../markup/escape.ts';
import { htmlPage } from '../markup/html-page.ts';
import { CELL, type Layout, layOut, type Placed } from './diagram-layout.ts';
import { iconOf } from './icons.ts';
import { linkStyle, linkText, stateColour } from './link-style.ts';
import type { Diagram } from './model.ts';
import { BEHAVIOUR, STYLE } from './topology-page-parts.ts';

export function topologyPage(model: Diagram): string {
  const layout = layOut(model);
  const title = model.title ?? 'Topology';
  const heading = escapeMarkup(title);
  const body = `<header><h1>${heading}</h1><input id="find" type="search" placeholder="Find a node" aria-label="Find a node">
<button id="fit" type="button">Fit</button><span id="count">${model.nodes.length} nodes, ${model.links?.length ?? 0} links</span></header>
<main><svg id="map" viewBox="0 0 ${Math.ceil(layout.width)} ${Math.ceil(layout.height)}" role="img" aria-label="${heading}">
<defs>${symbols(layout)}</defs>${frames(layout)}${links(layout)}${layout.nodes.map(nodeMark).join('\n')}</svg>
<aside id="detail" aria-live="polite"><p>Choose a node to read about it.</p></aside></main>
<script type="application/json" id="model">${scriptJson(model)}</script>`;
  return htmlPage({ title, style: STYLE, body, script: BEHAVIOUR });
}

const round = (value: number) => Math.round(value * 10) / 10;

function symbols({ nodes }: Layout): string {
  const used = [...new Set(nodes.map(({ role }) => role.role.id))].sort();
  return used.map((id) => `<symbol id="i-${id}" viewBox="0 0 48 48">${iconOf(id).drawing}</symbol>`).join('');
}

function frames({ frames: all }: Layout): string {
  return all
    .map(
      ({ label, x, y, width, height }) =>
        `<g class="frame"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="8"/>` +
        `<text x="${round(x + 12)}" y="${round(y + 19)}">${escapeMarkup(label)}</text></g>`,
    )
    .join('\n');
}

function links({ links: all }: Layout): string {
  return all
    .map(({ link, from, to }) => {
      const { colour, dash, width } = linkStyle(link);
      const { path, middle } = route(from, to);
      const text = linkText(link);
      return (
        `<g class="link" data-from="${escapeMarkup(link.from)}" data-to="${escapeMarkup(link.to)}">` +
        `<path d="${path}" stroke="${colour}" stroke-width="${width}"${dash ? ` stroke-dasharray="${dash}"` : ''}/>` +
        `${text ? `<text x="${middle.x}" y="${middle.y}">${escapeMarkup(text)}</text>` : ''}</g>`
      );
    })
    .join('\n');
}

/** Room that the words under an icon take. */
const WORDS = 36;

/**
 * From below the label of the upper node to the top of the lower one. In one row, the link goes over the nodes
 * between.
 */
function route(from: Placed, to: Placed): { path: string; middle: { x: number; y: number } } {
  const half = CELL.icon / 2;
  const [upper, lower] = from.y <= to.y ? [from, to] : [to, from];
  if (from.y === to.y) return sideways(from, to);
  const [top, bottom] = [upper.y + half + WORDS, lower.y - half - 6];
  const middle = { x: round((upper.x + 2 * lower.x) / 3), y: round((top + 2 * bottom) / 3) };
  return { path: `M${round(upper.x)} ${round(top)}L${round(lower.x)} ${round(bottom)}`, middle };
}

function sideways(from: Placed, to: Placed): { path: string; middle: { x: number; y: number } } {
  const middle = round((from.x + to.x) / 2);
  const [start, end] = [`${round(from.x)} ${round(from.y)}`, `${round(to.x)} ${round(to.y)}`];
  if (Math.abs(from.x - to.x) <= CELL.width * 1.5)
    return { path: `M${start}L${end}`, middle: { x: middle, y: round(from.y - 6) } };
  const rise = CELL.height * 0.4;
  return {
    path: `M${start}Q${middle} ${round(from.y - 2 * rise)} ${end}`,
    middle: { x: middle, y: round(from.y - rise - 4) },
  };
}

function nodeMark({ node, label, role, x, y }: Placed): string {
  const colour = stateColour(node.state, role.colour);
  const half = CELL.icon / 2;
  return (
    `<g class="node" tabindex="0" data-id="${escapeMarkup(node.id)}" transform="translate(${round(x)} ${round(y)})">` +
    `<rect class="plate" x="${-half - 4}" y="${-half - 4}" width="${CELL.icon + 8}" height="${CELL.icon + 8}" rx="8"/>` +
    `<use href="#i-${role.role.id}" x="${-half}" y="${-half}" width="${CELL.icon}" height="${CELL.icon}" stroke="${colour}"/>` +
    `${node.state ? `<circle class="state" cx="${half}" cy="${-half}" r="6" fill="${colour}"/>` : ''}` +
    `<text class="name" y="${half + 17}">${escapeMarkup(shortened(label))}</text>` +
    `<text class="more" y="${half + 31}">${escapeMarkup(node.address ?? node.model ?? '')}</text>` +
    `<title>${escapeMarkup(label)}</title></g>`
  );
}

/** What fits under an icon; the whole of it is in the tooltip and the panel. */
function shortened(label: string): string {
  const most = 20;
  const letters = [...label];
  return letters.length <= most ? label : `${letters.slice(0, most - 1).join('')}…`;
}
