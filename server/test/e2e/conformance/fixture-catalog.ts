/** Resources, prompts and completions that the conformance suite asks for. The router has none of its own. */
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { PIXEL } from './fixture-tools.ts';

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;
const NO_CHANGE = { ttlMs: 60_000, cacheScope: 'public' as const };

export function addFixtureCatalog(server: Server): void {
  server.registerCapabilities({ resources: { subscribe: true }, prompts: {}, completions: {} });
  addResources(server);
  addPrompts(server);
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({
    resources: [
      { uri: 'test://static-text', name: 'static text', description: 'A text', mimeType: 'text/plain' },
      { uri: 'test://static-binary', name: 'static binary', description: 'A pixel', mimeType: 'image/png' },
      { uri: 'test://watched-resource', name: 'watched', description: 'To subscribe to', mimeType: 'text/plain' },
    ],
    ...NO_CHANGE,
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'By id',
        mimeType: 'application/json',
      },
    ],
    ...NO_CHANGE,
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentOf(uri)], ...NO_CHANGE }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function contentOf(
  uri: string,
): { uri: string; mimeType: string; text: string } | { uri: string; mimeType: string; blob: string } {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
  }
  switch (uri) {
    case 'test://static-text':
      return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
    case 'test://watched-resource':
      return { uri, mimeType: 'text/plain', text: 'Watched.' };
    case 'test://static-binary':
      return { uri, mimeType: 'image/png', blob: PIXEL };
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri });
  }
}

const ARGUMENT = (name: string) => ({ name, description: 'A test argument', required: true });

const PROMPTS = [
  { name: 'test_simple_prompt', description: 'A simple prompt' },
  {
    name: 'test_prompt_with_arguments',
    description: 'With arguments',
    arguments: [ARGUMENT('arg1'), ARGUMENT('arg2')],
  },
  { name: 'test_prompt_with_embedded_resource', description: 'With a resource', arguments: [ARGUMENT('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'With an image' },
  { name: 'test_input_required_result_prompt', description: 'Asks first' },
];

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS, ...NO_CHANGE }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    switch (name) {
      case 'test_simple_prompt':
        return { messages: [words('This is a simple prompt for testing.')] };
      case 'test_prompt_with_arguments':
        return { messages: [words(`Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`)] };
      case 'test_prompt_with_embedded_resource': {
        const resource = {
          uri: String(args['resourceUri']),
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        };
        return {
          messages: [
            { role: 'user', content: { type: 'resource', resource } },
            words('Please process the embedded resource above.'),
          ],
        };
      }
      case 'test_prompt_with_image':
        return {
          messages: [
            { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
            words('Please analyze the image above.'),
          ],
        };
      case 'test_input_required_result_prompt': {
        const view = inputResponse(mcpReq.inputResponses, 'user_context');
        if (view.kind === 'elicit') return { messages: [words(`Context: ${JSON.stringify(view.content)}`)] };
        const asked = inputRequired.elicit({
          message: 'What context should the prompt use?',
          requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
        });
        return inputRequired({ inputRequests: { user_context: asked } });
      }
      default:
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    }
  });
}

function words(text: string): { role: 'user'; content: { type: 'text'; text: string } } {
  return { role: 'user', content: { type: 'text', text } };
}
