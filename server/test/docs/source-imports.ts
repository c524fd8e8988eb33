/** Reads the import statements of the sources, so that tests can hold the code against the table in architecture.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');
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

/** `server/http/guard.ts` and `server/router.ts` belong to the areas `server/http` and `server/router`. */
export function areaOf(file: string): string {
  const [program, second = ''] = file.split('/');
  return `${program}/${second.replace(/\.ts$/, '')}`;
}

/** Tests, benchmarks and what supports them: none of it is shipped. */
export const isTestSupport = (file: string): boolean => /\.(test|bench)\.ts$|\/test\//.test(file);
