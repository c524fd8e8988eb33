/** Checks the modes of files with secrets or settings: others may not write them and need not read them. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { secretFilesIn } from '../../config/secret-files.ts';
import { LAYOUT } from '../../config/setup-layout.ts';
import { shellWord } from '../../config/shell-word.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';

export default {
  id: 'file-modes',
  order: 160,
  look: (place) => {
    const paths = [...new Set(privatePaths(place))];
    const wrong = paths.map(problemOf).filter((finding) => finding !== undefined);
    return wrong.length > 0 ? wrong : [ok('file modes', 'settings and secrets are yours alone')];
  },
} satisfies Check;

function privatePaths({ directory, environment, config }: Installation): string[] {
  const inSecrets = namesIn(join(directory, LAYOUT.secrets)).filter(
    (name) => name !== 'README.md' && !name.endsWith('.example'),
  );
  const named = secretFilesIn(environment?.values() ?? {}, directory).files.map(({ path }) => path);
  return [
    ...[LAYOUT.env, LAYOUT.credentials, ...Object.values(LAYOUT.clients)].map((path) => join(directory, path)),
    ...inSecrets.map((name) => join(directory, LAYOUT.secrets, name)),
    ...named,
    ...(config instanceof RouterError ? [] : [config.credentialsPath, config.stateDir, config.tokenCacheDir]),
    ...(config instanceof RouterError || config.signingKeysPath === undefined ? [] : [config.signingKeysPath]),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function problemOf(path: string): Finding | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || process.platform === 'win32') return undefined;
  const remedy = `chmod ${found.isDirectory() ? '700' : '600'} ${shellWord(path)}`;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  if ((found.mode & 0o022) !== 0) return fail('file modes', `${path} can be written by others (${mode})`, remedy);
  if ((found.mode & 0o044) !== 0) return warn('file modes', `${path} can be read by others (${mode})`, remedy);
  return undefined;
}
