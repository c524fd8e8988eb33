import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { SAMPLE_BASE, SAMPLE_SECRET } from '../test/support/sample-installation.ts';
import { serving } from '../test/support/serving.ts';

const get = async (url: string, path: string) => {
  const response = await fetch(new URL(path, url));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('livez and healthz are always ok', async () => {
  await using router = await serving();
  for (const path of ['/livez', '/healthz'])
    expect(await get(router.url, path)).toEqual({ status: 200, body: { status: 'ok' } });
});

test.each(['base_url', 'token_url'])('readyz refuses a %s that no account could be built with', async (field) => {
  await using router = await serving();
  const login = { client_id: 'a', client_secret: SAMPLE_SECRET };
  const account = { base_url: SAMPLE_BASE, token_url: `${SAMPLE_BASE}/oauth/token`, ...login };
  const ask = (fields: object) => {
    writeFileSync(join(router.installation.root, 'config/credentials.yaml'), stringify({ mgmt: fields }));
    return get(router.url, '/readyz');
  };
  expect(await ask(account)).toMatchObject({ status: 200, body: { status: 'ok' } });
  for (const address of ['nowhere', 'ftp://x.test', `https://user:${SAMPLE_SECRET}@x.test`, 'https://x.test/?q=1']) {
    const answer = await ask({ ...account, [field]: address });
    expect(answer).toMatchObject({
      status: 503,
      body: {
        status: 'not_ready',
        detail: { credentials_loadable: false, credentials_error: 'credential configuration is invalid' },
      },
    });
    expect(JSON.stringify(answer)).not.toContain(SAMPLE_SECRET);
  }
});

describe('readyz needs an account that can be used', () => {
  const complete = { base_url: SAMPLE_BASE, client_id: 'a', client_secret: SAMPLE_SECRET };
  const NONE = {
    status: 503,
    body: {
      status: 'not_ready',
      detail: {
        creds_path: expect.any(String),
        creds_path_exists: true,
        credentials_loadable: false,
        credentials_error: 'no served platform has a complete account',
      },
    },
  };

  test('not an empty file, a lone secret, an example, or the account of a platform that is not served', async () => {
    await using router = await serving({ SVC_MCP_PRODUCTS: '' });
    const ask = (text: string) => {
      writeFileSync(join(router.installation.root, 'config/credentials.yaml'), text);
      return get(router.url, '/readyz');
    };
    const unusable = [
      '',
      '# nothing yet\n',
      '{}\n',
      stringify({ mgmt: {} }),
      stringify({ mgmt: { ...complete, client_secret: '' } }),
      stringify({ mgmt: { base_url: SAMPLE_BASE, client_id: 'a' } }),
      stringify({ mgmt: { ...complete, client_secret: '<client secret>' } }),
      stringify({ mgmt: { ...complete, base_url: 'https://mgmt.example.com' } }),
      stringify({ nac: complete }),
    ];
    for (const text of unusable) {
      const answer = await ask(text);
      expect(answer, text).toEqual(NONE);
      expect(JSON.stringify(answer)).not.toContain(SAMPLE_SECRET);
      expect((await get(router.url, '/livez')).status).toBe(200);
    }
    expect(await ask(stringify({ workspace: {}, mgmt: complete }))).toMatchObject({ status: 200 });
  });

  test('the environment may complete it, and a router without platforms needs none', async () => {
    await using overridden = await serving({ SOURCE_CLIENT_ID: 'a', SOURCE_CLIENT_SECRET: SAMPLE_SECRET });
    await using local = await serving({ SVC_MCP_TOOLSETS: 'rag', SVC_MCP_PRODUCTS: '' });
    const ask = async ({ installation, url }: typeof local, content: object) => {
      writeFileSync(join(installation.root, 'config/credentials.yaml'), stringify(content));
      return (await get(url, '/readyz')).status;
    };
    expect(await ask(overridden, {})).toBe(503);
    expect(await ask(overridden, { mgmt: { base_url: SAMPLE_BASE } })).toBe(200);
    expect(await ask(local, {})).toBe(200);
  });
});

test('readyz reads the credentials file at every request and calls no platform', async () => {
  await using router = await serving();
  const path = join(router.installation.root, 'config/credentials.yaml');
  const good = `mgmt:\n  base_url: ${SAMPLE_BASE}\n  client_id: a\n  client_secret: ${SAMPLE_SECRET}\n`;
  expect(await get(router.url, '/readyz')).toEqual({
    status: 200,
    body: { status: 'ok', detail: { creds_path: path, creds_path_exists: true, credentials_loadable: true } },
  });
  rmSync(path);
  expect(await get(router.url, '/readyz')).toEqual({
    status: 503,
    body: {
      status: 'not_ready',
      detail: {
        creds_path: path,
        creds_path_exists: false,
        credentials_loadable: false,
        credentials_error: 'credentials file does not exist',
      },
    },
  });
  expect((await get(router.url, '/livez')).status).toBe(200);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `mgmt:\n  client_secret: [${SAMPLE_SECRET}\n`);
  const broken = await get(router.url, '/readyz');
  expect(broken).toMatchObject({
    status: 503,
    body: {
      detail: {
        creds_path_exists: true,
        credentials_loadable: false,
        credentials_error: 'credential configuration is invalid',
      },
    },
  });
  expect(JSON.stringify(broken)).not.toContain(SAMPLE_SECRET);
  writeFileSync(path, good);
  expect((await get(router.url, '/readyz')).status).toBe(200);
  rmSync(path);
  mkdirSync(path);
  expect(await get(router.url, '/readyz'), 'an unexpected failure names only its type').toMatchObject({
    status: 503,
    body: { detail: { credentials_error: 'Error' } },
  });
});
