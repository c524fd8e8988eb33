/** An independent client: it shares no code with the protocol's own libraries. */
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { answerOf, walk } from './steps.ts';

await walk(async (url, token) => {
  const client = await createMCPClient({
    transport: { type: 'http', url, headers: { authorization: `Bearer ${token}` } },
    capabilities: { elicitation: {} },
  });
  client.onElicitationRequest(ElicitationRequestSchema, async () => ({ action: 'accept', content: { confirm: true } }));
  const tools = await client.tools();
  return {
    tools: async () => Object.keys(tools),
    call: async (name, args) =>
      answerOf(await tools[name]?.execute(args, { toolCallId: '1', messages: [], context: {} })),
    close: () => client.close(),
  };
});
