import { expect, test } from 'vitest';
import { toolOf } from '../../test/support/tools-in-memory.ts';
import { hintsOf } from './tool-annotations.ts';

const escalates = { field: '_action', values: { delete: 'destructive' } } as const;

test.each([
  ['a read', { method: 'GET', capability: 'read' }, [true, false, true, true]],
  ['a search by POST', { method: 'POST', capability: 'read' }, [true, false, true, true]],
  ['a diagnostic', { method: 'POST', capability: 'diagnostic' }, [false, false, false, true]],
  ['a create', { method: 'POST', capability: 'write' }, [false, false, false, true]],
  ['a replacement', { method: 'PUT', capability: 'write' }, [false, true, true, true]],
  ['a change of some fields', { method: 'PATCH', capability: 'write' }, [false, true, false, true]],
  ['a delete', { method: 'DELETE', capability: 'destructive' }, [false, true, true, true]],
  ['a reboot', { method: 'POST', capability: 'destructive' }, [false, true, false, true]],
  ['a set that can delete', { method: 'POST', capability: 'write', escalates }, [false, true, false, true]],
  ['a look-up in our own files', { method: 'LOCAL', capability: 'read', local: true }, [true, false, true, false]],
] as const)('%s says what a client may assume, and no more', (_, tool, [readOnly, destructive, idempotent, open]) => {
  expect(hintsOf(toolOf({ name: 'a', ...tool }).tool)).toEqual({
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: open,
  });
});

test('a batch reaches whatever the calls in it reach', () => {
  const batch = toolOf({ name: 'invoke_read_tool_batch', local: true, method: 'LOCAL' }).tool;
  expect(hintsOf(batch).openWorldHint).toBe(true);
});
