/** Who approves, as flags of the setup: what the files hold, that a second run keeps it, and that the doctor and the router agree. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Operators } from '../approvals/operators.ts';
import { loadConfig, packageRoot } from '../config/config.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { examine } from '../doctor/examine.ts';
import { installationOf } from '../doctor/installation.ts';

const SETUP = join(packageRoot, 'server/cli/setup.mjs');
const QUICK = ['--yes', '--skip-install', '--skip-catalog', '--skip-doctor', '--writes', 'mgmt'];
const PASSWORD = 'correct horse battery';

let folder: string;
let environment: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-setup-'));
  writeFileSync(join(folder, 'password'), `${PASSWORD}\n`, { mode: 0o600 });
  environment = { PATH: process.env['PATH'] ?? '', HOME: folder, SVC_MCP_CONFIG_DIR: join(folder, 'user') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setup(...words: string[]) {
  const all = [SETUP, '--directory', folder, ...QUICK, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8', env: environment });
  return { status, stdout, stderr };
}
const settings = () => parseEnv(readFileSync(join(folder, LAYOUT.env), 'utf8'));
const operators = () => new Operators(join(folder, 'user/operators.json'));
const operatorFlag = (name = 'ada') => ['--operator', `${name}=${join(folder, 'password')}`];

describe('on this machine', () => {
  test('nothing is set where nobody asked for operators', () => {
    expect(setup().status).toBe(0);
    const { SVC_MCP_APPROVALS, SVC_MCP_CONSOLE_PORT, SVC_MCP_AUDIT_LOG } = settings();
    expect([SVC_MCP_APPROVALS, SVC_MCP_CONSOLE_PORT, SVC_MCP_AUDIT_LOG]).toEqual([undefined, undefined, undefined]);
    expect(existsSync(join(folder, 'user/operators.json'))).toBe(false);
  });

  test('operators, their console, the first of them and the audit log become a router that starts and a doctor that agrees', async () => {
    const { status, stdout, stderr } = setup('--approvals', 'operator', '--console-port', '8131', ...operatorFlag());
    expect([status, stderr]).toEqual([0, '']);
    expect(settings()).toMatchObject({
      SVC_MCP_APPROVALS: 'operator',
      SVC_MCP_CONSOLE_PORT: '8131',
      SVC_MCP_AUDIT_LOG: '1',
    });
    expect(stdout).toContain('approve      at http://127.0.0.1:8131');
    expect(`${stdout}${JSON.stringify(settings())}`).not.toContain(PASSWORD);
    expect(statSync(join(folder, 'user/operators.json')).mode & 0o777).toBe(0o600);
    expect(await operators().verify('ada', PASSWORD)).toMatchObject({ name: 'ada' });
    const { approvals } = loadConfig({ env: environment, cwd: folder });
    expect([approvals.mode, approvals.console?.host, approvals.console?.port]).toEqual(['operator', '127.0.0.1', 8131]);
    const { findings } = await examine(installationOf({ env: environment, directory: folder }));
    const about = findings.filter(({ check }) => check === 'approvals' || check === 'operator-sign-in');
    expect(about.map(({ label, subject }) => [label, subject])).toEqual([
      ['ok', 'approvals'],
      ['ok', 'console'],
      ['ok', 'operator sign-in'],
    ]);
  });

  test('a second run keeps them, the password too; to take them back is one flag', async () => {
    setup('--approvals', 'two-for-destructive', ...operatorFlag());
    const before = readFileSync(join(folder, LAYOUT.env), 'utf8');
    writeFileSync(join(folder, 'password'), 'another password, longer\n');
    expect(setup(...operatorFlag()).stdout).toContain('[kept] operator ada');
    expect(readFileSync(join(folder, LAYOUT.env), 'utf8')).toBe(before);
    expect(await operators().verify('ada', PASSWORD)).toMatchObject({ name: 'ada' });
    setup('--approvals', 'client');
    expect(settings()).toMatchObject({ SVC_MCP_APPROVALS: 'client', SVC_MCP_CONSOLE_PORT: 'off' });
    expect(loadConfig({ env: environment, cwd: folder }).approvals.console).toBeUndefined();
  });

  test.each([
    [
      'the HTTP port as that of the console',
      ['--approvals', 'operator', '--console-port', '8010'],
      /another port than --port/,
    ],
    [
      'a port that is none',
      ['--approvals', 'operator', '--console-port', '0'],
      /--console-port should be a whole number/,
    ],
    ['an operator where none approves', ['--operator', 'ada=FILE'], /--operator contradicts --approvals client/],
    ['an operator without a file', ['--approvals', 'operator', '--operator', 'ada'], /<name>=<path of a file>/],
    [
      'a name that is none',
      ['--approvals', 'operator', '--operator', 'Ada L=FILE'],
      /the name of an operator should be/,
    ],
    ['a password that is too short', ['--approvals', 'operator', '--operator', 'ada=SHORT'], /should have 12 to 1024/],
    ['somebody else who approves', ['--approvals', 'everybody'], /Allowed choices are client, operator/],
  ])('%s is refused before anything is written', (_, words, says) => {
    writeFileSync(join(folder, 'short'), 'short\n');
    const named = words.map((word) =>
      word.replace('FILE', join(folder, 'password')).replace('SHORT', join(folder, 'short')),
    );
    const { status, stderr } = setup(...named);
    expect([[2, 3].includes(status ?? 0), stderr]).toEqual([true, expect.stringMatching(says)]);
    expect(existsSync(join(folder, LAYOUT.env))).toBe(false);
  });
});

test('in a container the console listens behind the proxy of compose.yaml, and .env may still say otherwise', () => {
  expect(setup('--docker', '--approvals', 'operator', '--console-port', '8443').status).toBe(0);
  const overlay = parse(readFileSync(join(folder, LAYOUT.overlay), 'utf8'));
  expect(overlay.services['mcp-router'].environment).toMatchObject({
    SVC_MCP_APPROVALS: '$' + '{SVC_MCP_APPROVALS:-operator}',
    SVC_MCP_AUDIT_LOG: '$' + '{SVC_MCP_AUDIT_LOG:-1}',
    SVC_MCP_OPERATORS_PATH: '/app/state/operators.json',
    SVC_MCP_CONSOLE_HOST: '0.0.0.0',
    SVC_MCP_CONSOLE_PORT: '8030',
    SVC_MCP_CONSOLE_URL: 'https://localhost:8443',
  });
  expect(settings()['SVC_MCP_CONSOLE_PORT']).toBeUndefined();
  const again = setup('--docker');
  expect([again.status, again.stdout]).toEqual([0, expect.not.stringMatching(/\[written\]|\[warn\]/)]);
  expect(setup('--docker', '--force', ...operatorFlag()).stderr).toContain('operators of a container are added in it');
});
