/**
 * The counted work, a given number of times: `work.ts find 20`. It opens everything first, so two counts of one kind
 * of work differ by the work alone. It uses no process, no socket and no clock; platforms answer from memory.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { loadConfig } from '../../../config/config.ts';
import { planOf, planText } from '../../../migration/plan.ts';
import { readExportText } from '../../../migration/read-export.ts';
import { openRouter } from '../../../router.ts';
import { openFinder } from '../../../search/open-finder.ts';
import { openServedCatalog } from '../../../served-catalog.ts';
import { createLogger } from '../../../telemetry/logger.ts';
import { modernRequest } from '../../support/modern-client.ts';

type Work = () => unknown;

const QUESTIONS = [
  'which access point is this phone on',
  'list the open alerts of the site',
  'change the passphrase of the guest network',
  'delete an authentication server',
  'what firmware do the switches run',
  'GET /network-config/v1alpha1/auth-servers/{name}',
  'show me the vlan ids in use, please',
  'reboot it',
  'who changed the policy yesterday',
  'sites',
] as const;

function configOf(folder: string) {
  const env = {
    SOURCE_BASE_URL: 'http://127.0.0.1:9',
    SOURCE_CLIENT_ID: 'demo-client',
    SOURCE_CLIENT_SECRET: 'demo-secret',
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    CREDS_PATH: join(folder, 'credentials.yaml'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    SVC_MCP_CONFIG_DIR: join(folder, 'config'),
    SVC_MCP_RATE_PER_SECOND: '0',
    SVC_MCP_LOG_LEVEL: 'silent',
  };
  return loadConfig({ env, cwd: folder });
}

async function find(folder: string): Promise<Work> {
  const config = configOf(folder);
  const finder = openFinder(config, (await openServedCatalog(config, createLogger('silent'))).catalog);
  return () => QUESTIONS.map((query) => finder.find({ query, topK: 10 }).hits.length);
}

/** A read through the whole router, the platform's answer a stored one. */
async function dispatch(folder: string): Promise<Work> {
  const stored = readFileSync(join(import.meta.dirname, 'stored-answer.json'), 'utf8');
  const headers = { 'content-type': 'application/json' };
  const token = JSON.stringify({ access_token: 'stored-token-0123456789', expires_in: 7200, token_type: 'bearer' });
  globalThis.fetch = async (input) => new Response(/token/.test(String(input)) ? token : stored, { headers });
  const router = await openRouter(configOf(folder), createLogger('silent'));
  const handler = createMcpHandler(router.factory, { legacy: 'reject' });
  const { headers: asked, body } = modernRequest(
    'invoke_read_tool',
    { name: 'mgmt_list_auth_servers', arguments: { limit: 20 } },
    { capabilities: {} },
  );
  return async () => {
    const answer = await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers: asked, body }));
    const text = await answer.text();
    if (!text.includes('stored-server'))
      throw new Error(`the stored answer should come out, got ${text.slice(0, 300)}`);
  };
}

function plan(): Work {
  const text = JSON.stringify(JSON.parse(readFileSync(join(import.meta.dirname, 'stored-export.json'), 'utf8')));
  return () => planText(planOf(readExportText(text)));
}

const WORKS: Record<string, (folder: string) => Work | Promise<Work>> = { find, dispatch, plan };

const [name = '', times = '1', folder = ''] = process.argv.slice(2);
const work = await WORKS[name]?.(folder);
if (work === undefined) throw new Error(`there is no work ${name}, only ${Object.keys(WORKS)}`);
for (let at = 0; at < Number(times); at++) await work();
process.exit(0);
