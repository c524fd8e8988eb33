/** Comma-separated tables (RFC 4180) with a line of column names, read and written. */
import { RouterError } from '../errors.ts';

export type Row = Readonly<Record<string, string>>;

const MOST_ROWS = 10_000;

/**
 * Rows by column name, blanks around values taken off; USAGE with the line where the table is none. In the columns of `exact`
 * blanks count: they stay within quotes, and are refused outside of them, where nobody can tell whether they are meant.
 */
export function readTable(
  text: string,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
  exact: readonly string[] = [],
): Row[] {
  const [names = [], ...records] = recordsOf(text.replace(/^\uFEFF/, ''), what);
  const columns = names.map(({ text }) => text.trim());
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0 && columns.length === 1 && columns[0]?.includes(';'))
    throw wrong(what, 'parts its values by semicolons: save it with commas');
  if (missing.length > 0) throw wrong(what, `lacks the column ${missing.join(', ')}`);
  const unknown = columns.filter((name) => !required.includes(name) && !optional.includes(name));
  if (unknown.length > 0) throw wrong(what, `has an unknown column: ${JSON.stringify(unknown[0]?.slice(0, 40))}`);
  if (new Set(columns).size !== columns.length) throw wrong(what, 'names a column twice');
  if (records.length > MOST_ROWS) throw wrong(what, `has ${records.length} rows, at most ${MOST_ROWS} are read`);
  return records.map((values, index) => {
    if (values.length !== columns.length)
      throw wrong(what, `has ${values.length} values in row ${index + 1}, and ${columns.length} columns`);
    const read = (name: string, value: Value) => (exact.includes(name) ? exactText(value) : value.text.trim());
    return Object.fromEntries(
      columns.map((name, at) => {
        const text = read(name, values[at] as Value);
        if (text !== undefined) return [name, text];
        throw wrong(
          what,
          `has blanks around the ${name} in row ${index + 1}: put all of it into quotes, or take them off`,
        );
      }),
    );
  });
}

interface Value {
  /** As it stands in the line, without its quotes. */
  text: string;
  /** Of a value in quotes: what stands between them. */
  quoted?: string;
}

/** Undefined where blanks stand around it, or something else stands beside its quotes. */
function exactText({ text, quoted }: Value): string | undefined {
  if (quoted !== undefined) return text.trimEnd() === quoted.trimEnd() ? quoted : undefined;
  return text === text.trim() ? text : undefined;
}

function recordsOf(text: string, what: string): Value[][] {
  const records: Value[][] = [];
  let record: Value[] = [];
  let value: Value = { text: '' };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '"' && value.text.trim() === '') {
      const { value: quoted, end } = quotedFrom(text, at + 1, what);
      value = { text: quoted, quoted };
      at = end;
    } else if (sign === ',') {
      record.push(value);
      value = { text: '' };
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++;
      records.push([...record, value]);
      record = [];
      value = { text: '' };
    } else value.text += sign;
  }
  records.push([...record, value]);
  return records.filter((values) => values.some((one) => one.text.trim() !== ''));
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
