import { expect, test } from 'vitest';
import { ensureCatalog } from '../catalog/ensure.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { OutboundClient } from '../outbound/client.ts';
import { Logins } from '../outbound/logins.ts';
import { TokenCache } from '../outbound/token-cache.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { json, type SampleNetwork, sampleNetwork } from '../test/support/sample-network.ts';
import { Admission } from './admission.ts';
import { Validators } from './validate.ts';
import { readTarget, type TargetRead } from './write-target.ts';

interface Bench extends Disposable {
  network: SampleNetwork;
  read: (name: string, args: Record<string, unknown>) => Promise<TargetRead>;
}

function bench(): Bench {
  const installation = sampleInstallation();
  const network = sampleNetwork();
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1' });
  const { catalog } = ensureCatalog(config);
  const logger = createLogger('silent');
  const outbound = new OutboundClient({
    access: config.access,
    credentials: new CredentialsStore(config.credentialsPath, config.credentialOverrides),
    logins: new Logins({ cache: new TokenCache(config.tokenCacheDir, () => {}), secrets: logger.secrets }),
    ratePerSecond: config.ratePerSecond,
    timeoutMs: config.callTimeoutMs,
    logger,
  });
  const validators = new Validators((name) => catalog.schema(name));
  const admission = new Admission(config, catalog, validators, new Map());
  return {
    network,
    read: async (name, args) => {
      const call = {
        dispatcher: 'invoke_tool' as const,
        name,
        arguments: args,
        principal: 'local',
        approver: approver(),
      };
      const admitted = admission.admit(call, catalog.tool(name));
      if ('kind' in admitted || 'run' in admitted) throw new Error(`not admitted: ${JSON.stringify(admitted)}`);
      return readTarget(admitted, { catalog, validators, outbound });
    },
    [Symbol.dispose]: () => {
      catalog.close();
      network[Symbol.dispose]();
      installation[Symbol.dispose]();
    },
  };
}

test('the object of a write is read on its own path, with its entity tag', async () => {
  using b = bench();
  b.network.respond(() => json({ name: 'radius-1', 'auth-port': 1812 }, 200, { etag: '"7"' }));
  expect(await b.read('mgmt_update_auth_server', { name: 'radius-1', body: { 'auth-port': 1912 } })).toEqual({
    kind: 'found',
    source: 'GET /auth-servers/radius-1',
    object: { name: 'radius-1', 'auth-port': 1812 },
    etag: '"7"',
    secrets: ['shared-secret'],
  });
  expect(b.network.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /auth-servers/radius-1']);
});

test('the object of an action is the one above it', async () => {
  using b = bench();
  b.network.respond(() => json({ serial: 'CN1', name: 'ap-lobby' }));
  expect(await b.read('mgmt_reboot_access_point', { serial: 'CN1' })).toEqual({
    kind: 'found',
    source: 'GET /access-points/CN1',
    object: { serial: 'CN1', name: 'ap-lobby' },
    etag: undefined,
  });
});

test.each([
  [404, { kind: 'missing', source: 'GET /access-points/CN1' }],
  [403, { kind: 'unknown', source: 'GET /access-points/CN1', why: 'the platform answered 403' }],
  [500, { kind: 'unknown', source: 'GET /access-points/CN1', why: 'the platform answered 500' }],
])('an answer of %i says no more than it can', async (status, expected) => {
  using b = bench();
  b.network.respond(() => json({ message: 'no' }, status));
  expect(await b.read('mgmt_reboot_access_point', { serial: 'CN1' })).toEqual(expected);
});
