/** The setup, run again in the same folder: what the operator changed by hand in between stays. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot, selectPlatforms } from '../config/config.ts';
import { parseDotEnv } from '../config/dot-env.ts';
import { Environment } from '../config/environment.ts';
import { readPlatformFiles } from '../config/platform-file.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import type { Answers } from './answers.ts';
import { earlierAnswers, withGiven } from './previous-answers.ts';
import { writeAnswers } from './write-answers.ts';

const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-again-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, '.env');
const text = () => readFileSync(file(), 'utf8');
/** `setup --yes` with these answers as flags; returns what it printed. */
const setup = (given: Partial<Answers> = {}) =>
  writeAnswers(withGiven(earlierAnswers(folder, given.docker === true, platforms), given), {
    directory: folder,
    root: packageRoot,
    platforms,
    force: false,
    skipCredentials: true,
    places: { node: '', router: '' },
  }).map(({ label, detail }) => `${label}: ${detail}`);
const edit = (name: string, value: string) => {
  const line = new RegExp(`^(# )?${name}=.*$`, 'm');
  expect(text()).toMatch(line);
  writeFileSync(file(), text().replace(line, `${name}=${value}`));
};
const settings = () => parseDotEnv(text()).values;

describe('a write gate', () => {
  const open = () =>
    Object.entries(settings()).flatMap(([name, value]) => (/_WRITES$/.test(name) && value === '1' ? [name] : []));
  const readWrite = { products: ['nac', 'sdwan'], productAccess: 'read-write' } as const;

  test.each(['0', 'off', 'No'])('that was closed by hand with %s stays closed', (value) => {
    setup(readWrite);
    edit('SVC_MCP_NAC_WRITES', value);
    const printed = setup({ port: 9000 });
    expect(open()).toEqual(['SVC_MCP_SDWAN_WRITES']);
    expect(settings()).toMatchObject({ SVC_MCP_PRODUCT_ACCESS: 'read-write', MCP_PORT: '9000' });
    expect(printed.join('\n')).not.toContain('write gates');
  });

  test('that was opened by hand in another word stays open', () => {
    setup(readWrite);
    edit('SVC_MCP_MGMT_WRITES', 'on');
    expect(setup().join('\n')).not.toContain('write gates');
    expect(open()).toContain('SVC_MCP_MGMT_WRITES');
  });

  test('of a product that is added later is closed until somebody opens it, and then it is printed', () => {
    expect(setup(readWrite)).toContain('write gates: opened: nac, sdwan');
    expect(setup({ products: ['nac', 'sdwan', 'sse'] }).join('\n')).not.toContain('write gates');
    expect(open()).toEqual(['SVC_MCP_NAC_WRITES', 'SVC_MCP_SDWAN_WRITES']);
    expect(setup({ productAccess: 'read-write' })).toContain('write gates: opened: sse');
    expect(open()).toContain('SVC_MCP_SSE_WRITES');
  });
});

test.each([false, true])(
  'who serves no toolset gets none, also when the setup runs again (container: %s)',
  (docker) => {
    setup({ docker, toolsets: [], products: ['nac'] });
    expect(settings()).toMatchObject({ SVC_MCP_TOOLSETS: 'none', SVC_MCP_PRODUCTS: 'nac' });
    const before = text();
    setup({ docker });
    expect(text()).toBe(before);
    const environment = new Environment({}, folder, { secretFiles: false });
    expect(selectPlatforms(environment, platforms).map(({ id }) => id)).toEqual(['nac']);
  },
);

test('in a container, who serves no product gets none, whatever the overlay that is kept has', () => {
  setup({ docker: true, products: ['nac'] });
  setup({ docker: true, products: [] });
  expect(readFileSync(join(folder, LAYOUT.overlay), 'utf8')).toContain('SVC_MCP_PRODUCTS:-nac');
  expect(settings()['SVC_MCP_PRODUCTS']).toBe('none');
});

describe('where the router listens and is called', () => {
  const HOSTS = 'localhost:*,router.example,second.example:443';
  const ORIGIN = 'https://app.example';
  const LISTS = ['MCP_HOST', 'MCP_ALLOWED_HOSTS', 'MCP_ALLOWED_ORIGINS'] as const;
  const lists = () => LISTS.map((name) => settings()[name]);
  const edited = (...values: string[]) => {
    setup();
    for (const [at, value] of values.entries()) edit(LISTS[at] as string, value);
  };

  test.each(['::1', 'localhost', 'router.example'])('stays as it was edited, with the address %s', (host) => {
    edited(host, HOSTS, ORIGIN);
    setup({ port: 9000 });
    expect(lists()).toEqual([host, HOSTS, ORIGIN]);
  });

  test('gets the names that are given, and keeps those of the operator and a list of origins of its own', () => {
    edited('127.0.0.1', HOSTS, ORIGIN);
    setup({ expose: '192.0.2.7', hostname: 'third.example' });
    expect(lists()).toEqual(['192.0.2.7', `${HOSTS},192.0.2.7:*,third.example:*`, ORIGIN]);
  });

  test('loses the address that is taken back, in both lists where they are one', () => {
    setup({ expose: '192.0.2.7' });
    const [, before] = lists();
    for (const name of LISTS.slice(1)) edit(name, `${before},mine.example`);
    setup({ expose: '127.0.0.1' });
    const after = '127.0.0.1:*,localhost:*,mine.example';
    expect(lists()).toEqual(['127.0.0.1', after, after]);
  });

  test('is filled in where a list is empty', () => {
    edited('127.0.0.1', '', '');
    setup();
    expect(lists()).toEqual(['127.0.0.1', '127.0.0.1:*,localhost:*', '127.0.0.1:*,localhost:*']);
  });
});

test.each([
  ['text', 'hello\n', 'something else'],
  ['a list', '- mgmt\n', 'something else'],
  ['a section of text', 'mgmt: hello\n', 'a section without fields'],
  ['a section that is a list', 'mgmt: [hello]\n', 'a section without fields'],
  ['an alias without an anchor', 'mgmt: { client_id: *hello }\n', 'an alias that cannot be followed'],
  ['two documents', 'mgmt: {}\n---\nworkspace: {}\n', 'a syntax error'],
])('an accounts file of %s is refused by name, and stays as it is', (_, content, got) => {
  for (const docker of [false, true]) {
    const path = docker ? LAYOUT.containerCredentials : LAYOUT.credentials;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    expect(() => setup({ docker })).toThrow(`${path} should be one YAML document of sections, got ${got}`);
    expect(readFileSync(join(folder, path), 'utf8')).toBe(content);
  }
});
