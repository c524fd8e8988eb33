import { expect, it } from 'vitest';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import { type ArgumentProblem, refuseArgument } from './invalid-argument.ts';
import { Validators } from './validate.ts';

const schemaOf = (name: string): JsonSchema => ({
  type: 'object',
  required: ['site'],
  properties: {
    site: { type: 'string', maxLength: 40, description: `of ${name}` },
    radio: { $ref: '#/$defs/radio' },
    radios: { type: 'array', items: { $ref: '#/$defs/radio' } },
  },
  $defs: { radio: { type: 'object', properties: { channel: { enum: [1, 6, 11] }, width: { type: 'integer' } } } },
});

it('keeps answering rightly for a tool that was called long ago', () => {
  const validators = new Validators(schemaOf);
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 400; n++) {
      const tool = { name: `tool_${n}`, secrets: [] as readonly string[] } as Tool;
      expect(validators.problems(tool, { site: 'lab', radio: { channel: 6 } })).toEqual([]);
      expect(validators.problems(tool, { site: 'lab', radio: { channel: 7 } })).toHaveLength(1);
    }
});

it.each([
  ['email', ['root@nms', 'a.b@example.com', 'alerts@[192.0.2.1]'], ['root', 'root@', 'a b@nms', '.a@nms', 'a@-nms']],
  ['hostname', ['hq_sw1', '_sip._tcp.example.com', 'nms', 'a.b.'], ['', 'a b', '-a', 'a..b', 'a'.repeat(64)]],
])('takes as %s what network equipment has, and nothing else', (format, right, wrong) => {
  const validators = new Validators(() => ({ type: 'object', properties: { text: { type: 'string', format } } }));
  const problems = (text: string) =>
    validators.problems({ name: 'set', secrets: [] as readonly string[] } as unknown as Tool, { text });
  for (const text of right) expect([text, problems(text)]).toEqual([text, []]);
  for (const text of wrong) expect([text, problems(text).length]).toEqual([text, 1]);
  const began = performance.now();
  problems(`${'a.'.repeat(50_000)}@`);
  problems(`${'a-'.repeat(50_000)}`);
  expect(performance.now() - began).toBeLessThan(1_000);
});

it('takes what is a multiple in decimals, and nothing else', () => {
  const validators = new Validators(() => ({ type: 'object', properties: { amount: { multipleOf: 0.01 } } }));
  const problems = (amount: number) =>
    validators.problems({ name: 'pay', secrets: [] as readonly string[] } as unknown as Tool, { amount });
  for (const amount of [19.99, 0.07, 4.35]) expect(problems(amount)).toEqual([]);
  expect(problems(19.995)).toHaveLength(1);
});

it.each([
  [{ status: 'OFFLINE' }, 'is not known here; status belongs in filter'],
  [{ site: 'hq' }, 'is not known here; siteId belongs in filter'],
  [{ conditions: 'x' }, 'is not known here; known are filter, limit, start'],
  [{ statr: 1 }, 'is not known here; did you mean start?'],
])('%j: %s', (args, expected) => {
  const filter = { type: 'string', description: 'Conditions such as "status eq \'UP\'". Fields: status, siteId' };
  const properties = { filter, limit: { type: 'integer' }, start: { type: 'integer' } };
  const validators = new Validators(() => ({ type: 'object', properties, additionalProperties: false }));
  const tool = { name: 'list', platform: 'lab', secrets: [] as readonly string[] } as unknown as Tool;
  const [problem] = validators.problems(tool, args);
  expect(problem?.expected).toBe(expected);
  const { refusal } = refuseArgument({ tool: 'list', platform: 'lab' }, problem as ArgumentProblem);
  const said = expected.includes('belongs')
    ? /^call again with \w+ in filter: Conditions such as "status eq 'UP'"/
    : /^call again with \/\w+ corrected$/;
  expect(refusal['next_action']).toMatch(said);
});

it.each([
  [{ id: 'a', enable: false }, '`/enable` is not known here; enable belongs in body', 'call again with enable in body'],
  [
    { objectId: 'a', body: {} },
    '`/objectId` is not known here; did you mean id?',
    'call again with id in place of /objectId',
  ],
])('%j: what was meant is said before what is missing', (args, message, next_action) => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string' }, body: { $ref: '#/$defs/Patch' } },
    required: ['id', 'body'],
    additionalProperties: false,
    $defs: { Patch: { type: 'object', properties: { enable: { type: 'boolean' } } } },
  };
  const tool = { name: 'change', platform: 'lab', secrets: [] as readonly string[] } as unknown as Tool;
  const [first, ...others] = new Validators(() => schema).problems(tool, args);
  const { refusal } = refuseArgument({ tool: 'change', platform: 'lab' }, first as ArgumentProblem, others);
  expect(refusal).toMatchObject({ message: expect.stringContaining(message), next_action });
});

it.each([
  [{ name: 'x', macAddress: 'a' }, 'belongs inside of /arguments', 'call again with macAddress in arguments'],
  [{ name: 'x', dry_run: false }, 'belongs inside of /arguments', 'call again with dry_run in arguments'],
  [
    { name: 'x', args: { id: 1 } },
    'is not known here; did you mean arguments?',
    'call again with arguments in place of /args',
  ],
  [{ tool: 'x' }, 'is not known here; known are name, arguments', 'call again with /tool corrected'],
])('%j beside the arguments of a call', (args, expected, next_action) => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object' } },
    additionalProperties: false,
  };
  const tool = { name: 'run', platform: 'lab', secrets: [] as readonly string[] } as unknown as Tool;
  const [problem] = new Validators(() => schema).problems(tool, args);
  const { refusal } = refuseArgument({ tool: 'run', platform: 'lab' }, problem as ArgumentProblem);
  expect(refusal).toMatchObject({ expected, next_action });
});

it('names all fields of an object that was read and cannot be sent back', () => {
  const body = { type: 'object', properties: { ssid: {}, enabled: {} }, additionalProperties: false };
  const validators = new Validators(() => ({ type: 'object', properties: { body } }));
  const tool = { name: 'replace', platform: 'lab', secrets: [] as readonly string[] } as unknown as Tool;
  const read = { ssid: 'a', created_at: 1, modified_at: 2, org_id: 3, enabled: true };
  const [problem, ...others] = validators.problems(tool, { body: read });
  expect(others).toEqual([]);
  const { refusal } = refuseArgument({ tool: 'replace', platform: 'lab' }, problem as ArgumentProblem);
  expect(refusal).toMatchObject({
    pointer: '/body/created_at',
    expected: 'is not known here, nor are modified_at, org_id; known are ssid, enabled',
    next_action: 'call again without the names that are not known here',
  });
});
