/** The agent on an installation that has nothing to do with networks: what it can do is general, or it is not there. */
import { describe, expect, test } from 'vitest';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import retrieval from '../retrieval.ts';
import { fill } from './fill.ts';
import { mentions } from './name-words.ts';
import { readIntent } from './task-intent.ts';

const text = (description: string) => ({ type: 'string', description });
/** What the answers are to hold. */
const TITLE = { title: text('Title of the book') };
const COPIES = { copies: { type: 'integer', description: 'Number of copies that the library has' } };
const LENT = {
  books: { type: 'array', description: 'Every such book', items: { type: 'object', properties: TITLE } },
};
const REFERENCE = { only_here: { type: 'boolean', description: 'Whether the book is for reference only' } };
const ROLES = { discover: 'look', dispatch_read: 'read', dispatch_any: 'run' };
const BOOKS = [
  { isbn: 'BK-1', title: 'Salt Marsh', shelf: 'north-2', state: 'LENT', branchId: 'b1', copies: 2 },
  { isbn: 'BK-2', title: 'Glass Rivers', shelf: 'north-3', state: 'IN', branchId: 'b2', copies: 1 },
  { isbn: 'BK-3', title: 'Iron Gulls', shelf: 'south-1', state: 'LENT', branchId: 'b2', copies: 4 },
];
const BRANCHES = [
  { code: 'b1', name: 'Castle Street' },
  { code: 'b2', name: 'River Lane' },
];

const isbn = { type: 'string', pattern: '^BK-\\d$' };
const TOOLS = [
  {
    name: 't1',
    description: 'List all books in the catalogue.',
    read_only: true,
    schema: {
      type: 'object',
      properties: {
        filter: { type: 'string', description: 'Conditions. Fields and operators: state (eq, in); branchId (eq)' },
        search: { type: 'string' },
      },
    },
  },
  {
    name: 't2',
    description: 'Get one book.',
    read_only: true,
    schema: { type: 'object', required: ['isbn'], properties: { isbn } },
  },
  { name: 't3', description: 'List all branches.', read_only: true, schema: { type: 'object', properties: {} } },
  {
    name: 't4',
    description: 'Change some fields of one book.',
    read_only: false,
    capability: 'write',
    schema: {
      type: 'object',
      required: ['isbn', 'body'],
      properties: {
        isbn,
        body: {
          type: 'object',
          properties: {
            copies: { type: 'integer' },
            shelf: { type: 'string' },
            'reference-only': { type: 'boolean' },
            state: { enum: ['IN', 'LENT'] },
          },
        },
      },
    },
  },
];

type Args = Record<string, unknown>;

/** Discovery by shared words, and the three tools behind two dispatchers; writes need the preview's token. */
function library(): McpClient & { sent: [string, Args][] } {
  const sent: [string, Args][] = [];
  const answer = (json: unknown, isError = false): ToolAnswer => ({ isError, texts: [JSON.stringify(json)], json });
  const look = ({ query }: Args) => {
    const words = String(query).toLowerCase().split(/\W+/);
    const score = (tool: (typeof TOOLS)[number]) =>
      (tool.name === query ? 100 : 0) +
      words.filter((word) => word.length > 3 && tool.description.toLowerCase().includes(word.slice(0, 5))).length;
    return answer([...TOOLS].sort((a, b) => score(b) - score(a)));
  };
  const invoke = (name: string, args: Args): ToolAnswer => {
    sent.push([name, args]);
    const conditions = [...String(args['filter'] ?? '').matchAll(/(\w+) eq '([^']+)'/g)];
    if (name === 't1') {
      const found = BOOKS.filter((book) => conditions.every(([, field, value]) => book[field as 'state'] === value));
      return answer({ items: found.filter((book) => JSON.stringify(book).includes(String(args['search'] ?? ''))) });
    }
    if (name === 't2')
      return answer(
        BOOKS.find((book) => book.isbn === args['isbn']) ?? { code: 'not_found' },
        !BOOKS.some((b) => b.isbn === args['isbn']),
      );
    if (name === 't3') return answer({ items: BRANCHES });
    if (args['dry_run'] === true) return answer({ plan_token: 'plan' });
    return args['plan_token'] === 'plan' && args['confirm'] === true
      ? answer({ isbn: args['isbn'], ...(args['body'] as Args) })
      : answer({}, true);
  };
  return {
    sent,
    calls: 0,
    listTools: async () => [],
    callTool: async (tool, args) =>
      tool === 'look' ? look(args) : invoke(String(args['name']), args['arguments'] as Args),
  };
}

const solve = async (intent: string, properties: Record<string, unknown> = TITLE, mcp = library()) => ({
  answer: await retrieval.solve(
    { intent, answer: { type: 'object', properties }, limits: { maxCalls: 40, timeoutMs: 1_000 }, roles: ROLES },
    mcp,
  ),
  sent: mcp.sent,
});

