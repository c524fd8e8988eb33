/** A topology as a draw.io file: uncompressed XML, icons inside, groups as containers. */
import { escapeMarkup } from '../markup/escape.ts';
import { CELL, type Frame, layOut, type Placed } from './diagram-layout.ts';
import { iconOf, iconSvg } from './icons.ts';
import { linkStyle, linkText, stateColour } from './link-style.ts';
import type { Diagram, DiagramLink } from './model.ts';

export function drawioFile(model: Diagram): string {
  const { nodes, links, frames, width, height } = layOut(model);
  const frameOf = new Map(frames.map((frame) => [frame.id, frame]));
  const cells = [
    '<mxCell id="0"/><mxCell id="1" parent="0"/>',
    ...frames.map(frameCell),
    ...nodes.map((node) => nodeCell(node, node.node.group === undefined ? undefined : frameOf.get(node.node.group))),
    ...links.map(({ link }, i) => linkCell(link, i)),
  ];
  const title = escapeMarkup(model.title ?? 'Topology');
  return (
    `<mxfile host="svc-mcp"><diagram id="topology" name="${title}">` +
    `<mxGraphModel grid="1" gridSize="10" page="1" pageWidth="${Math.ceil(width)}" pageHeight="${Math.ceil(height)}"><root>` +
    `${cells.join('\n')}</root></mxGraphModel></diagram></mxfile>`
  );
}

/** Ids of a model may equal the root's, or each other across kinds. */
const idOf = (kind: 'n' | 'g', id: string) => `${kind}:${escapeMarkup(id)}`;
const styled = (...parts: string[]) => `${parts.join(';')};`;
const round = (value: number) => Math.round(value * 10) / 10;

function frameCell({ id, label, x, y, width, height }: Frame): string {
  const style = styled(
    'rounded=1',
    'arcSize=3',
    'container=1',
    'collapsible=0',
    'verticalAlign=top',
    'fillColor=#f8fafc',
    'strokeColor=#94a3b8',
    'fontStyle=1',
    'spacingTop=4',
  );
  return vertex(idOf('g', id), label, style, '1', [x, y, width, height]);
}

function nodeCell({ node, label, role, x, y }: Placed, frame: Frame | undefined): string {
  const colour = stateColour(node.state, role.colour);
  // A style separates its parts by semicolons, so the usual ";base64" of a data address cannot stand in it.
  const image = `data:image/svg+xml,${Buffer.from(iconSvg(iconOf(role.role.id), colour)).toString('base64')}`;
  const style = styled(
    'shape=image',
    'aspect=fixed',
    'verticalLabelPosition=bottom',
    'verticalAlign=top',
    'whiteSpace=wrap',
    `fontColor=${colour}`,
    `image=${image}`,
  );
  const half = CELL.icon / 2;
  const parent = frame === undefined ? '1' : idOf('g', frame.id);
  const { x: left, y: top } = frame ?? { x: 0, y: 0 };
  const lines = [label, node.model, node.address].filter(Boolean).join('\n');
  return vertex(idOf('n', node.id), lines, style, parent, [x - half - left, y - half - top, CELL.icon, CELL.icon]);
}

function vertex(
  id: string,
  label: string,
  style: string,
  parent: string,
  [x, y, width, height]: readonly [number, number, number, number],
): string {
  return (
    `<mxCell id="${id}" value="${escapeMarkup(label).replaceAll('\n', '&#10;')}" style="${style}" vertex="1" parent="${parent}">` +
    `<mxGeometry x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" as="geometry"/></mxCell>`
  );
}

function linkCell(link: DiagramLink, index: number): string {
  const { colour, dash, width } = linkStyle(link);
  const style = styled(
    'endArrow=none',
    'html=0',
    `strokeColor=${colour}`,
    `strokeWidth=${width}`,
    'fontSize=10',
    ...(dash ? ['dashed=1', `dashPattern=${dash}`] : []),
  );
  return (
    `<mxCell id="l:${index}" value="${escapeMarkup(linkText(link))}" style="${style}" edge="1" parent="1" source="${idOf('n', link.from)}" target="${idOf('n', link.to)}">` +
    '<mxGeometry relative="1" as="geometry"/></mxCell>'
  );
}
