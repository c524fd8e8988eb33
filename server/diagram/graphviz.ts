/** A topology in the DOT language: ranks by role, groups as clusters. */
import { linkStyle, linkText, stateColour } from './link-style.ts';
import type { Diagram, DiagramNode } from './model.ts';
import { resolveRole } from './roles.ts';

export function graphvizText({ title, nodes, links = [], groups = [] }: Diagram): string {
  const inside = (id: string) => nodes.filter(({ group }) => group === id);
  const lines = [
    'graph topology {',
    `  graph [label=${quoted(title ?? '')}, labelloc=t, fontname="Helvetica", splines=true, nodesep=0.5, ranksep=0.8];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#f8fafc", fontname="Helvetica", fontsize=11];',
    '  edge [fontname="Helvetica", fontsize=9];',
    ...nodes.filter(({ group }) => group === undefined).map((node) => `  ${nodeLine(node)}`),
    ...groups.flatMap(({ id, label }) => [
      `  subgraph ${quoted(`cluster_${id}`)} {`,
      `    label=${quoted(label ?? id)}; color="#94a3b8";`,
      ...inside(id).map((node) => `    ${nodeLine(node)}`),
      '  }',
    ]),
    ...rows(nodes),
    ...links.map((link) => {
      const { colour, dash, width } = linkStyle(link);
      const style = dash === '' ? 'solid' : link.kind === 'tunnel' ? 'dashed' : 'dotted';
      return `  ${quoted(link.from)} -- ${quoted(link.to)} [label=${quoted(linkText(link))}, color="${colour}", penwidth=${width}, style=${style}];`;
    }),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** Backslashes begin an escape in a quoted label, so they are doubled; a line break is one of these escapes. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll(/\r?\n/g, '\\n')}"`;
}

function nodeLine(node: DiagramNode): string {
  const { role, colour } = roleOf(node);
  const label = [node.label ?? node.id, node.model, node.address].filter(Boolean).join('\n');
  const line = stateColour(node.state, colour);
  return `${quoted(node.id)} [label=${quoted(label)}, color="${line}", tooltip=${quoted(role.id)}];`;
}

/** Things of one row on one rank, but only outside clusters: a rank across clusters tears them apart. */
function rows(nodes: readonly DiagramNode[]): string[] {
  const free = nodes.filter(({ group }) => group === undefined);
  const tiers = [...new Set(free.map((node) => roleOf(node).role.tier))].sort((a, b) => a - b);
  return tiers
    .map((tier) => free.filter((node) => roleOf(node).role.tier === tier))
    .filter((row) => row.length > 1)
    .map((row) => `  { rank=same; ${row.map(({ id }) => quoted(id)).join('; ')}; }`);
}

function roleOf({ role, vendor, model }: DiagramNode) {
  return resolveRole({ ...(role ? { role } : {}), ...(vendor ? { vendor } : {}), ...(model ? { model } : {}) });
}
