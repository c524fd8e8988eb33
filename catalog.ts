/**
 * `npm run catalog`: expands the platform models into OpenAPI documents, then hands the words to the router's own catalog
 * command. `lint` judges the models and the
 * fixtures instead. The two programs stay apart: each is started as a process.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = import.meta.dirname;
const node = (file: string, words: readonly string[], stdout: 'inherit' | 'ignore' | 2) =>
  spawnSync(process.execPath, [join(root, file), ...words], { cwd: root, stdio: ['inherit', stdout, 'inherit'] })
    .status ?? 3;

const words = process.argv.slice(2);
if (words[0] === 'lint') {
  const models = node('fake-api/expand/expand-models.ts', words, 'inherit');
  process.exit(models === 0 ? node('fake-api/lint-fixtures.ts', [], words.includes('--json') ? 2 : 'inherit') : models);
}

const everything = ['build', '--products', 'all', '--complete-catalog'];
const bare = words.length === 0 || words[0]?.startsWith('--');

// Only who builds wants the expander's figures; they go to stderr, so that stdout ends with the one JSON object asked for.
const expanded = node('fake-api/expand/expand-models.ts', [], bare || words[0] === 'build' ? 2 : 'ignore');
if (expanded !== 0) process.exit(expanded);

process.exit(node('server/cli/catalog.mjs', bare ? [...everything, ...words] : words, 'inherit'));
