/** The one reader of `.env`: its settings, and the lines that look like a setting of ours and set nothing. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { RouterError } from '../errors.ts';
import { VARIABLES } from './variables.ts';

export interface DotEnv {
  values: Record<string, string>;
  /** One sentence a line; never a value. */
  problems: readonly string[];
}

/** Throws CONFIG_INVALID for a text that is not UTF-8. `path` is what the message calls it. */
export function parseDotEnv(text: string, path = '.env'): DotEnv {
  const content = text.replace(/^\uFEFF/, '');
  const values = parseEnv(content) as Record<string, string>;
  const isGarbled = content.includes('\0') || Object.entries(values).flat().join('').includes('\uFFFD');
  if (isGarbled)
    throw new RouterError('CONFIG_INVALID', `${path} should be text in UTF-8, got another encoding`, {
      remedy: 'save it as UTF-8',
    });
  return { values, problems: problemsOf(content, values) };
}

/** Nothing where there is no such file. */
export function readDotEnv(path: string): DotEnv {
  try {
    return parseDotEnv(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof RouterError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { values: {}, problems: [] };
    throw new RouterError('CONFIG_INVALID', `${path} could not be read`, {
      cause: error,
      remedy: 'make it a text file that you may read, or remove it',
    });
  }
}

/** Platform files add gates and accounts to the list of variables, all with these beginnings. */
export const isOurs = (name: string): boolean =>
  Object.hasOwn(VARIABLES, name) || /^(SVC|MCP|SOURCE|TARGET)_/.test(name);

function problemsOf(content: string, values: Readonly<Record<string, string>>): string[] {
  // Lines that belong to the value of a line above, because a quote was opened there.
  const swallowed = new Set(Object.values(values).flatMap((value) => value.split('\n').slice(1)));
  return content.split(/\r\n?|\n/).flatMap((line, at) => {
    if (/^\s*#/.test(line)) return [];
    const name = line.split('=', 1)[0]?.match(/\w+/g)?.find(isOurs);
    if (name === undefined) return [];
    const other = otherThanWritten(line, values[name] ?? '');
    if (other !== undefined) return [`line ${at + 1} of .env sets ${name} to ${other}`];
    if (Object.hasOwn(values, name) && !swallowed.has(line)) return [];
    return [
      `line ${at + 1} of .env does not set ${name}: it should be ${name}=value, and no quote may stay open above it`,
    ];
  });
}

/** What a line sets in place of what it seems to; undefined where it sets that. */
function otherThanWritten(line: string, value: string): string | undefined {
  const written = line.slice(line.indexOf('=') + 1).trim();
  // A path of Windows, such as "C:\new": no setting of ours has a line break.
  if (/^"[^"]*\\n[^"]*"/.test(written) && value.includes('\n'))
    return 'a text with a line break: \\n stands for one within double quotes';
  const isCut = value !== '' && written.startsWith(`${value}#`) && /^\S/.test(written.slice(value.length + 1));
  return isCut ? 'what stands before the #: put the whole value into quotes' : undefined;
}
