/**
 * R14, around a router that gets its secrets from files: what it says on stdout and stderr, in both forms of its metrics, in
 * answers and files, and what the system shows of its process to everybody who asks.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startFakeApi } from '#fake-api';
import { packageRoot } from '../../config/config.ts';
import { reportFigures } from '../support/measured-figures.ts';
import { modernClient } from '../support/modern-client.ts';
import { startProcess } from '../support/running-process.ts';
import { Canaries, filesBelow, newCanary } from '../support/secret-canary.ts';
import { toolOf } from '../support/setup-answers.ts';

const PLATFORMS = ['sensors', 'sse', 'nac'];
const ENCODINGS = [['raw', 'base64', 'base64url', 'hex', 'url', 'json', 'piece'], ['gzip']];
const ROUNDS = 3;
const secrets = { password: newCanary(), client_secret: newCanary(), api_token: newCanary(), bearer: newCanary() };

test('no secret is in its output, its metrics, its files, or what the system shows of its process', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-around-'));
  const fake = await startFakeApi({ platformIds: PLATFORMS });
  const sections = PLATFORMS.map((id) => [id, accountAt(String(fake.platforms[id]))]);
  const held = join(folder, 'held');
  mkdirSync(held);
  writeFileSync(join(held, 'credentials.yaml'), stringify(Object.fromEntries(sections)), { mode: 0o600 });
  writeFileSync(join(held, 'bearer'), secrets.bearer, { mode: 0o600 });
  const child = startProcess(process.execPath, [join(packageRoot, 'server/cli/router.mjs'), '--json'], {
    cwd: folder,
    env: environment(folder, held),
  });
  try {
    const { url } = JSON.parse(await child.line()) as { url: string };
    const client = modernClient(url, secrets.bearer);
    const sinks: Record<string, string> = { answers: '' };
    for (const encodings of ENCODINGS) {
      const rules = [{ times: 0, fault: { kind: 'reflect', in: ['body', 'header'], encodings } }];
      const body = JSON.stringify({ rules });
      await fetch(`${fake.control}/namespaces/default/faults`, { method: 'PUT', body });
      for (let round = 0; round < ROUNDS; round++)
        for (const id of PLATFORMS) {
          const { texts } = await client.call('invoke_read_tool', { name: toolOf(id, 'read'), arguments: {} });
          sinks['answers'] += texts.join('\n');
        }
    }
    const headers = { authorization: `Bearer ${secrets.bearer}` };
    for (const form of ['text', 'json'])
      sinks[`metrics as ${form}`] = await (await fetch(new URL(`/metrics?format=${form}`, url), { headers })).text();
    for (const name of ['cmdline', 'environ']) {
      const path = `/proc/${child.pid}/${name}`;
      // Another system has no such folder, and shows these in other ways.
      if (existsSync(path)) sinks[name] = readFileSync(path, 'latin1');
    }
    const { stdout, stderr } = await child.stop();
    Object.assign(sinks, { stdout, stderr });
    const logins = loginsBelow(join(folder, 'tokens'));
    // Secret files may contain secrets; no other file may.
    for (const { path, text } of filesBelow(folder))
      if (!path.startsWith(held) && !path.startsWith(join(folder, 'tokens'))) sinks[path.slice(folder.length)] = text;
    const known = new Canaries([...Object.values(secrets), ...logins]);
    const hits = Object.entries(sinks).flatMap(([sink, text]) => {
      const found = known.in(text);
      return found === undefined ? [] : [`${sink}: ${found}`];
    });
    reportFigures(context, { sinks: Object.keys(sinks).length, hitsAround: hits.length });
    expect(hits).toEqual([]);
    expect(sinks['answers'], 'the platforms did say them back').toContain('******');
    expect(sinks['metrics as text']).toContain('# TYPE');
    expect(sinks['metrics as json']).toMatch(/^\{/);
    expect(Object.keys(sinks).some((sink) => sink.endsWith('tool-audit.jsonl'))).toBe(true);
    expect(stderr).not.toBe('');
    expect(logins.length).toBeGreaterThan(0);
  } finally {
    await child.stop('SIGKILL');
    await fake.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const accountAt = (base_url: string): Record<string, string> => ({
  base_url,
  client_id: 'demo-client',
  client_secret: `demo-secret-${secrets.client_secret}`,
  username: 'demo',
  password: `demo-secret-${secrets.password}`,
  api_token: `demo-token-${secrets.api_token}`,
  workspace_id: 'demo-workspace',
});

const environment = (folder: string, held: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  MCP_TRANSPORT: 'streamable-http',
  MCP_PORT: '0',
  MCP_HTTP_BEARER_TOKEN_FILE: join(held, 'bearer'),
  CREDS_PATH: join(held, 'credentials.yaml'),
  TOKEN_CACHE_DIR: join(folder, 'tokens'),
  SVC_MCP_STATE_DIR: join(folder, 'state'),
  SVC_MCP_PRODUCTS: PLATFORMS.join(','),
  SVC_MCP_AUDIT_LOG: '1',
  SVC_MCP_METRICS: '1',
  SVC_MCP_METRICS_HTTP: '1',
  SVC_MCP_LOG_LEVEL: 'debug',
  SVC_MCP_RATE_PER_SECOND: '0',
});

function loginsBelow(folder: string): string[] {
  return [...filesBelow(folder)].flatMap(({ text }) => {
    const { token, csrf } = JSON.parse(text) as { token: string; csrf?: string };
    return [token, csrf ?? ''].filter((value) => value.length >= 16);
  });
}
