/** The questions about an added platform at a real terminal: which are asked, what an answer becomes, and that no secret is shown. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, packageRoot } from '../config/config.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { authsOf, type PlatformDefinition } from '../config/platform-file.ts';
import { importDocument } from '../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../import/user-platform.ts';
import { answeredQuestions } from '../test/support/answered-questions.ts';
import { noTerminal, openTerminal } from '../test/support/pseudo-terminal.ts';

const absent = noTerminal();
const SECRET = 'terminal-secret-9f2c';
/** The first of the offered values; Enter alone is `later`. */
const FIRST = { up: 2 };
/** By what the question says, in the order of the questions. */
const ANSWERS = {
  'Shop: base_url': FIRST,
  'Shop: username': 'person',
  'Shop: password': SECRET,
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'added-terminal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function added(): Promise<void> {
  const file = join(folder, 'shop.json');
  const operation = { get: { responses: { 200: { description: 'ok' } } } };
  const content = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://api.of-the-document.test' }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'basic' } } },
    security: [{ key: [] }],
    paths: { '/orders': operation },
  };
  writeFileSync(file, JSON.stringify(content));
  const taken = await importDocument(file);
  writeUserPlatform(join(folder, 'own'), definePlatform({ name: 'shop' }, taken), taken);
}

describe.skipIf(absent !== undefined)('at a terminal', () => {
  test('an added platform is asked for its address, its user and its password, which is never shown', async () => {
    await added();
    using terminal = openTerminal(packageRoot, {
      HOME: folder,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      SVC_MCP_CONFIG_DIR: join(folder, 'own'),
    });
    terminal.type(`node server/cli/setup.mjs --directory ${folder} --skip-install --skip-catalog --skip-doctor`);
    terminal.press('Enter');
    expect(await answeredQuestions(terminal, ANSWERS)).toEqual(Object.keys(ANSWERS));
    expect(terminal.history()).not.toContain(SECRET);
    const config = loadConfig({ env: { HOME: folder, SVC_MCP_CONFIG_DIR: join(folder, 'own') }, cwd: folder });
    const shop = config.known.find(({ id }) => id === 'shop') as PlatformDefinition;
    expect(
      new CredentialsStore(config.credentialsPath, config.credentialOverrides).account({
        ...shop,
        auth: authsOf(shop).at(-1) as PlatformDefinition['auth'],
      }),
    ).toMatchObject({
      baseUrl: 'https://api.of-the-document.test',
      username: 'person',
      password: SECRET,
    });
  });
});
