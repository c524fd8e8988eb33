/** What is said of a server none of whose calls was taken: an address, a path and a credential are three remedies. */
import { expect, test } from 'vitest';
import type { LedgerEntry, Recording } from '../recording/recording.ts';
import { judgeGates, READ_TASKS } from './try-result.ts';
import { unmeasured, unreachedReason, unreadTools, waitingTools } from './unreached.ts';

const CALL = { n: 1, kind: 'call', tool: 'list', sent: {}, received: [] } as Recording['transcript'][number];
const runs = (...calls: Partial<LedgerEntry>[]) => [
  { transcript: [CALL], ledger: [] },
  {
    transcript: [],
    ledger: calls.map(
      (call) => ({ method: 'GET', path: '/pets', template: '/pets', status: 200, ...call }) as LedgerEntry,
    ),
  },
];
const STRANGE = { path: '/v1/pets', template: null, status: 404 };
const REFUSED = { status: 401 };

test.each<[string, Partial<LedgerEntry>[], RegExp | undefined]>([
  ['no call', [], /no call of the server reached the fake API: give it the address/],
  ['paths of another document', [STRANGE, STRANGE], /does not have, the first was GET \/v1\/pets/],
  ['another credential', [REFUSED, { status: 403 }, STRANGE], /refused the credential of every call/],
  ['one call that was taken', [STRANGE, REFUSED, {}], undefined],
  ['one call that was refused for another reason', [REFUSED, { status: 404 }], undefined],
])('%s', (_, calls, said) => {
  const reason = unreachedReason(runs(...calls), true);
  if (said === undefined) expect(reason).toBeUndefined();
  else expect(reason).toMatch(said);
});

test('tools that cannot be matched may be why nothing was called', () => {
  expect(unreachedReason(runs(), false)).toContain('or a tool whose name or description says which operation');
  expect(unreachedReason([{ ledger: [], transcript: [] }], false)).toMatch(/^no tool of the server was called/);
  expect(unreachedReason([], false)).toBeUndefined();
});

test('a server that leaves out the path of the address is told so', () => {
  const lost = { ...CALL, received: ['HTTP 404 {"errorCode":"UNKNOWN_PLACE"}'] };
  expect(unreachedReason([{ ledger: [], transcript: [lost] }], true)).toMatch(/left out the path of the address/);
});

test('a server that was refused every call holds no gate', () => {
  const result = {
    scores: [],
    agents: [],
    revisions: [],
    rows: [{ calls: 1 }],
    writes: null,
    deaths: 0,
    malformed: null,
  };
  const judged = (why?: string) => judgeGates(result as never, { maxUnapproved: 0 }, undefined, why);
  expect(judged().findings).toEqual([]);
  expect(judged('because').findings).toMatchObject([{ gate: 'unreached', actual: 'none in 1 runs: because' }]);
});

test('tools that never answer with JSON are named, and hold no gate of success', () => {
  const run = (...answers: [tool: string, text: string][]) =>
    ({
      ledger: answers.map((_, i) => ({ seq: i + 1, method: 'GET', status: 200 })),
      transcript: answers.map(([tool, text], i) => ({
        kind: 'call',
        tool,
        received: [text],
        isError: false,
        calls: [i + 1],
      })),
    }) as unknown as Recording;
  const table = '| id | name |\n| --- | --- |\n| 7 | Rex |';
  expect(unreadTools([run(['list', table]), run(['get', '- **id**: 7'])])).toEqual({
    tools: ['list', 'get'],
    isAll: true,
  });
  expect(unreadTools([run(['list', table]), run(['get', 'Found: {"id": 7}'])])).toEqual({
    tools: ['list'],
    isAll: false,
  });
  expect(unreadTools([run(['list', 'No rows.'], ['list', '[{"id": 7}]'])])).toEqual({ tools: [], isAll: false });
  expect(unreadTools([])).toEqual({ tools: [], isAll: false });
  const notApplicable = [{ measure: READ_TASKS, reason: 'no JSON' }];
  const result = {
    scores: [],
    agents: [],
    revisions: [],
    rows: [{ calls: 1 }],
    deaths: 0,
    malformed: null,
    notApplicable,
  };
  expect(judgeGates(result as never, { minSuccess: 0 }).findings).toMatchObject([
    { gate: 'min-success', actual: 'no JSON' },
  ]);
});

test('a tool that waits for a second step is told from one that sends, asks or fails', () => {
  const run = (tool: string, calls: number[], ...kinds: string[]) =>
    ({
      transcript: [...kinds.map((kind) => ({ kind })), { kind: 'call', tool, isError: false, calls }],
    }) as unknown as Recording;
  const operationOf = (tool: string) => (tool === 'get' ? 'GET /pets/{id}' : `PATCH /${tool}`);
  const runs = [
    run('edit', []),
    run('edit', []),
    run('add', []),
    run('add', [1]),
    run('ask', [], 'elicitation'),
    run('get', []),
  ];
  expect(waitingTools(runs, operationOf)).toEqual(['edit']);
  const waiting = runs.map((one) => ({ ...one, ledger: [] }));
  expect(unmeasured(waiting, operationOf)).toMatchObject([{ reason: expect.stringMatching(/^edit answered without/) }]);
});
