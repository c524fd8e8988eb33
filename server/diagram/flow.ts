/** A flow of steps: checked, as Mermaid text, and drawn as SVG with every step below what leads to it. */
import { RouterError } from '../errors.ts';
import { escapeMarkup } from '../markup/escape.ts';
import type { Flow } from './flow-model.ts';

type Step = Flow['steps'][number];

export function checkFlow({ steps, flows }: Flow): void {
  const wrong = (pointer: string, expected: string, got: string) =>
    new RouterError('ARGUMENTS_INVALID', `\`${pointer}\` should be ${expected}, got ${JSON.stringify(got)}`, {
      details: { pointer, expected, got },
    });
  for (const [i, { id }] of steps.entries())
    if (steps.findIndex((other) => other.id === id) < i) throw wrong(`/steps/${i}/id`, 'the only one of its name', id);
  for (const [i, flow] of flows.entries())
    for (const end of ['from', 'to'] as const)
      if (!steps.some(({ id }) => id === flow[end])) throw wrong(`/flows/${i}/${end}`, 'the id of a step', flow[end]);
}

/** Mermaid reads quoted labels with entities; ids never collide with its words, because each gets a letter in front. */
export function mermaidText({ title, steps, flows }: Flow): string {
  const text = (label: string) =>
    `"${label.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;').replaceAll(/\s+/g, ' ')}"`;
  const around = { start: ['([', '])'], end: ['([', '])'], decision: ['{', '}'], step: ['[', ']'] } as const;
  return [
    ...(title ? ['---', `title: ${JSON.stringify(title)}`, '---'] : []),
    'flowchart TD',
    ...steps.map(({ id, label, kind = 'step' }) => `  s_${id}${around[kind][0]}${text(label)}${around[kind][1]}`),
    ...flows.map(({ from, to, label }) => `  s_${from} -->${label ? `|${text(label)}|` : ''} s_${to}`),
    '',
  ].join('\n');
}

const BOX = { width: 190, height: 56, gapX: 44, gapY: 58 };

interface Drawn {
  step: Step;
  x: number;
  y: number;
}

export function flowSvg(flow: Flow): string {
  const rows = rowsOf(flow);
  const widest = Math.max(...rows.map((row) => row.length));
  const width = widest * (BOX.width + BOX.gapX) + BOX.gapX * 4;
  const height = rows.length * (BOX.height + BOX.gapY) + BOX.gapY;
  const at = new Map<string, Drawn>();
  for (const [line, row] of rows.entries())
    for (const [i, step] of row.entries()) {
      const x = width / 2 + (i - (row.length - 1) / 2) * (BOX.width + BOX.gapX);
      at.set(step.id, { step, x, y: BOX.gapY + line * (BOX.height + BOX.gapY) + BOX.height / 2 });
    }
  const title = escapeMarkup(flow.title ?? 'Flow');
  const flows = flow.flows.map(({ from, to, label }) =>
    arrow(at.get(from) as Drawn, at.get(to) as Drawn, label, width),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui,sans-serif" role="img" aria-label="${title}">` +
    `<title>${title}</title><defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#475569"/></marker></defs>` +
    `<rect width="100%" height="100%" fill="#fff"/>${flows.join('')}${[...at.values()].map(box).join('')}</svg>`
  );
}

/** Each step as far down as the longest way to it, ways back not counted. */
function rowsOf({ steps, flows }: Flow): Step[][] {
  const line = new Map<string, number>();
  const under = new Set<string>();
  const depth = (id: string): number => {
    const known = line.get(id);
    if (known !== undefined) return known;
    under.add(id);
    const before = flows.filter(
      ({ from, to }) => to === id && from !== id && !under.has(from) && !leadsTo(flows, id, from, steps),
    );
    const found = Math.max(-1, ...before.map(({ from }) => depth(from))) + 1;
    under.delete(id);
    line.set(id, found);
    return found;
  };
  const rows: Step[][] = [];
  for (const step of steps) rows[depth(step.id)] = [...(rows[depth(step.id)] ?? []), step];
  return rows.filter((row) => row !== undefined);
}

