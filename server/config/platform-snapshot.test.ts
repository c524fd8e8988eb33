import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from './config.ts';
import { readPlatformFiles } from './platform-file.ts';
import { readShippedPlatforms } from './platform-snapshot.ts';

describe('the snapshot of the shipped platforms', () => {
  let home: string;
  let folder: string;
  let path: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'platforms-'));
    folder = join(home, 'platforms');
    path = join(home, 'var', 'platforms.json');
    cpSync(join(packageRoot, 'server', 'platforms'), folder, { recursive: true });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('gives what the files give, the first time and every time after', () => {
    const read = readPlatformFiles(folder);
    expect(readShippedPlatforms(folder, path)).toEqual(read);
    expect(readShippedPlatforms(folder, path)).toEqual(read);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is what a start reads while nothing changed', () => {
    readShippedPlatforms(folder, path);
    const kept = JSON.parse(readFileSync(path, 'utf8'));
    const [first] = Object.keys(kept.files);
    kept.files[String(first)].platform.title = 'from the snapshot';
    writeFileSync(path, JSON.stringify(kept));
    expect(readShippedPlatforms(folder, path)[0]?.title).toBe('from the snapshot');
  });

  it('gives way when a file changes, is added or is taken away', () => {
    readShippedPlatforms(folder, path);
    const file = join(folder, 'sse.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^title: .*$/m, 'title: Edge'));
    expect(readShippedPlatforms(folder, path).find(({ id }) => id === 'sse')?.title).toBe('Edge');
    rmSync(file);
    expect(readShippedPlatforms(folder, path).map(({ id }) => id)).not.toContain('sse');
  });

  it('never hides a file that has become wrong', () => {
    readShippedPlatforms(folder, path);
    writeFileSync(join(folder, 'sse.yaml'), 'id: sse\n');
    expect(() => readShippedPlatforms(folder, path)).toThrow(/sse\.yaml/);
  });

  it.each([
    ['cut short', '{"madeFrom":'],
    ['another program’s', '[]'],
    ['empty', ''],
  ])('is ignored when %s', (_, text) => {
    const read = readShippedPlatforms(folder, path);
    writeFileSync(path, text);
    expect(readShippedPlatforms(folder, path)).toEqual(read);
  });

  it('is done without where it cannot be written', () => {
    writeFileSync(join(home, 'var'), 'a file, so no folder can be made');
    expect(readShippedPlatforms(folder, path)).toEqual(readPlatformFiles(folder));
  });
});
