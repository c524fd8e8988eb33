/** Assembles the router from a configuration: catalog, search, dispatch, tools, protocol, transport. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { decideFor } from './access/access.ts';
import type { Catalog } from './catalog/store.ts';
import type { Tool } from './catalog/tool.ts';
import type { Config } from './config/config.ts';
import { openDispatch } from './dispatch/open.ts';
import { buildHttp, listen } from './http/server.ts';
import { SESSION_LIMITS } from './http/sessions.ts';
import { openLocalTools } from './local/registry.ts';
import { openFinder, openServedCatalog, version } from './open-catalog.ts';
import { protocolFactory } from './protocol.ts';
import type { Finder } from './search/find.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { disabledSnapshot, Metrics, type SettledCall } from './telemetry/metrics.ts';
import { counted } from './tools/counted.ts';
import { findTool } from './tools/find-tool.ts';
import { invokeReadTool } from './tools/invoke-read-tool.ts';
import { invokeTool } from './tools/invoke-tool.ts';
import type { PublicTool } from './tools/tool.ts';

export interface Router {
  /** The protocol server for both transports. */
  factory: McpServerFactory;
  /** The public surface of this mode, chosen by hand below. */
  tools: readonly PublicTool[];
  instructions: string;
  finder: Finder;
  catalog: Catalog;
  /** Serves HTTP until closed; answers the address a client uses. */
  serveHttp: () => Promise<{ url: string; close: () => Promise<void> }>;
  close: () => void;
  [Symbol.dispose]: () => void;
}

export function openRouter(config: Config, logger: Logger = createLogger(config.logLevel)): Router {
  const { catalog, built } = openServedCatalog(config, logger);
  if (built)
    logger.info('catalog.built', { tools: catalog.summary.tools, quarantined: catalog.summary.quarantined.length });
  const visible = (tool: Tool) => decideFor(config, tool.platform, tool.capability).visible;
  const local = openLocalTools({ config, catalog, visible }, config.localToolsets);
  const metrics = config.metrics.collect ? new Metrics({ waits: () => waits() }) : undefined;
  const settled = metrics && ((call: SettledCall) => metrics.record(call));
  const { dispatch, desk, credentials, waits } = openDispatch(config, catalog, logger, local, settled);
  const finder = openFinder(config, catalog);
  const tools = [
    counted(
      findTool(finder, (tool) => dispatch.schema(tool), config.platforms),
      settled,
    ),
    invokeReadTool(dispatch),
    invokeTool(dispatch),
  ];
  const instructions = instructionsFor(config);
  const anonymous = config.transport === 'stdio' ? 'local' : 'anonymous';
  const factory = protocolFactory({ version, instructions, tools, desk, anonymous, logger });
  const close = () => catalog.close();
  return {
    factory,
    tools,
    instructions,
    finder,
    catalog,
    serveHttp: async () => {
      const app = buildHttp({
        binding: config.http,
        credentials: () => credentials.state(),
        ...(config.metrics.route ? { metrics: () => metrics?.snapshot() ?? disabledSnapshot() } : {}),
        mcp: { factory, stateless: config.stateless, limits: SESSION_LIMITS, logger },
        logger,
      });
      const { host, port } = await listen(app, config.http);
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`, close: () => app.close() };
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** What a model reads once per connection. Every sentence changes what it does next. */
function instructionsFor(config: Config): string {
  const writes =
    config.access.readonly || config.access.profile === 'safe-read-only' ? 'This router is read-only. ' : '';
  return (
    'Reach thousands of network-platform operations through three tools. 1) find_tool with the task in plain words (object and action). ' +
    '2) Reads: invoke_read_tool with the name and arguments. 3) Diagnostics and changes: invoke_tool. ' +
    `${writes}A change is previewed first (dry_run defaults to true); show the preview, then apply it with dry_run: false, confirm: true and its plan_token. ` +
    'Names and ids come from list tools: never guess them. A started job answers with `poll`: call that tool until it ends. ' +
    'A refusal has isError and a code; read its hint and do not retry unchanged.'
  );
}
