/** A router over HTTP whose only platform document is given, with its writes open, before a platform that records what it gets. */
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { modernClient } from './modern-client.ts';
import { recordingUpstream } from './recording-upstream.ts';
import { sampleInstallation } from './sample-installation.ts';

export async function documentRouter(document: object) {
  const upstream = await recordingUpstream();
  const installation = sampleInstallation();
  installation.writeDocument('things.json', document);
  const config = installation.config({
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SOURCE_BASE_URL: upstream.origin,
    SVC_MCP_MGMT_WRITES: '1',
  });
  const router = await openRouter(config, createLogger('silent'));
  const served = await router.serveHttp();
  const client = modernClient(served.url);
  return {
    upstream,
    /** A person who is asked says yes. */
    call: async (dispatcher: string, name: string, args: object) =>
      JSON.parse((await client.call(dispatcher, { name, arguments: args }, 'accept')).texts[0] ?? '{}'),
    [Symbol.asyncDispose]: async () => {
      await served.close();
      router.close();
      installation[Symbol.dispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
