/** Names of a user's platforms against the tools there are: derived, so a new tool is covered by being there. */
import { expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { takenNames } from '../open-catalog.ts';
import { LOCAL_TOOLS } from '../tools/local/registry.ts';
import { PUBLIC_NAMES } from '../tools/public/public-names.ts';
import { checkPlatformName } from './platform-name.ts';

const taken = takenNames(loadConfig({ env: { SVC_MCP_DOTENV: '0', SVC_MCP_CONFIG_DIR: '/nonexistent' } }));
const check = (name: string) => () => checkPlatformName(name, taken);
const reserved = expect.objectContaining({
  code: 'NAME_RESERVED',
  message: expect.stringContaining('a name of your own'),
});

test('no platform has a name by which one of its operations could be called like a tool of this router', () => {
  const prefixes = [
    ...new Set([...PUBLIC_NAMES, ...LOCAL_TOOLS.map(({ name }) => name)].map((name) => name.split('_')[0])),
  ];
  expect(prefixes.length).toBeGreaterThan(12);
  for (const prefix of prefixes) expect(check(prefix as string), prefix).toThrow(reserved);
});

test.each(
  'find invoke plan lookup ask search design interop legacy legacy2 legacytools router rag mgmt nac all local target list get'.split(
    ' ',
  ),
)('%s is reserved', (name) => {
  expect(check(name)).toThrow(reserved);
});

test.each(['f1nd', 'flnd', 'lnvoke', 'inv0ke', 'find2', 'plans', 'r0uter', 'mgmt2', 'l3gacy'])(
  '%s looks like one',
  (name) => {
    expect(check(name)).toThrow(reserved);
  },
);

test.each(['books', 'shop', 'github', 'constructor', 'finder', 'planner', 'nacelle', 'a1', 'asset'])(
  '%s is free',
  (name) => {
    expect(check(name)).not.toThrow();
  },
);

test.each(['My-Books', 'b', '1a', 'a_b', '__proto__', 'ｆind', ''])('%j is no name at all', (name) => {
  expect(check(name)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
