import { expect, test } from 'vitest';
import type { AdmittedCall } from './dispatch-call.ts';
import { type Impact, REQUEST_ALONE } from './impact.ts';
import { previewNotes, shownRequest } from './shown-request.ts';

const notes = (impact: Impact) => previewNotes({ impact });

test('a value is shown as JSON: texts in quotation marks, whatever else as it is sent', () => {
  const impact: Impact = {
    would_change: [
      { field: 'port', from: '5', to: 5 },
      { field: 'vlan', from: null, to: 'null' },
      { field: 'key', to: 'n\u200bew' },
    ],
    would_add: [{ field: 'rules', to: [{ id: 1, text: 'a\nAdds "b": 1' }] }],
  };
  expect(notes(impact)).toEqual([
    'Changes "port": "5" → 5',
    'Changes "vlan": null → "null"',
    'Sets "key": "n\\u200bew"',
    'Adds "rules": [{"id":1,"text":"a\\nAdds \\"b\\": 1"}]',
  ]);
});

test('a request that nothing is compared with says so', () => {
  expect(notes({ source: REQUEST_ALONE, would_send: [{ field: 'vlan_id', to: 60 }] })).toEqual([
    'Compared with: nothing',
    'Sends "vlan_id": 60',
  ]);
});

test('a secret in the query is told to the agent by its length', () => {
  const request = { method: 'POST', path: '/a', query: 'site=hq&admin-password=hunter22&flag' };
  const admitted = { tool: { secrets: [] }, request } as unknown as AdmittedCall;
  expect(shownRequest(admitted)).toEqual({ ...request, query: 'site=hq&admin-password=********&flag' });
});
