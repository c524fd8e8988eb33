/** Comma-separated tables (RFC 4180) with a line of column names, read and written. */
import { RouterError } from '../errors.ts';

export type Row = Readonly<Record<string, string>>;

const MOST_ROWS = 10_000;

/** Rows by column name, blanks around values taken off; USAGE with the line where the table is none. */
export function readTable(
  text: string,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Row[] {
  const [names = [], ...records] = recordsOf(text.replace(/^\uFEFF/, ''), what);
  const columns = names.map((name) => name.trim());
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw wrong(what, `lacks the column ${missing.join(', ')}`);
  const unknown = columns.filter((name) => !required.includes(name) && !optional.includes(name));
  if (unknown.length > 0) throw wrong(what, `has an unknown column: ${JSON.stringify(unknown[0]?.slice(0, 40))}`);
  if (new Set(columns).size !== columns.length) throw wrong(what, 'names a column twice');
  if (records.length > MOST_ROWS) throw wrong(what, `has ${records.length} rows, at most ${MOST_ROWS} are read`);
  return records.map((values, index) => {
    if (values.length !== columns.length)
      throw wrong(what, `has ${values.length} values in row ${index + 1}, and ${columns.length} columns`);
    return Object.fromEntries(columns.map((name, at) => [name, (values[at] as string).trim()]));
  });
}

function recordsOf(text: string, what: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let value = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '"' && value.trim() === '') {
      ({ value, end: at } = quotedFrom(text, at + 1, what));
    } else if (sign === ',') {
      record.push(value);
      value = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++;
      records.push([...record, value]);
      record = [];
      value = '';
    } else value += sign;
  }
  records.push([...record, value]);
  return records.filter((values) => values.some((one) => one.trim() !== ''));
}

/** A value behind its first quote, and where the last one is. */
function quotedFrom(text: string, from: number, what: string): { value: string; end: number } {
  let value = '';
  for (let at = from; at < text.length; at++) {
    if (text[at] !== '"') value += text[at];
    else if (text[at + 1] === '"') value += text[++at];
    else return { value, end: at };
  }
  throw wrong(what, 'ends within a quoted value');
}

const wrong = (what: string, why: string) => new RouterError('USAGE', `${what} ${why}`);

/** A value that a spreadsheet would take for a formula is written with a quote before it. */
export function writeTable(columns: readonly string[], rows: readonly Row[]): string {
  const cell = (value: string) => {
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    .map((values) => `${values.map(cell).join(',')}\r\n`)
    .join('');
}
