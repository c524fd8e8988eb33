/** The two questions that search asks a catalog, answered from memory: exact texts, and a tool by its number. */
import type { Catalog } from '../../../catalog/tool-catalog.ts';
import type { Entry } from './tool-corpus.ts';

export function inMemoryCatalogOf(tools: readonly Entry[]): Pick<Catalog, 'exactly' | 'toolAt'> {
  const exact = new Map<string, number[]>();
  tools.forEach(({ tool }, id) => {
    const keys = [tool.name, tool.line, tool.operationId ?? '', template(`${tool.method} ${tool.path}`)];
    for (const key of new Set(keys.map((text) => text.toLowerCase()))) {
      if (key === '') continue;
      const ids = exact.get(key);
      if (ids) ids.push(id);
      else exact.set(key, [id]);
    }
  });
  return {
    exactly: (text) => exact.get(template(text).toLowerCase()) ?? [],
    toolAt: (id) => (tools[id] as Entry).tool,
  };
}

const template = (text: string) => text.trim().replace(/\{[^}]*\}/g, '{}');
