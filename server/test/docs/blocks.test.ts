/** Every block of a page is known to work: JSON and YAML are read, TypeScript is run, and for each command it is said what runs it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadJobs } from '../bench/nightly/nightly-job.ts';
import { blocks, commands, PROOFS, proofOf } from './blocks.ts';
import { root } from './source-imports.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = blocks();
const typed = commands(all);

test('a block says what it is: to be typed, to be read, or text', () => {
  const other = all.filter(({ language }) => !['sh', 'ts', 'json', 'yaml', 'text'].includes(language));
  expect(other.map(({ page, language, text }) => `${page}: ${language}: ${text.slice(0, 60)}`)).toEqual([]);
  // Every fence is the edge of a block, so none of them hides another.
  for (const page of new Set(all.map((block) => block.page)))
    expect(read(page).match(/^```/gm), page).toHaveLength(2 * all.filter((block) => block.page === page).length);
});

test('what quotes a file is that file', () => {
  const quoted = all.filter(({ file }) => file !== undefined);
  expect(quoted.length).toBeGreaterThan(4);
  for (const { page, file = '', text } of quoted) expect(text, page).toBe(read(file));
});

/** The error output of a piece of TypeScript that runs in the repository; undefined if it exits 0. */
function failureOf(text: string): string | undefined {
  const words = ['--input-type=module-typescript', '--eval', text];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? undefined : stderr;
}

test('data can be read, and code runs', () => {
  for (const { page, language, file, text } of all) {
    if (language === 'json') expect(() => JSON.parse(text), page).not.toThrow();
    if (language === 'yaml') expect(() => parse(text), page).not.toThrow();
    if (language === 'ts' && file === undefined) expect(failureOf(text), page).toBeUndefined();
  }
});

test('code that does not run would be noticed', () => {
  expect(
    failureOf("import { ERRORS } from './server/errors.ts';\nconst all: number = Object.keys(ERRORS).length;"),
  ).toBe(undefined);
  expect(failureOf("import { NONE } from './server/errors.ts';")).toContain('NONE');
});

describe('commands', () => {
  test('each is run by something', () => {
    expect(typed.length).toBeGreaterThan(40);
    expect(typed.filter((command) => proofOf(command) === undefined)).toEqual([]);
  });

  test('no rule is left over', () => {
    expect(PROOFS.filter(([form]) => !typed.some(({ text }) => form.test(text))).map(([form]) => String(form))).toEqual(
      [],
    );
  });

  test('what is said to run them does', () => {
    const steps = read('check.ts');
    const lines = loadJobs().map(({ id }) => id);
    for (const [form, proof] of PROOFS) {
      if (proof.kind === 'check') expect(steps, String(form)).toContain(`script: '${proof.script}'`);
      if (proof.kind === 'job') expect(lines, String(form)).toContain(proof.id);
      if (proof.kind === 'test') {
        expect(existsSync(join(root, proof.file)), proof.file).toBe(true);
        expect(read(proof.file), `${form}: ${proof.file}`).toContain(proof.holds);
      }
    }
  });

  test('those of the nightly run are in a nightly job', () => {
    const line = loadJobs().find(({ run }) => 'script' in run && run.script === 'docs:commands');
    expect(line?.run).toMatchObject({ arguments: ['--json', '--nightly'] });
  });
});
