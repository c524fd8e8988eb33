import { expect, test } from 'vitest';
import { operationKey } from '../catalog/database.ts';
import type { Tool } from '../catalog/tool.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { collectionKey, readsOf } from './sibling-tools.ts';

test.each(['', '/', '.json'])(
  'list, entry and count of one resource are told by their paths, also where all end in "%s"',
  (ending) => {
    const at = (name: string, path: string) => toolOf({ name, line: name, path: `${path}${ending}` }).tool;
    const tools = [at('list', '/sites'), at('entry', '/sites/{id}'), at('count', '/sites/count')];
    const catalog = {
      wrapping: (operation: string): Tool[] =>
        tools.filter(({ method, path }) => operationKey(`${method} ${path}`) === operationKey(operation)),
    };
    expect(new Set(tools.map(collectionKey)).size).toBe(1);
    for (const tool of tools) {
      const { list, entry, others } = readsOf(tool, catalog);
      expect([list?.name, entry?.name, others.map(({ name }) => name)]).toEqual(['list', 'entry', ['count']]);
    }
  },
);
