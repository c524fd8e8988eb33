/** The text of `.env`, from the one list of variables: what an operator may set, what it means, what holds if it is not set. */
import { parseEnv } from 'node:util';
import type { PlatformDefinition } from './platform-file.ts';
import { isSecretName } from './secret-files.ts';
import { LAYOUT, secretFileOf } from './setup-layout.ts';
import { VARIABLES, type Variable } from './variables.ts';

/** Values by name, as they should stand in the file. Never a secret. */
export type EnvValues = Readonly<Record<string, string>>;

const HEAD = `# Settings of the router. What stands in the environment of the process wins over this file; what is commented out has its default.
# No secret belongs here: <NAME>_FILE names the file that holds one.
`;

/** A whole file: every variable with its meaning, those with a value set, the others commented out. */
export function envTemplate(platforms: readonly PlatformDefinition[], values: EnvValues = {}): string {
  const lines = [HEAD];
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    lines.push(`# ${variable.about}${takes(variable)}`);
    if (variable.secret) lines.push(line(`${name}_FILE`, LAYOUT.bearer, values), '');
    else lines.push(line(name, variable.default ?? '', values), '');
  }
  lines.push(
    '# Write gates and accounts, by platform. The credentials file holds accounts as well; a value here takes precedence.',
    '',
  );
  const written = new Set<string>();
  for (const { id, title, gate, auth } of platforms) {
    lines.push(`# ${id}: ${title}`);
    if (gate) lines.push(line(gate.variable, '0', values));
    lines.push(...accountLines(auth, values, written), '');
  }
  return withValues(`${lines.join('\n').trimEnd()}\n`, values);
}

/** A variable that platforms share is written once. */
function accountLines(auth: PlatformDefinition['auth'], values: EnvValues, written: Set<string>): string[] {
  const lines: string[] = [];
  for (const [field, variable] of [...Object.entries(auth.variables), ...Object.entries(auth.own ?? {})]) {
    if (written.has(variable)) continue;
    written.add(variable);
    if (isSecretName(variable)) lines.push(line(`${variable}_FILE`, secretFileOf(auth.section, field), values));
    else lines.push(line(variable, '', values));
  }
  return lines;
}

function takes({ kind }: Variable): string {
  if (kind.kind === 'choice') return ` (${kind.values.join(', ')})`;
  if (kind.kind === 'integer' || kind.kind === 'number') return ` (${kind.min} to ${kind.max})`;
  return '';
}

function line(name: string, shown: string, values: EnvValues): string {
  const value = values[name];
  return value === undefined ? `# ${name}=${quoted(shown)}` : `${name}=${quoted(value)}`;
}

/**
 * A file that exists, with these values: a line that sets one of the names to something else is replaced, one that is commented
 * out is put to use, the rest is added at the end. Every other line stays byte for byte, with the comment behind its value.
 */
export function withValues(text: string, values: EnvValues): string {
  const lines = text.split('\n');
  const known = parseEnv(text);
  const missing: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (known[name] === value) continue;
    const wanted = `${name}=${quoted(value)}`;
    const at = settingLine(lines, name);
    if (at === -1) missing.push(wanted);
    else lines.splice(at, linesOf(lines, at, { name, value: known[name] }), wanted);
  }
  if (missing.length === 0) return lines.join('\n');
  if (lines.at(-1) === '') lines.pop();
  return `${[...lines, ...missing].join('\n')}\n`;
}

/** How many lines a setting takes: a value in quotes may go on in further ones. */
function linesOf(
  lines: readonly string[],
  at: number,
  { name, value }: { name: string; value: string | undefined },
): number {
  const most = (value ?? '').split('\n').length;
  for (let count = 1; count < most; count++)
    if (parseEnv(lines.slice(at, at + count).join('\n'))[name] === value) return count;
  return most;
}

/** The last line that sets a name, because that is the one that holds; else the first that is commented out. */
function settingLine(lines: readonly string[], name: string): number {
  const active = new RegExp(`^\\s*(export\\s+)?${name}\\s*=`);
  const found = lines.findLastIndex((line) => active.test(line));
  if (found !== -1) return found;
  const idle = new RegExp(`^#\\s?${name}=`);
  return lines.findIndex((line) => idle.test(line));
}

function quoted(value: string): string {
  if (/^[\w.,:/@*~+%[\]-]*$/.test(value)) return value;
  // Between double quotes `\n` is a line break, also that of `C:\new`.
  const marks = value.includes('\\') ? ["'", '`'] : ['"', "'", '`'];
  const quote = marks.find((mark) => !value.includes(mark));
  if (quote === undefined || /[\r\n]/.test(value))
    throw new TypeError('a value with a line break or with too many kinds of quotation marks cannot stand in .env');
  return `${quote}${value}${quote}`;
}
