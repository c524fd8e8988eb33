/** Every command of docs/benchmark-your-server.md, typed in an empty folder with a server, its document and nothing else. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { typedIn } from '../test/harness-command.ts';
import { PETS } from '../test/pets-document.ts';
import { partsOf } from './tried-server.ts';

const LONGEST_MS = 300_000;
const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/benchmark-your-server.md'), 'utf8');
const COMMANDS = [...page.matchAll(/^npx svc-mcp-bench (.*)$/gm)].map(([, words = '']) => words);
/** Of a server that runs already: here nobody does. */
const isElsewhere = (command: string) => command.startsWith('try --url');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmark-page-'));
  writeFileSync(join(folder, 'api.json'), JSON.stringify(PETS));
  cpSync(join(root, 'harness/test/plain-server.mjs'), join(folder, 'server.mjs'));
  cpSync(join(root, 'harness/test/pets-tools.mjs'), join(folder, 'pets-tools.mjs'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function typed(command: string) {
  const words = partsOf(command.replace('$TOKEN', 'open-sesame'));
  const short = words[0] === 'try' ? ['--most', '9', '--malformed', '20', '--start-seconds', '20'] : [];
  return typedIn(folder, ...words, ...short);
}

test.each(COMMANDS.filter((command) => !isElsewhere(command)))(
  'npx svc-mcp-bench %s',
  { timeout: LONGEST_MS },
  async (command) => {
    // The copy that the page speaks of; the first command has made them.
    if (command.includes('my-scenarios'))
      cpSync(join(folder, 'svc-mcp-try/scenarios'), join(folder, 'my-scenarios'), { recursive: true });
    const { exit, said } = await typed(command);
    // The server asks nobody before a change, so the gate of the page is red.
    expect({ exit, said }).toMatchObject({ exit: command.includes('--max-unapproved') ? 1 : 0 });
  },
);

test.each(COMMANDS.filter(isElsewhere))(
  'npx svc-mcp-bench %s, with nobody there',
  { timeout: LONGEST_MS },
  async (command) => {
    const { exit, said } = await typed(command);
    expect({ exit, said }).toEqual({ exit: 2, said: expect.stringContaining('SERVER_UNREACHABLE') });
  },
);

test('the action takes the inputs of the page and hands each to an option of try', async () => {
  const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const script: string = runs.steps.at(-1).run;
  const step = parse(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '').jobs.mcp.steps.at(-1);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  for (const name of Object.keys(inputs).filter((input) => input !== 'arguments'))
    expect(script).toContain(`--${name} `);
  const { said } = await typed('try --help');
  for (const [option] of script.matchAll(/--[a-z-]+/g)) expect(said).toContain(option);
});

test('the action runs in the folder of another repository, and takes further options on several lines', () => {
  const { runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const env = { PATH: process.env['PATH'], HOME: folder, GITHUB_ACTION_PATH: root, ARGUMENTS: '--runs 2\n--mots 9\n' };
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', runs.steps.at(-1).run];
  const { status, stderr } = spawnSync('bash', words, { cwd: folder, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("unknown option '--mots'") });
});
