/** Every help of every binary, and what a shell completes: bash is run, zsh and fish where they are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { bin } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { bin: Record<string, string> };
const BINARIES: Record<string, string> = { ...bin, 'svc-mcp-bench': 'harness/cli/svc-mcp-bench.mjs' };

function output(name: string, ...words: string[]): string {
  const ended = spawnSync(process.execPath, [join(packageRoot, BINARIES[name]!), ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, SVC_MCP_DOTENV: '0' },
    encoding: 'utf8',
  });
  expect({ name, words, status: ended.status, stderr: ended.stderr }).toMatchObject({ status: 0 });
  return ended.stdout;
}

/** The section of a help that lists subcommands. */
const commandsOf = (help: string): string => (help.split('\nCommands:\n')[1] ?? '').split('\n\n')[0] ?? '';

function completed(name: string, script: string, words: readonly string[]): string[] {
  const file = join(folder, `${name}.bash`);
  writeFileSync(file, script);
  const line = [name, ...words];
  const ask = [
    `source ${file}`,
    `COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${line.length - 1}`,
    `$(complete -p ${name} | sed 's/.*-F \\([^ ]*\\).*/\\1/')`,
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const ended = spawnSync('bash', ['--norc', '-c', ask], { cwd: folder, encoding: 'utf8' });
  expect(ended.stderr).toBe('');
  return ended.stdout.trim().split('\n');
}

describe.each(Object.keys(BINARIES))('%s', (name) => {
  const script = () => output(name, '--completion', 'bash');

  test('every help has examples that its options know, and at most 60 lines', () => {
    const helped = new Map<string, string>();
    const look = (place: readonly string[]) => {
      const help = output(name, ...place, '--help');
      helped.set([name, ...place].join(' '), help);
      const names = [...commandsOf(help).matchAll(/^ {2}([a-z][\w-]*)/gm)];
      for (const [, found] of names) if (found !== 'help') look([...place, found!]);
    };
    look([]);
    for (const [place, help] of helped) {
      expect({ place, lines: help.split('\n').length <= 60 }).toEqual({ place, lines: true });
      const examples = (help.split('\nExamples:\n')[1] ?? '').split('\n').filter((line) => line.startsWith('  '));
      expect({ place, examples: examples.length > 0 }).toEqual({ place, examples: true });
      for (const example of examples) {
        expect(example).toContain(name);
        const words = example.slice(example.indexOf(name)).split(' ');
        const deepest = words.findLastIndex((_, at) => helped.has(words.slice(0, at + 1).join(' ')));
        const known = helped.get(words.slice(0, deepest + 1).join(' ')) ?? '';
        for (const flag of words.filter((word) => word.startsWith('--')))
          expect({ example, flag, known: known.includes(` ${flag} `) || known.includes(` ${flag}\n`) }).toMatchObject({
            known: true,
          });
      }
    }
  });

  test('bash completes its subcommands and options, and the values of those that have choices', () => {
    const text = script();
    const help = output(name, '--help');
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
    const commands = [...commandsOf(help).matchAll(/^ {2}([a-z][\w-]*) /gm)].map(([, found]) => found!);
    expect(completed(name, text, [''])).toEqual(expect.arrayContaining([...flags, ...commands]));
    expect(completed(name, text, ['--he'])).toEqual(['--help']);
    expect(completed(name, text, ['--completion', ''])).toEqual(['bash', 'zsh', 'fish']);
  });
});

test('bash completes inside a subcommand, and files where a value has no choices', () => {
  const script = output('svc-mcp-catalog', '--completion', 'bash');
  writeFileSync(join(folder, 'openapi.yaml'), '');
  expect(completed('svc-mcp-catalog', script, ['add', '--au'])).toEqual(['--auth']);
  expect(completed('svc-mcp-catalog', script, ['add', '--auth', 'bas'])).toEqual(['basic']);
  expect(completed('svc-mcp-catalog', script, ['add', '--platform', 'open'])).toEqual(['openapi.yaml']);
  const migrate = output('svc-mcp-migrate', '--completion', 'bash');
  expect(completed('svc-mcp-migrate', migrate, ['profile', ''])).toEqual(
    expect.arrayContaining(['get', 'set', 'delete']),
  );
  expect(completed('svc-mcp-migrate', migrate, ['profile', 'set', '--in'])).toEqual(['--input']);
});

test.each(['zsh', 'fish'] as const)('%s gets every subcommand and option, and reads the script', (shell) => {
  for (const name of ['svc-mcp-catalog', 'svc-mcp-run-ssid', 'svc-mcp-bench']) {
    const [script, bash] = [output(name, '--completion', shell), output(name, '--completion', 'bash')];
    const flags = [...new Set([...bash.matchAll(/--([a-z][\w-]+)/g)].map(([, flag]) => flag!))];
    expect(flags.length).toBeGreaterThan(5);
    for (const flag of flags)
      expect(script).toMatch(shell === 'fish' ? new RegExp(`-l ${flag}( |$)|--${flag}`, 'm') : new RegExp(`--${flag}`));
    const file = join(folder, `${name}.${shell}`);
    writeFileSync(file, script);
    const ended = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (ended.error === undefined)
      expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: '' });
  }
});

test('the copy of the harness is the same file', () => {
  const read = (program: string) => readFileSync(join(packageRoot, program, 'cli/completion.ts'), 'utf8');
  expect(read('harness')).toBe(read('server'));
});
