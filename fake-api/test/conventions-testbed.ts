/** One platform for the tests of its own ways: opened anew for each test, called as a client of it would. */
import type { Operation } from '../engine/openapi/served-operation.ts';
import { fixtureCall } from './fixture-call.ts';
import { shippedInstallation } from './full-installation.ts';
import { type Answered, PlatformClient } from './platform-client.ts';
import { type WholeList, wholeList } from './whole-list.ts';

export interface WaysTestbed {
  open: () => PlatformClient;
  operation: (id: string) => Operation;
  /** An operation called with arguments drawn from the fixture. */
  play: (client: PlatformClient, id: string, body?: unknown) => Answered & { path: string };
  /** A list read one entry per page. */
  onePerPage: (client: PlatformClient, id: string, path: string) => WholeList;
}

export async function waysTestbed(id: string): Promise<WaysTestbed> {
  const installation = await shippedInstallation([id]);
  const operation = (name: string): Operation => {
    const found = installation.platforms.get(id)?.byId.get(name);
    if (found === undefined) throw new Error(`operation: expected one of ${id}, got "${name}"`);
    return found;
  };
  return {
    open: () => new PlatformClient(installation, id),
    operation,
    play: (client, name, body) => {
      const call = fixtureCall(client.platform, client.state, operation(name), 0);
      if (call === null) throw new Error(`${name}: expected a row that its path could name, got none`);
      return { ...client.send({ ...call, body: body ?? call.body }), path: call.path };
    },
    onePerPage: (client, name, path) => wholeList(client, operation(name), { path, limit: 1 }),
  };
}

/** The same client without what lets it in. */
export function stranger(client: PlatformClient): PlatformClient {
  client.pass = { headers: {}, query: '' };
  return client;
}
