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
