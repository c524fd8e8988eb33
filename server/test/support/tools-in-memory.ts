/** Tools for tests of search that need no document and no file: made from the few fields a test is about. */
import type { SearchText, Tool } from '../../catalog/tool.ts';

export function toolOf(own: Partial<Tool> & { name: string }): { tool: Tool; text: SearchText } {
  const tool: Tool = {
    platform: 'mgmt',
    backend: 'mgmt-config',
    document: 'sample',
    operationId: null,
    method: 'GET',
    path: `/${own.name}`,
    capability: 'read',
    evidence: { by: 'method', detail: 'GET' },
    line: `${own.name}.`,
    description: own.line ?? `${own.name}.`,
    params: [],
    parameters: [],
    body: null,
    secrets: [],
    deprecated: false,
    ...own,
  };
  return {
    tool,
    text: {
      kind: '',
      aliases: [],
      questions: [],
      distinguish: '',
      fields: [],
      details: [],
      scope: '',
      tag: '',
    },
  };
}
