/** The MCP server object for both protocol eras: which tools a client sees, and how an answer goes on the wire. */
import {
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ConfirmationDesk } from './dispatch/confirmation.ts';
import { errorFields, type Logger } from './telemetry/logger.ts';
import { scrubValues } from './telemetry/redact.ts';
import type { PublicTool } from './tools/tool.ts';

export interface ProtocolOptions {
  version: string;
  instructions: string;
  tools: readonly PublicTool[];
  /** A tool that is not listed and yet has an answer, such as why it is not. */
  unlisted?: (name: string) => PublicTool | undefined;
  desk: ConfirmationDesk;
  /** Values that must not leave in any answer. */
  secrets: () => string[];
  /** Principal of a connection that carries no bearer token. */
  anonymous: string;
  logger: Logger;
}

/** The person may think for as long as the plan token lives. */
const ASK_TIMEOUT_MS = 300_000;

export function protocolFactory(options: ProtocolOptions): McpServerFactory {
  const { tools, desk, logger } = options;
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const definitions = tools.map((tool) => tool.definition).sort((a, b) => (a.name < b.name ? -1 : 1));
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  return ({ era }) => {
    const server = new Server(
      { name: 'svc-mcp-router', title: 'MCP Tool Router', version: options.version },
      {
        capabilities: { tools: {} },
        instructions: options.instructions,
        jsonSchemaValidator,
        requestState: { verify: desk.verifier(era) },
        inputRequired: { roundTimeoutMs: ASK_TIMEOUT_MS, maxRounds: 2 },
        cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' } },
      },
    );
    server.onerror = (error) => logger.debug('protocol.error', { era, ...errorFields(error) });
    server.setRequestHandler('tools/list', () => ({ tools: definitions }));
    server.setRequestHandler('tools/call', async (request, ctx) => {
      const { name, arguments: args = {} } = request.params;
      const tool = byName.get(name) ?? options.unlisted?.(name);
      if (!tool)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Unknown tool: ${name.slice(0, 100)}. Backend tools are called by name through invoke_read_tool or invoke_tool.`,
        );
      const answer = await tool.run(args, {
        principal: ctx.http?.authInfo?.clientId ?? options.anonymous,
        person: desk.person(ctx, era, server.getClientCapabilities()),
        signal: ctx.mcpReq.signal,
      });
      if (answer.kind === 'ask') return answer.question;
      const secrets = options.secrets();
      const result: CallToolResult = {
        content: answer.texts.map((text) => ({ type: 'text', text: scrubValues(text, secrets) })),
        ...(answer.isError ? { isError: true } : {}),
      };
      return server.projectCallToolResult(result, undefined);
    });
    return server;
  };
}
