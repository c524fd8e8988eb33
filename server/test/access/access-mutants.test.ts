/** The mutants that the slow run makes: known here at once when the code that one of them patches has moved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { ACCESS_MUTANTS } from './access-mutants.ts';

test('the text that a mutant replaces stands exactly once in its file', () => {
  const places = ({ file, from }: { file: string; from: string }) =>
    readFileSync(join(packageRoot, 'server', file), 'utf8').split(from).length - 1;
  const found = ACCESS_MUTANTS.flatMap(({ name, edits }) =>
    edits.map((edit) => ({ name, file: edit.file, from: edit.from, places: places(edit) })),
  );
  expect(found.filter((edit) => edit.places !== 1)).toEqual([]);
});
