/** `.env.example` is the template itself: `npm test -- server/config/env-template.test.ts -u` remakes it. */
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadConfig, packageRoot } from './config.ts';
import { envTemplate, withValues } from './env-template.ts';
import { readPlatformFiles } from './platform-file.ts';
import { isSecretShaped } from './secret-files.ts';
import { VARIABLES } from './variables.ts';

const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
const template = envTemplate(platforms);
const named = [...template.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name as string);

test('.env.example is equal to the text that the code writes', async () => {
  await expect(template).toMatchFileSnapshot(join(packageRoot, '.env.example'));
});

test('it names every variable, gate and account once, and secrets only by their files', () => {
  const accounts = platforms.flatMap(({ auth, gate }) => [
    ...Object.values(auth.variables),
    ...Object.values(auth.own ?? {}),
    ...(gate ? [gate.variable] : []),
  ]);
  const all = [...new Set([...Object.keys(VARIABLES), ...accounts])];
  expect(named.map((name) => name.replace(/_FILE$/, '')).sort()).toEqual(all.sort());
  expect(named.filter(isSecretShaped)).toEqual([]);
});

test('untouched it changes nothing: everything in it has its default', () => {
  expect(parseEnv(template)).toEqual({});
  const plain = loadConfig({ env: {}, cwd: '/' });
  // With every line put to use, but for files that do not exist, it says the same as no file at all.
  const used = template
    .split('\n')
    .filter((line) => !/_(FILE|WRITES|PATH)=|REDIS/.test(line))
    .map((line) => line.replace(/^# ([A-Z][A-Z0-9_]+=)/, '$1'))
    .join('\n');
  const spelled = loadConfig({ env: parseEnv(used) as Record<string, string>, cwd: '/' });
  expect({ ...spelled, access: { ...spelled.access, gates: {} } }).toEqual(plain);
});

const value = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => {
  const inner = text.trim() === text && !/[\r\n\0$]/.test(text);
  const marks = text.includes('\\') ? ["'", '`'] : ['"', "'", '`'];
  return inner && !marks.every((mark) => text.includes(mark));
});

test('a value comes back as it was put in, and no other line changes', () => {
  const others = ['# mine', 'MY_SECRET=  keep "this"', '', 'export OTHER=1'];
  fc.assert(
    fc.property(value, fc.boolean(), (text, known) => {
      const before = [...others, ...(known ? ['SVC_MCP_PRODUCTS=old'] : []), ''].join('\n');
      const after = withValues(before, { SVC_MCP_PRODUCTS: text });
      expect(parseEnv(after)['SVC_MCP_PRODUCTS']).toBe(text);
      expect(after.split('\n').slice(0, 4)).toEqual(others);
      expect(withValues(after, { SVC_MCP_PRODUCTS: text })).toBe(after);
    }),
  );
});

test('a path of Windows is no line break, and a comment behind a value stays with it', () => {
  expect(parseEnv(withValues('', { CREDS_PATH: 'C:\\new folder\\tokens.yaml' }))).toEqual({
    CREDS_PATH: 'C:\\new folder\\tokens.yaml',
  });
  const mine = 'MCP_PORT=9000 # as the proxy wants it\nMCP_HOST=127.0.0.1 # mine\n';
  expect(withValues(mine, { MCP_PORT: '9000', MCP_HOST: '::1' })).toBe(
    'MCP_PORT=9000 # as the proxy wants it\nMCP_HOST=::1\n',
  );
});

test('a value over several lines stays while it holds, and goes as a whole', () => {
  const text = 'A=1\nMCP_ALLOWED_HOSTS="a:*,\nb:*"\nB=2\n';
  expect(withValues(text, { MCP_ALLOWED_HOSTS: 'a:*,\nb:*' })).toBe(text);
  expect(withValues(text, { MCP_ALLOWED_HOSTS: 'c:*' })).toBe('A=1\nMCP_ALLOWED_HOSTS=c:*\nB=2\n');
});

test('a line that is commented out is put to use where it stands', () => {
  const after = withValues(template, { MCP_PORT: '9000', MY_OWN: 'a b' });
  expect(after.split('\n').length).toBe(template.split('\n').length + 1);
  expect(after).toContain('\nMCP_PORT=9000\n');
  expect(after).not.toContain('# MCP_PORT=');
  expect(after.endsWith('MY_OWN="a b"\n')).toBe(true);
});
