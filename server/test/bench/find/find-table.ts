/** Rows of words and numbers, as aligned lines for a terminal. */

export type Cell = string | number | undefined;

export function tableOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(shown))];
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const shown = (cell: Cell): string =>
  cell === undefined ? '-' : typeof cell === 'string' ? cell : String(Number(cell.toPrecision(cell < 10 ? 2 : 4)));

/** A share as per cent with one digit after the point. */
export const percent = (share: number): string => (share * 100).toFixed(1);
