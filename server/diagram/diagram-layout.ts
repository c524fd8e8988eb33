/**
 * Positions of a topology. Rows go from the Internet at the top to clients at the bottom. Each group is a column. A
 * node without a group is above all columns if its row allows, otherwise in a column without a frame.
 */
import type { Diagram, DiagramLink, DiagramNode } from './model.ts';
import { type Resolved, resolveRole } from './roles.ts';

export const CELL = { width: 132, height: 134, icon: 48 };
const GAP = 36;
const FRAME = { side: 14, top: 30, bottom: 12 };

export interface Placed {
  node: DiagramNode;
  label: string;
  role: Resolved;
  /** Centre of the icon. */
  x: number;
  y: number;
}

export interface Frame {
  id: string;
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  nodes: readonly Placed[];
  links: readonly { link: DiagramLink; from: Placed; to: Placed }[];
  frames: readonly Frame[];
  width: number;
  height: number;
}

interface Column {
  id: string | undefined;
  rows: Map<number, DiagramNode[]>;
  width: number;
}

export function layOut({ nodes, links = [], groups = [] }: Diagram): Layout {
  const roles = new Map(nodes.map((node) => [node.id, roleOf(node)]));
  const tierOf = (node: DiagramNode) => (roles.get(node.id) as Resolved).role.tier;
  const grouped = nodes.filter(({ group }) => group !== undefined);
  const highest = Math.min(...grouped.map(tierOf), Number.POSITIVE_INFINITY);
  const above = nodes.filter((node) => node.group === undefined && tierOf(node) < highest);
  const beside = nodes.filter((node) => node.group === undefined && tierOf(node) >= highest);
  const columns = [
    ...groups.map(({ id }) =>
      columnOf(
        id,
        grouped.filter(({ group }) => group === id),
        tierOf,
      ),
    ),
    columnOf(undefined, beside, tierOf),
  ].filter(({ rows }) => rows.size > 0);
  const top = columnOf(undefined, above, tierOf);
  const neighbours = neighboursOf(links);
  for (const column of [top, ...columns]) settleRows(column, neighbours);
  return placed({ nodes, links, groups, roles, top, columns });
}

function roleOf({ role, vendor, model }: DiagramNode): Resolved {
  return resolveRole({ ...(role ? { role } : {}), ...(vendor ? { vendor } : {}), ...(model ? { model } : {}) });
}

function columnOf(
  id: string | undefined,
  nodes: readonly DiagramNode[],
  tierOf: (node: DiagramNode) => number,
): Column {
  const rows = new Map<number, DiagramNode[]>();
  for (const node of nodes) rows.set(tierOf(node), [...(rows.get(tierOf(node)) ?? []), node]);
  const widest = Math.max(0, ...[...rows.values()].map((row) => row.length));
  return { id, rows, width: widest * CELL.width };
}

function neighboursOf(links: readonly DiagramLink[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const join = (one: string, other: string) => found.set(one, [...(found.get(one) ?? []), other]);
  for (const { from, to } of links) {
    join(from, to);
    join(to, from);
  }
  return found;
}

/** Twice from the top and back: each row in the order of what its nodes hang on in the row before it. */
function settleRows({ rows }: Column, neighbours: ReadonlyMap<string, readonly string[]>): void {
  const tiers = [...rows.keys()].sort((a, b) => a - b);
  for (const order of [tiers, tiers.toReversed(), tiers])
    for (const [i, tier] of order.entries()) {
      const before = i === 0 ? undefined : rows.get(order[i - 1] as number);
      const row = rows.get(tier);
      if (before === undefined || row === undefined) continue;
      const place = new Map(before.map(({ id }, at) => [id, at]));
      const preferredOrder = ({ id }: DiagramNode, at: number) => {
        const known = (neighbours.get(id) ?? []).map((other) => place.get(other)).filter((x) => x !== undefined);
        return known.length > 0 ? known.reduce((sum, x) => sum + x, 0) / known.length : at;
      };
      const preferred = new Map(row.map((node, at) => [node.id, preferredOrder(node, at)]));
      row.sort((a, b) => (preferred.get(a.id) as number) - (preferred.get(b.id) as number));
    }
}

interface Parts {
  nodes: readonly DiagramNode[];
  links: readonly DiagramLink[];
  groups: NonNullable<Diagram['groups']>;
  roles: ReadonlyMap<string, Resolved>;
  top: Column;
  columns: readonly Column[];
}

function placed({ nodes, links, groups, roles, top, columns }: Parts): Layout {
  const at = new Map<string, Placed>();
  const put = (column: Column, left: number, width: number, lineOf: ReadonlyMap<number, number>) => {
    for (const [tier, row] of column.rows)
      for (const [i, node] of row.entries()) {
        const x = left + width / 2 + (i - (row.length - 1) / 2) * CELL.width;
        at.set(node.id, {
          node,
          label: node.label ?? node.id,
          role: roles.get(node.id) as Resolved,
          x,
          y: lineOf.get(tier) as number,
        });
      }
  };
  const widths = columns.map(({ width }) => width + 2 * FRAME.side);
  const inner = Math.max(
    top.width,
    widths.reduce((sum, width) => sum + width + GAP, -GAP),
  );
  const topLines = linesOf([top], GAP + CELL.icon / 2);
  put(top, GAP, inner, topLines);
  const from = GAP + topLines.size * CELL.height + (columns.length > 0 ? FRAME.top : 0);
  const lines = linesOf(columns, from + CELL.icon / 2);
  const frames: Frame[] = [];
  let left = GAP + Math.max(0, inner - widths.reduce((sum, width) => sum + width + GAP, -GAP)) / 2;
  for (const [i, column] of columns.entries()) {
    const width = widths[i] as number;
    put(column, left, width, lines);
    const group = groups.find(({ id }) => id === column.id);
    if (group) {
      const ys = [...column.rows.keys()].map((tier) => lines.get(tier) as number);
      const y = Math.min(...ys) - CELL.icon / 2 - FRAME.top;
      const height = Math.max(...ys) + CELL.height - CELL.icon / 2 + FRAME.bottom - FRAME.top - y;
      frames.push({ id: group.id, label: group.label ?? group.id, x: left, y, width, height });
    }
    left += width + GAP;
  }
  return {
    nodes: nodes.map(({ id }) => at.get(id) as Placed),
    links: links.map((link) => ({ link, from: at.get(link.from) as Placed, to: at.get(link.to) as Placed })),
    frames,
    width: inner + 2 * GAP,
    height: from + lines.size * CELL.height + GAP,
  };
}

/** The rows that are in use, by tier: an empty row takes no room. */
function linesOf(columns: readonly Column[], first: number): Map<number, number> {
  const tiers = [...new Set(columns.flatMap(({ rows }) => [...rows.keys()]))].sort((a, b) => a - b);
  return new Map(tiers.map((tier, i) => [tier, first + i * CELL.height]));
}
