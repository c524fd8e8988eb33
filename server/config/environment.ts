/** Reads single variables: process environment first, then `.env`, then a secret file, then the default; precise about what it expected. */
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { type DotEnv, readDotEnv } from './dot-env.ts';
import { settingPath } from './home-folder.ts';
import { readSecretFiles, secretFilesIn } from './secret-files.ts';
import { VARIABLES, type Variable, type VariableName } from './variables.ts';

export type RawEnvironment = Record<string, string | undefined>;

export class Environment {
  readonly #values: RawEnvironment;
  readonly cwd: string;
  /** Names that end in _FILE and bring no secret. */
  readonly ignoredFiles: readonly string[];
  /** Lines of `.env` that look like a setting and set nothing. */
  readonly dotEnvProblems: readonly string[];

  /** Without `secretFiles` the names of secret files stay names: for whoever looks at settings and uses none. */
  constructor(processEnvironment: RawEnvironment, cwd: string, { secretFiles = true } = {}) {
    this.cwd = cwd;
    // A switch inside the file that it switches off would contradict itself, so only the process environment counts.
    const read: DotEnv = readsDotEnv(processEnvironment) ? readDotEnv(join(cwd, '.env')) : { values: {}, problems: [] };
    const { SVC_MCP_DOTENV: _, ...dotEnv } = read.values;
    this.dotEnvProblems = read.problems;
    const values: RawEnvironment = { ...dotEnv, ...processEnvironment };
    this.#values = secretFiles ? { ...values, ...readSecretFiles(values, cwd) } : values;
    this.ignoredFiles = secretFilesIn(values, cwd).ignored;
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  /** The variables that are set, by name: for rules over names. */
  values(): Readonly<RawEnvironment> {
    return this.#values;
  }

  /** The text an operator set; an empty value counts as not set. */
  set(name: string): string | undefined {
    const value = this.#values[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** True when the variable exists with nothing in it, which for a secret is a mistake worth refusing. */
  isEmpty(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name].trim() === '';
  }

  #textOf(name: VariableName): string | undefined {
    return this.set(name) ?? (VARIABLES[name] as Variable).default;
  }

  choice<T extends string>(name: VariableName): T {
    const { kind } = VARIABLES[name] as Variable;
    const value = this.#textOf(name);
    if (kind.kind !== 'choice' || value === undefined) throw new TypeError(`${name} is not a choice`);
    if (!kind.values.includes(value)) throw invalid(name, `one of ${kind.values.join(', ')}`, value);
    return value as T;
  }

  text(name: VariableName): string {
    const value = this.#textOf(name);
    if (value === undefined) throw new TypeError(`${name} has no default`);
    return value;
  }

  flag(name: VariableName): boolean {
    return parseFlag(name, this.#textOf(name) ?? '0');
  }

  /** A path, or a flag: off is undefined, on is the fallback. */
  pathOrFlag(name: VariableName, fallback: string): string | undefined {
    const text = this.#textOf(name) ?? '0';
    const flag = flagOf(text);
    if (flag === undefined) return this.path(name);
    return flag ? fallback : undefined;
  }

  /** A flag that was set by hand, or undefined. Gate variables come from platform files, so any name goes. */
  explicitFlag(name: string): boolean | undefined {
    const value = this.set(name);
    return value === undefined ? undefined : parseFlag(name, value);
  }

  number(name: VariableName): number {
    const { kind } = VARIABLES[name] as Variable;
    const text = this.#textOf(name) ?? '';
    if (kind.kind !== 'integer' && kind.kind !== 'number') throw new TypeError(`${name} is not a number`);
    const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const fits = value >= kind.min && value <= kind.max && (kind.kind === 'number' || Number.isInteger(value));
    if (!fits)
      throw invalid(name, `a${kind.kind === 'integer' ? ' whole' : ''} number from ${kind.min} to ${kind.max}`, text);
    return value;
  }

  list(name: VariableName): string[] {
    const { kind } = VARIABLES[name] as Variable;
    const text = this.#textOf(name) ?? '';
    return kind.kind === 'list' && kind.none ? platformList(text) : listOf(text);
  }

  /** Reads a variable by its kind, so that a value of another form is refused. */
  check(name: VariableName): void {
    const { kind } = VARIABLES[name] as Variable;
    if (kind.kind === 'choice') this.choice(name);
    if (kind.kind === 'flag') this.flag(name);
    if (kind.kind === 'integer' || kind.kind === 'number') this.number(name);
  }

  path(name: VariableName, fallback?: string): string {
    const text = this.#textOf(name) ?? fallback;
    if (text === undefined) throw new TypeError(`${name} has no default`);
    return settingPath(this.cwd, text);
  }

  /** Undefined where it is not set. */
  optionalPath(name: VariableName): string | undefined {
    return this.set(name) === undefined ? undefined : this.path(name);
  }
}

/** Refuses a name of a list that is none of those it may be, and adds the nearest. */
export const unlisted = (name: string, names: readonly string[], got: string): RouterError =>
  new RouterError(
    'CONFIG_INVALID',
    `${name} should be a list of ${names.join(', ')}, got ${JSON.stringify(got.slice(0, 64))}${didYouMean(got, names)}`,
  );

export function invalid(name: string, expected: string, got: string): RouterError {
  return new RouterError('CONFIG_INVALID', `${name} should be ${expected}, got ${JSON.stringify(got)}`);
}

function listOf(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ''))];
}

/** Platforms by name, as a setting or a flag lists them. */
export const platformList = (text: string): string[] => (text.trim() === 'none' ? [] : listOf(text));

/** Undefined for a text that is no flag. */
export function flagOf(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off)$/i.test(text) ? false : undefined;
}

function parseFlag(name: string, value: string): boolean {
  const flag = flagOf(value);
  if (flag === undefined) throw invalid(name, '1, true, yes or on, or 0, false, no or off', value);
  return flag;
}

/** The harness, the demo and the tests set `SVC_MCP_DOTENV=0`, so that the settings of a person do not reach their routers. */
export function readsDotEnv(processEnvironment: RawEnvironment): boolean {
  const text = processEnvironment['SVC_MCP_DOTENV']?.trim();
  return text === undefined || text === '' || parseFlag('SVC_MCP_DOTENV', text);
}