describe('on a library', () => {
  test('an identifier in the question goes into the tool that has a place for it', async () => {
    expect((await solve('Where is the book BK-2?')).answer).toEqual({ title: 'Glass Rivers' });
  });

  test('a name becomes an id through the list of the things it names', async () => {
    const { answer, sent } = await solve('Set the copies of the book "Iron Gulls" to 9.', COPIES);
    expect(answer).toEqual({ copies: 9 });
    expect(sent.at(-1)).toEqual([
      't4',
      { isbn: 'BK-3', body: { copies: 9 }, dry_run: false, confirm: true, plan_token: 'plan' },
    ]);
  });

  test('a list is narrowed by the state that was named, and by an owner known only under its name', async () => {
    const { answer, sent } = await solve('Which books at River Lane are LENT?', LENT);
    expect(answer).toEqual({ books: [{ title: 'Iron Gulls' }] });
    expect(sent.map(([name]) => name)).toEqual(expect.arrayContaining(['t1', 't3']));
  });

  test('a switch is set by its own verb and cleared by its negation', async () => {
    const on = await solve('Make the book BK-1 reference only.', REFERENCE);
    expect(on.answer).toEqual({ only_here: true });
    const off = await solve('Change the book BK-1: not reference only.', REFERENCE);
    expect(off.answer).toEqual({ only_here: false });
  });

  test('a question never reaches a writing tool', async () => {
    const { sent } = await solve('Should somebody change the copies of book BK-1?');
    expect(sent.map(([name]) => name)).not.toContain('t4');
  });

  test('a task that no agent can solve gets no answer', async () => {
    expect((await solve('Which books at "Nowhere Hall" are LENT?')).answer).toBeUndefined();
  });
});

describe('an intent', () => {
  test.each([
    ['How many clients are there?', 'read'],
    ['Somebody wants to delete it, is it still in use?', 'read'],
    ['Please restart the thing 7-AB.', 'change'],
    ['It is slow. Reboot it if that helps.', 'change'],
    ['Ping 10.0.0.1 from the roof.', 'diagnose'],
  ])('%s is a wish to %s', (text, wish) => {
    expect(readIntent(text).class).toBe(wish);
  });

  test('gives away typed values, each once', () => {
    const text =
      'Move 02:aa:bb:cc:dd:ee (serial number ABCDEFGH) at Castle Street to 10.1.2.3 with version 10.7.1.1, note "as agreed", 40 times.';
    expect(readIntent(text).mentions.map(({ kind, value }) => [kind, value])).toEqual([
      ['mac', '02:aa:bb:cc:dd:ee'],
      ['identifier', 'ABCDEFGH'],
      ['capitalised', 'Castle Street'],
      ['ip', '10.1.2.3'],
      ['version', '10.7.1.1'],
      ['quoted', 'as agreed'],
      ['number', '40'],
    ]);
  });

  test.each([
    [
      'Change the password of the reader "Ada Stone". The new one reads "marsh-gull-77".',
      ['Ada Stone', 'marsh-gull-77'],
    ],
    ['Rotate the pre-shared key to "marsh-gull-77".', ['marsh-gull-77']],
    ['Change the title of BK-1 to "Secret Key".', []],
  ])('%s holds the secrets %j', (text, secrets) => {
    const { mentions: found } = readIntent(text);
    expect(found.filter((mention) => mention.secret).map((mention) => mention.value)).toEqual(secrets);
  });

  test('knows what a value is called also where a UUID stands between', () => {
    const { mentions: found } = readIntent(
      'Set the name of room c13ff367-11e8-4966-9995-17eb446658d4 to quartz-harrier.',
    );
    expect(found.at(-1)).toMatchObject({ value: 'quartz-harrier', before: ['room', 'name', 'set'] });
  });

  test('never puts a secret where it would be shown again', () => {
    const input = (name: string, schema: object) => ({
      path: ['body', name],
      name,
      required: true,
      schema,
      description: '',
    });
    const operation = {
      name: 't',
      description: 'Change some fields of one reader.',
      read_only: false,
      destructive: false,
      hasBody: true,
      inputs: [input('title', { type: 'string' }), input('pin', { type: 'string', writeOnly: true })],
    };
    const { arguments: args } = fill(
      operation as never,
      readIntent('The new password of the reader is "marsh-gull-77".'),
    );
    expect(args).toEqual({ body: { pin: 'marsh-gull-77' } });
  });

  test.each([
    ['the depot-ap-03.', 'depot-ap-03', true],
    ['the depot-ap-031', 'depot-ap-03', false],
    ['state UPGRADE_REQUIRED?', 'UPGRADE_REQUIRED', true],
    ['an upgrade required now', 'UPGRADE_REQUIRED', true],
    ['version 10.6.0.21', '10.6.0.2', false],
  ])('%s mentions %s: %s', (text, value, expected) => {
    expect(mentions(text, value)).toBe(expected);
  });
});
