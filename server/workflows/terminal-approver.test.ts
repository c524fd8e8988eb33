/** Secrets that a file holds, by name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretsFor } from './terminal-approver.ts';

async function secretsIn(text: string, names: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const file = join(folder, 'passphrases');
  writeFileSync(file, text, { mode: 0o600 });
  try {
    return Object.fromEntries(await secretsFor(names, { file }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a name that is asked for twice has one line, and the lines of others stay theirs', async () => {
  expect(await secretsIn('of-corp\nof-lab\n', ['Corp', 'Lab', 'Corp'])).toEqual({ Corp: 'of-corp', Lab: 'of-lab' });
});

test('two lines for one name are refused, and the message holds no secret', async () => {
  const refused = secretsIn('of-mill\nof-quay\n', ['Corp', 'Corp']);
  await expect(refused).rejects.toMatchObject({
    code: 'USAGE',
    message: 'passphrases of 1 networks are needed, one line each and in this order: Corp; got 2 lines',
  });
});
