/** A newcomer at a terminal: wizard, doctor, router, and an MCP client's first find_tool. Typed, not called. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../config/config.ts';
import { LAYOUT } from '../../config/setup-layout.ts';
import { freePort } from '../support/programs.ts';
import { noTerminal, openTerminal, type Terminal } from '../support/pseudo-terminal.ts';
import { sessionClient } from '../support/session-client.ts';

const absent = noTerminal();
const SECRET = 'typed-secret-nobody-sees';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'newcomer-'));
  home = mkdtempSync(join(tmpdir(), 'newcomer-home-'));
});
afterEach(() => {
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
});

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const open = () =>
  openTerminal(packageRoot, {
    HOME: home,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
  });

/** Types a command; the count of them is the figure. */
function typist(terminal: Terminal) {
  let commands = 0;
  return {
    run: (line: string) => {
      commands += 1;
      terminal.type(line);
      terminal.press('Enter');
    },
    get commands() {
      return commands;
    },
  };
}

/** Presses Enter at every question, and nothing else, until the setup has ended. */
async function onlyEnter(terminal: Terminal): Promise<void> {
  for (let answered = ''; ; ) {
    const screen = await terminal.until(/◆|Next, in/);
    if (/Next, in/.test(screen)) return;
    const question = screen.slice(screen.lastIndexOf('◆')).trim();
    if (question === answered) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    answered = question;
    terminal.press('Enter');
  }
}

