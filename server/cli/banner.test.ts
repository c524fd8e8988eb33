/** The banner of specification 1.4: every field, and that it says what is in force. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, packageRoot } from '../config/config.ts';
import { readPlatformFiles } from '../config/platform-file.ts';
import { ALWAYS_ON } from '../config/variables.ts';
import { bannerFields, bannerText } from './banner.ts';

const URL_ = 'http://127.0.0.1:8010/mcp';
const HTTP = { MCP_TRANSPORT: 'streamable-http', SVC_MCP_CONFIG_DIR: '/nowhere', SVC_MCP_STATE_DIR: '/state' };
const config = (env: Record<string, string> = {}) => loadConfig({ env: { ...HTTP, ...env }, cwd: '/' });
const fields = (env: Record<string, string> = {}) => bannerFields(config(env), URL_);

test('every field of the specification, and what is in force by default', () => {
  expect(fields()).toEqual({
    endpoint: URL_,
    health: 'http://127.0.0.1:8010/livez http://127.0.0.1:8010/healthz http://127.0.0.1:8010/readyz',
    mode: 'minimal',
    toolsets: 'mgmt, workspace, rag',
    'always on': ALWAYS_ON.join(', '),
    products: 'none',
    profile: 'custom',
    'optional access': 'read-only',
    'open gates': 'none',
    confirmation: 'the person (elicitation)',
    bearer: 'disabled',
    metrics: 'collection off, route off',
    audit: 'off',
    stop: 'Ctrl-C, or SIGTERM',
  });
});

test.each<[Record<string, string>, Record<string, string>]>([
  [{ SVC_MCP_ROUTER_MODE: 'direct' }, { mode: 'direct' }],
  [{ SVC_MCP_TOOLSETS: 'mgmt' }, { toolsets: 'mgmt' }],
  [{ SVC_MCP_PRODUCTS: 'sdwan,nac' }, { products: 'nac, sdwan' }],
  [{ SVC_MCP_READONLY: '1' }, { profile: 'custom, read-only by SVC_MCP_READONLY' }],
  [{ MCP_HTTP_BEARER_TOKEN: 'kept-to-itself-as-a-bearer-is' }, { bearer: 'enabled' }],
  [{ SVC_MCP_METRICS: '1', SVC_MCP_METRICS_HTTP: '1' }, { metrics: 'collection on, route on' }],
  [{ SVC_MCP_AUDIT_LOG: '1' }, { audit: '/state/tool-audit.jsonl' }],
  [{ SVC_MCP_CONFIRMATION: 'token' }, { confirmation: 'plan token only' }],
  [
    { SVC_MCP_CONSOLE_PORT: '8011' },
    { confirmation: 'the person (elicitation), or an operator where the client cannot ask' },
  ],
  [
    { SVC_MCP_APPROVALS: 'two-for-destructive' },
    {
      confirmation:
        'the person (elicitation), or an operator where the client cannot ask; two operators for each destructive request',
    },
  ],
  [{ SVC_MCP_ACCESS_PROFILE: 'full-read-write' }, { profile: 'full-read-write', 'open gates': 'mgmt, workspace' }],
  [
    { SVC_MCP_PRODUCTS: 'nac,analytics', SVC_MCP_PRODUCT_ACCESS: 'read-write' },
    { 'optional access': 'read-write', 'open gates': 'nac' },
  ],
])('with %j it says %j', (env, said) => expect(fields(env)).toMatchObject(said));

test('each of the nine gates is named when it is open, and only then', () => {
  const platforms = readPlatformFiles(join(packageRoot, 'server/platforms')).filter(({ gate }) => gate);
  expect(platforms).toHaveLength(9);
  for (const { id, gate } of platforms)
    expect(fields({ SVC_MCP_PRODUCTS: 'all', [gate?.variable ?? '']: '1' })['open gates']).toBe(id);
});

test('no secret, and a warning where others can reach it', () => {
  const env = {
    MCP_HTTP_BEARER_TOKEN: 'kept-to-itself-as-a-bearer-is',
    MCP_HOST: '0.0.0.0',
    MCP_ALLOWED_HOSTS: 'router.test:*',
    MCP_ALLOWED_ORIGINS: 'router.test:*',
  };
  const text = bannerText(config(env), { version: '1', url: 'http://0.0.0.0:8010/mcp', tools: 3 });
  expect(text).toContain('WARNING: 0.0.0.0 is not loopback; put TLS in front of it\n');
  expect(text).not.toContain('kept-to-itself');
  const open = {
    MCP_HOST: '0.0.0.0',
    MCP_ALLOWED_HOSTS: '127.0.0.1:*',
    MCP_ALLOWED_ORIGINS: '127.0.0.1:*',
    SVC_MCP_ACCESS_PROFILE: 'full-read-write',
  };
  const look = bannerText(config(open), { version: '1', url: 'http://0.0.0.0:8010/mcp', tools: 3 });
  expect(look).toContain('without a bearer token every write gate stays shut: set MCP_HTTP_BEARER_TOKEN');
  expect(look).toMatch(/open gates +none\n/);
  expect(bannerText(config(), { version: '1', url: URL_, tools: 3 })).not.toContain('WARNING');
});
