/** Columns of text, lined up: the first ones to the left, numbers to the right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[], leftColumns = 1): string[] {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i < leftColumns ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((width) => '─'.repeat(width)).join('──'), ...rows.map(line)];
}