/** As a host would use the file that the setup wrote. */
async function connect(): Promise<Client> {
  const { url, headers } = JSON.parse(read(LAYOUT.clients.http)).mcpServers['tool-router'];
  const token = read(LAYOUT.bearer).trim();
  const Authorization = String(headers.Authorization).replace('$' + '{MCP_HTTP_BEARER_TOKEN}', token);
  return (await sessionClient(url, { headers: { Authorization } })).client;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe.skipIf(absent !== undefined)('at a terminal', () => {
  test('a product that is unticked stays closed, though all of them were opened before', async () => {
    using terminal = open();
    const setup = `npm run --silent setup -- --directory ${folder} --skip-install --skip-catalog --skip-doctor --skip-credentials`;
    const said = ['--toolsets mgmt', '--products nac,sse', '--access-profile custom', '--product-access read-write'];
    terminal.type(`${setup} ${said.join(' ')} --router-mode minimal --port 8010`);
    terminal.press('Enter');
    await terminal.until(/◆ {2}Which platforms may be written to/);
    terminal.press('Down', 'Space');
    await onlyEnter(terminal);
    const env = parseEnv(read('.env'));
    expect(Object.keys(env).filter((name) => /_WRITES$/.test(name) && env[name] === '1')).toEqual([
      'SVC_MCP_SSE_WRITES',
    ]);
    expect(env['SVC_MCP_PRODUCT_ACCESS']).toBe('read-only');
  });

  test('Enter alone ends in a working read-only router, within five commands', async () => {
    using terminal = open();
    const typed = typist(terminal);
    const port = await freePort();
    const started = performance.now();
    typed.run(`npm run -s setup -- --directory ${folder} --port ${port}`);
    await onlyEnter(terminal);
    typed.run(`./doctor --directory ${folder} | tail -3`);
    expect(await terminal.until(/\d+ fail, \d+ warn, \d+ ok\s+ready>\s*$/m)).toMatch(/^0 fail, \d+ warn, \d+ ok$/m);
    typed.run(`./tool-router --directory ${folder}`);
    const banner = await terminal.until(/stop +Ctrl-C/);
    expect(banner).toMatch(/open gates +none/);
    expect(banner).toMatch(/bearer +enabled/);
    const client = await connect();
    const found = textOf(await client.callTool({ name: 'find_tool', arguments: { query: 'list sites' } }));
    const seconds = (performance.now() - started) / 1000;
    expect(JSON.parse(found).length).toBeGreaterThan(0);
    const written = textOf(
      await client.callTool({ name: 'invoke_tool', arguments: { name: 'mgmt_create_wlan_ssid', arguments: {} } }),
    );
    expect(JSON.parse(written).ok).not.toBe(true);
    await client.close();
    terminal.press('C-c');
    await terminal.until(/ready>\s*$/m);
    process.stderr.write(
      `newcomer: ${typed.commands + 1} commands (with the client's call), ${seconds.toFixed(0)} s\n`,
    );
    expect(typed.commands + 1).toBeLessThanOrEqual(5);
    expect(parse(read(LAYOUT.credentials))).toMatchObject({
      mgmt: { base_url: expect.stringContaining('https://us.') },
    });
  });

  test('what is chosen and typed is what is written, and a secret is never on the screen', async () => {
    using terminal = open();
    const flags = '--skip-install --skip-catalog --skip-doctor --toolsets mgmt,workspace';
    terminal.type(`npm run -s setup -- --directory ${folder} ${flags}`);
    terminal.press('Enter');
    const answer = async (question: RegExp, ...keys: string[]) => {
      await terminal.until(new RegExp(`◆ +${question.source}`));
      for (const key of keys) key.startsWith('=') ? terminal.type(key.slice(1)) : terminal.press(key);
      terminal.press('Enter');
      await terminal.until(new RegExp(`◇ +${question.source}`));
    };
    await answer(/Which optional products/, 'Space');
    await answer(/What may the router change/);
    await answer(/Which platforms may be written to/, 'Space');
    await answer(/How many tools should a client see/, 'Down');
    await answer(/HTTP port/, '=8555');
    await answer(/Who approves a write where the client/);
    await answer(/Should other machines reach it/, 'Left');
    await answer(/Address to publish on/, '=127.0.0.2');
    await answer(/The same address once more/, '=127.0.0.2');
    await answer(/Name by which other machines call it/);
    await answer(/management cloud: which region/, 'Down');
    await answer(/management cloud: client_id/, '=client-7');
    await answer(/management cloud: client_secret/, `=${SECRET}`);
    await answer(/management cloud: workspace_id/);
    await answer(/workspace platform: the same client/);
    await answer(/workspace platform: which region/);
    await answer(/workspace platform: workspace_id/, '=space-7');
    await answer(/access policy server: base_url/, '=https://nac.lan');
    await answer(/access policy server: client_id/);
    await answer(/access policy server: client_secret/);
    await terminal.until(/Next, in/);
    expect(terminal.history()).not.toContain(SECRET);
    expect(read('secrets/mgmt_client_secret')).toBe(`${SECRET}\n`);
    expect(read('secrets/workspace_client_secret')).toBe(`${SECRET}\n`);
    expect(parse(read(LAYOUT.credentials))).toEqual({
      mgmt: { base_url: 'https://eu.mgmt.svc.example', client_id: 'client-7' },
      workspace: { base_url: 'https://us.workspace.svc.example', client_id: 'client-7', workspace_id: 'space-7' },
      nac: { base_url: 'https://nac.lan' },
    });
    expect(terminal.history()).toContain('curl http://127.0.0.2:8555/livez');
    expect(JSON.parse(read(LAYOUT.clients.http)).mcpServers['tool-router'].url).toBe('http://127.0.0.2:8555/mcp');
    const env = read('.env');
    for (const line of [
      'MCP_HOST=127.0.0.2',
      'MCP_PORT=8555',
      'SVC_MCP_PRODUCTS=nac',
      'SVC_MCP_ROUTER_MODE=default',
      'SVC_MCP_MGMT_WRITES=1',
      'SVC_MCP_NAC_WRITES=0',
    ])
      expect(env).toContain(`\n${line}\n`);
  });

  test.each(['C-c', 'C-d'])('%s at a question writes nothing', async (key) => {
    using terminal = open();
    terminal.type(`npm run -s setup -- --directory ${folder} --skip-install; echo "exit $?"`);
    terminal.press('Enter');
    expect(await terminal.until(/◆ +Which platforms should the router serve[\s\S]*└/)).toMatch(
      /rag \(no platform: local/,
    );
    terminal.press(key);
    expect(await terminal.until(/exit \d+/)).toMatch(/Nothing was written\.[\s\S]*exit 130/);
    expect(() => read('.env')).toThrow('ENOENT');
  });

  test('a pasted text of many lines is no secret, and nothing of it becomes the next answer', async () => {
    using terminal = open();
    const flags =
      '--skip-install --skip-catalog --skip-doctor --toolsets mgmt --products none --access-profile safe-read-only';
    const given =
      '--router-mode minimal --port 8010 --account mgmt.base_url=https://mgmt.lan --account mgmt.client_id=router';
    terminal.type(`npm run -s setup -- --directory ${folder} ${flags} ${given}`);
    terminal.press('Enter');
    await terminal.until(/◆ +Should other machines reach it/);
    terminal.press('Enter');
    await terminal.until(/◆ +management cloud: client_secret/);
    // More than a terminal hands over at once.
    terminal.type(Array.from({ length: 160 }, (_, i) => `${SECRET}-${i}-${'k'.repeat(50)}\r`).join(''));
    await terminal.until(/a text of several lines[\s\S]*◆ +management cloud: client_secret/);
    terminal.type(SECRET);
    terminal.press('Enter');
    await terminal.until(/◆ +management cloud: workspace_id/);
    terminal.press('Enter');
    await terminal.until(/Next, in/);
    expect(terminal.history()).not.toContain(SECRET);
    expect(read('secrets/mgmt_client_secret')).toBe(`${SECRET}\n`);
    expect(parse(read(LAYOUT.credentials))).toEqual({
      mgmt: { base_url: 'https://mgmt.lan', client_id: 'router' },
    });
  });
});
