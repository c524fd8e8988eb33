/** What `.env` sets, and what only looks as if it did. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig, packageRoot } from './config.ts';
import { parseDotEnv } from './dot-env.ts';
import { envTemplate } from './env-template.ts';
import { readPlatformFiles } from './platform-file.ts';

const cwd = mkdtempSync(join(tmpdir(), 'svc-mcp-dot-env-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const started = (content: string | Buffer) => {
  writeFileSync(join(cwd, '.env'), content);
  return loadConfig({ env: { SVC_MCP_CONFIG_DIR: join(cwd, 'user') }, cwd, lookOnly: true });
};
const KILL = 'SVC_MCP_READONLY=1';

test.each([
  ['a byte order mark', `\uFEFF${KILL}\n`],
  ['line ends of Windows', `MCP_PORT=9\r\n${KILL}\r\n`],
  ['a byte that is not UTF-8 in a comment', Buffer.from(`# f\xfcr\n${KILL}\n`, 'latin1')],
])('a file with %s is read from its first line on', (_, content) => {
  const { access, warnings } = started(content);
  expect({ readonly: access.readonly, warnings }).toEqual({ readonly: true, warnings: [] });
});

test.each([
  ['UTF-16', Buffer.from(`\uFEFF${KILL}\n`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(`${KILL}\n`, 'utf16le')],
  ['Latin-1 in a value', Buffer.from(`CREDS_PATH=/f\xfcr\n`, 'latin1')],
])('a file in %s refuses the start', (_, content) => {
  const message = expect.stringMatching(/\.env should be text in UTF-8/);
  expect(() => started(content)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
});

test.each([
  ['a colon', 'SVC_MCP_READONLY: 1\n', 1],
  ['the word of another shell', `set ${KILL}\n`, 1],
  ['the variable of another shell', `# mine\n$env:${KILL}\n`, 2],
  ['a tab behind export', `export\t${KILL}\n`, 1],
  ['nothing', 'SVC_MCP_READONLY\n', 1],
  ['a quote that stays open above it', `NOTE="mine\n${KILL}\nOTHER="x"\n`, 2],
  ['such a quote, although another line sets it', `SVC_MCP_READONLY=0\nNOTE='mine\n${KILL}\nOTHER='x'\n`, 3],
  ['line ends that make all of it a comment', `# mine\r${KILL}\r`, 2],
])('a line that names a setting with %s is told at the start', (_, content, line) => {
  const { access, warnings } = started(content);
  expect(access.readonly).toBe(false);
  expect(warnings).toEqual([expect.stringContaining(`line ${line} of .env does not set SVC_MCP_READONLY: `)]);
});

test('a value that ends at a # within it is told, and a comment behind one is none', () => {
  const { values, problems } = parseDotEnv(
    'CREDS_PATH=/srv/router#2/a.yaml\nMCP_PORT=9 # mine\nMCP_HOST="a#b"\nOTHER=a#b\n',
  );
  expect([values['CREDS_PATH'], problems]).toEqual([
    '/srv/router',
    [expect.stringContaining('line 1 of .env sets CREDS_PATH to what stands before the #')],
  ]);
});

test('a path of Windows within double quotes, in which \\n is a line break, is told', () => {
  const { problems } = parseDotEnv(
    'MCP_PORT=9\nCREDS_PATH="C:\\new\\a.yaml"\nSVC_MCP_STATE_DIR=\'C:\\new\'\nOTHER="a\\nb"\n',
  );
  expect(problems).toEqual([expect.stringContaining('line 2 of .env sets CREDS_PATH to a text with a line break')]);
});

test('what belongs to other programs is nobody’s to judge, and neither is the template', () => {
  const foreign = 'spring.url=x\nsomething else\nKEY="-----BEGIN\nabc\n-----END"\nHTTPS_PROXY=http://proxy.lan\n';
  expect(parseDotEnv(foreign).problems).toEqual([]);
  const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
  expect(parseDotEnv(envTemplate(platforms, { MCP_PORT: '9' }))).toEqual({ values: { MCP_PORT: '9' }, problems: [] });
});