/** A flow back to a step that was named before its start does not push that step down. */
function leadsTo(flows: Flow['flows'], id: string, from: string, steps: readonly Step[]): boolean {
  const order = (wanted: string) => steps.findIndex((step) => step.id === wanted);
  if (order(from) < order(id)) return false;
  const seen = new Set([id]);
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const { to } of flows.filter((flow) => flow.from === next)) {
      if (to === from) return true;
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
    }
  return false;
}

function box({ step: { label, kind = 'step' }, x, y }: Drawn): string {
  const { width, height } = BOX;
  const [left, top] = [x - width / 2, y - height / 2];
  const shape =
    kind === 'decision'
      ? `<polygon points="${x},${top - 12} ${x + width / 2 + 12},${y} ${x},${y + height / 2 + 12} ${left - 12},${y}" fill="#fef9c3" stroke="#a16207"/>`
      : `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="${kind === 'step' ? 6 : height / 2}" fill="${kind === 'step' ? '#f1f5f9' : '#dcfce7'}" stroke="${kind === 'step' ? '#475569' : '#15803d'}"/>`;
  const lines = wrapped(label, kind === 'decision' ? 20 : 26);
  const words = lines
    .map(
      (text, i) =>
        `<text x="${x}" y="${y + 4 + (i - (lines.length - 1) / 2) * 15}" font-size="12" text-anchor="middle" fill="#1f2937">${escapeMarkup(text)}</text>`,
    )
    .join('');
  return shape + words;
}

function arrow(from: Drawn, to: Drawn, label: string | undefined, width: number): string {
  const { path, middle } = way(from, to, width);
  const text = label
    ? `<text x="${middle.x}" y="${middle.y}" font-size="11" text-anchor="middle" fill="#334155" stroke="#fff" stroke-width="4" paint-order="stroke">${escapeMarkup(label)}</text>`
    : '';
  return `<path d="${path}" fill="none" stroke="#475569" stroke-width="1.5" marker-end="url(#tip)"/>${text}`;
}

/** Into the next row straight down; over rows round the left edge, back and sideways round the right, so that it crosses no step. */
function way(from: Drawn, to: Drawn, width: number): { path: string; middle: { x: number; y: number } } {
  const over = (drawn: Drawn) => (drawn.step.kind === 'decision' ? 12 : 0);
  const rows = Math.round((to.y - from.y) / (BOX.height + BOX.gapY));
  if (rows === 1) {
    const [top, bottom] = [from.y + BOX.height / 2 + over(from), to.y - BOX.height / 2 - over(to)];
    const middle = { x: (from.x + to.x) / 2, y: (top + bottom) / 2 };
    return { path: `M${from.x} ${top}C${from.x} ${top + 30} ${to.x} ${bottom - 30} ${to.x} ${bottom}`, middle };
  }
  const side = rows > 1 ? -1 : 1;
  const [start, end] = [from, to].map((drawn) => drawn.x + side * (BOX.width / 2 + over(drawn))) as [number, number];
  const edge = side === 1 ? width - BOX.gapX : BOX.gapX;
  // A curve comes three quarters of the way to its handles.
  const handle = (start + end) / 2 + (edge - (start + end) / 2) / 0.75;
  const middle = { x: edge, y: (from.y + to.y) / 2 };
  return { path: `M${start} ${from.y}C${handle} ${from.y} ${handle} ${to.y} ${end} ${to.y}`, middle };
}

/** At most three lines; what is longer ends with an ellipsis. */
function wrapped(label: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of label.split(/\s+/).flatMap((long) => long.match(new RegExp(`.{1,${most}}`, 'gu')) ?? [])) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length <= 3 ? lines : [...lines.slice(0, 2), `${(lines[2] as string).slice(0, most - 1)}…`];
}
