/** An agents SDK. It cannot put a question to a person, so a write has to be refused. */
import { MCPServerStreamableHttp } from '@openai/agents';
import { answerOf, walk } from './steps.ts';

await walk(async (url, token) => {
  const server = new MCPServerStreamableHttp({
    url,
    name: 'agents-sdk',
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await server.connect();
  return {
    tools: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, args) => {
      const result: unknown = await server.callTool(name, args);
      // Some versions hand out the content alone.
      return answerOf(Array.isArray(result) ? { content: result } : result);
    },
    close: () => server.close(),
  };
});
