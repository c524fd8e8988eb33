/** Reads the import statements of the sources, so that tests can hold the code against the table in architecture.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const PROGRAMS = ['server', 'fake-api', 'harness'] as const;

export interface SourceImport {
  /** File that imports, relative to the repository. */
  readonly file: string;
  /** What it writes between the quotes. */
  readonly specifier: string;
  /** File it reaches, relative to the repository; the package name for packages. */
  readonly target: string;
  readonly typeOnly: boolean;
}

export function sourceFiles(program: string): string[] {
  return readdirSync(join(root, program), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(program, name))
    .sort();
}

const STATEMENT =
  /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

export function importsOf(file: string): SourceImport[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(STATEMENT)].map((match) => {
    const specifier = (match[2] ?? match[3]) as string;
    const target = specifier.startsWith('.')
      ? relative(root, normalize(join(root, dirname(file), specifier)))
      : specifier;
    return { file, specifier, target, typeOnly: match[1] !== undefined };
  });
}

/**
 * `server/http/guard.ts` and `server/app.ts` belong to the areas `server/http` and `server/app`; the harness's own files
 * stand flat and are one area.
 */
export function areaOf(file: string): string {
  const [program, second = ''] = file.split('/');
  if (program === 'harness' && second.endsWith('.ts')) return program;
  return `${program}/${second.replace(/\.ts$/, '')}`;
}
