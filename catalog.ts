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

const OWN_HELP = `
In the checkout:
  npm run catalog                  expand the platform models and build the catalog of all of them
  npm run catalog -- lint          judge the platform models and the fixtures
  npm run catalog -- add api.yaml  add a document of your own
`;

const words = process.argv.slice(2);
if (words[0] === 'lint') {
  const models = node('fake-api/expand/expand-models.ts', words, 'inherit');
  process.exit(models === 0 ? node('fake-api/lint-fixtures.ts', [], words.includes('--json') ? 2 : 'inherit') : models);
}

// Help is about the commands, so nothing is expanded for it.
if (words.some((word) => word === '--help' || word === '-h')) {
  const status = node('server/cli/catalog.mjs', words, 'inherit');
  if (words[0]?.startsWith('-')) process.stdout.write(OWN_HELP);
  process.exit(status);
}

const everything = ['build', '--products', 'all', '--complete-catalog'];
const bare = words.length === 0 || words[0]?.startsWith('--');

// Only who builds wants the expander's figures; they go to stderr, so that stdout ends with the one JSON object asked for.
const expanded = node('fake-api/expand/expand-models.ts', [], bare || words[0] === 'build' ? 2 : 'ignore');
if (expanded !== 0) process.exit(expanded);

process.exit(node('server/cli/catalog.mjs', bare ? [...everything, ...words] : words, 'inherit'));
