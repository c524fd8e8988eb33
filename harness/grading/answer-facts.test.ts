import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AnswerSchema } from '../scenario/scenario-schema.ts';
import { differencesOf, factsIn, refusalIn } from './answer-facts.ts';

const SCHEMA: AnswerSchema = {
  type: 'object',
  properties: {
    access_point: { type: 'string', description: 'name of it' },
    state: { type: 'string', description: 'as the platform says it', tolerance: { case: 'ignore' } },
    clients: { type: 'integer', description: 'how many there are' },
    seen: { type: 'string', format: 'date-time', description: 'when it was seen' },
    vlans: { type: 'array', description: 'its networks', items: { type: 'integer' } },
  },
};
const FACTS = {
  access_point: 'hq-ap-01',
  state: 'POWER_LOST',
  clients: 12,
  seen: '2026-03-02T08:20:00Z',
  vlans: [10, 30],
};
const isSolved = (answer: unknown) => differencesOf(factsIn(answer, SCHEMA), FACTS, SCHEMA).length === 0;

/** The same facts as five agents would print them. */
const SHAPES: [string, (facts: object) => unknown][] = [
  ['as they were asked for', (facts) => facts],
  ['JSON in prose', (facts) => `Here is what I found:\n\`\`\`json\n${JSON.stringify(facts)}\n\`\`\`\nAnything {else}?`],
  ['an envelope', (facts) => ({ status: 'ok', result: { data: facts } })],
  ['a list of one row', (facts) => ({ items: [facts], total: 1 })],
  ['reordered', (facts) => Object.fromEntries(Object.entries(facts).reverse())],
  ['with more fields', (facts) => ({ ...facts, model: 'AX-5', note: null, nested: { deep: true } })],
  ['in other spellings of the names', (facts) => rename(facts, (name) => name.replaceAll('_', '-').toUpperCase())],
];

const rename = (facts: object, change: (name: string) => string) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [change(name), value]));

describe.each(SHAPES)('facts %s', (_name, shaped) => {
  test('are solved when all are right', () => {
    expect(isSolved(shaped(FACTS))).toBe(true);
  });

  test.each([
    ['another name', { access_point: 'hq-ap-02' }],
    ['another state', { state: 'ONLINE' }],
    ['a number beside it', { clients: 13 }],
    ['another moment', { seen: '2026-03-02T08:21:00Z' }],
    ['one value of a list too few', { vlans: [10] }],
    ['one value of a list twice', { vlans: [10, 10] }],
    ['null', { clients: null }],
  ])('are not solved with %s', (_what, wrong) => {
    expect(isSolved(shaped({ ...FACTS, ...wrong }))).toBe(false);
  });

  test('are not solved without one of them', () => {
    const { clients: _, ...others } = FACTS;
    expect(isSolved(shaped(others))).toBe(false);
  });
});

describe('tolerance', () => {
  test.each([
    ['case and what stands between words', { state: 'power lost' }],
    ['the order of a set', { vlans: [30, 10] }],
    ['the zone of a moment', { seen: '2026-03-02T09:20:00+01:00' }],
    ['a number as text', { clients: '12' }],
  ])('covers %s', (_what, other) => {
    expect(isSolved({ ...FACTS, ...other })).toBe(true);
  });

  test.each([
    [{ type: 'string', description: 'of a client', format: 'mac' }, '02:00:5e:10:00:01', '0200.5E10.0001', true],
    [{ type: 'string', description: 'of a client', format: 'mac' }, '02:00:5e:10:00:01', '02:00:5e:10:00:02', false],
    [
      { type: 'string', description: 'of a client', format: 'mac' },
      '02:00:5e:10:00:01',
      'not 02:00:5e:10:00:01',
      false,
    ],
    [{ type: 'string', description: 'day of the end', format: 'date' }, '2026-03-02', '2026-03-02T00:00:00Z', true],
    [{ type: 'string', description: 'day of the end', format: 'date' }, '2026-03-02', '2026-03-03', false],
    [{ type: 'number', description: 'in per cent', tolerance: { within: 0.5 } }, 12.3, 12.7, true],
    [{ type: 'number', description: 'in per cent', tolerance: { within: 0.5 } }, 12.3, 12.9, false],
    [{ type: 'number', description: 'in per cent' }, 0.3, 0.1 + 0.2, true],
    [{ type: 'string', description: 'exactly this' }, 'Guest', 'guest', false],
    [{ type: 'boolean', description: 'whether it is so' }, true, 'true', true],
    [{ type: 'boolean', description: 'whether it is so' }, true, 1, false],
    [{ type: 'integer', description: 'how many' }, 0, false, false],
    [{ type: 'integer', description: 'how many' }, 0, '', false],
    [{ type: 'integer', description: 'in per cent' }, 97, '97 %', true],
    [{ type: 'integer', description: 'in percent' }, 97, '97 per cent', true],
    [{ type: 'number', description: 'what is left, in watts' }, 12.5, '12.5 W', true],
    [{ type: 'number', description: 'what is left, in watts' }, 12, '12 kW', false],
    [{ type: 'number', description: 'what is left, in watts' }, 12, '13 W', false],
    [{ type: 'number', description: 'in milliseconds', tolerance: { within: 1 } }, 40, '41ms', true],
    [{ type: 'number', description: 'in milliseconds' }, 40, '40 s', false],
    [{ type: 'number', description: 'in degrees Celsius' }, 38, '38 °C', true],
    [{ type: 'integer', description: 'in dBm' }, -67, '−67 dBm', true],
    [{ type: 'integer', description: 'in dBm' }, -67, '67 dBm', false],
    [{ type: 'integer', description: 'number of attached clients' }, 12, '12 clients', true],
    [{ type: 'integer', description: 'number of attached clients' }, 12, '12 of 15 clients', false],
    [{ type: 'integer', description: 'number of attached clients' }, 12, 'clients', false],
    [{ type: 'integer', description: 'in bytes' }, 1234567, '1,234,567', true],
    [{ type: 'integer', description: 'in bytes' }, 1234567, '1 234 567 bytes', true],
    [{ type: 'integer', description: 'in bytes' }, 1234567, '1\u202f234\u202f567 bytes', true],
    [{ type: 'integer', description: 'in bytes' }, 1234567, "1'234'567", true],
    [{ type: 'integer', description: 'in bytes' }, 1234567, '1_234_567', true],
    [{ type: 'integer', description: 'in bytes' }, 1234, '1,23,4', false],
    [{ type: 'integer', description: 'in bytes' }, 1234, '1234 bytes per second', false],
    [{ type: 'boolean', description: 'whether it is so' }, true, 'Yes', true],
    [{ type: 'boolean', description: 'whether it is so' }, false, 'no', true],
    [{ type: 'boolean', description: 'whether it is so' }, false, 'yes', false],
    [{ type: 'boolean', description: 'whether it is so' }, true, 'perhaps', false],
    [{ type: 'string', description: 'its reason' }, null, 'none', true],
    [{ type: 'string', description: 'its reason' }, null, 'no power', false],
    [{ type: 'string', description: 'its reason' }, null, [], false],
    [{ type: 'string', description: 'its state', tolerance: { case: 'ignore' } }, 'POWER_LOST', 'PowerLost', true],
    [{ type: 'string', description: 'its mode', tolerance: { case: 'ignore' } }, 'WPA2_802.1X', 'wpa2-802.1x', true],
    [{ type: 'string', description: 'its offset', tolerance: { case: 'ignore' } }, '-3 dB', '3 dB', false],
    [{ type: 'string', description: 'its version', tolerance: { case: 'ignore' } }, 'v1.23', 'v12.3', false],
    [{ type: 'string', description: 'its address', tolerance: { case: 'ignore' } }, '10.0.0.1', '10.0.01', false],
    [{ type: 'string', description: 'its ports', tolerance: { case: 'ignore' } }, '1 23', '12 3', false],
    [{ type: 'string', description: 'its name', tolerance: { case: 'ignore' } }, 'AP-01', 'ap 01', true],
    [{ type: 'string', description: 'its port', tolerance: { case: 'ignore' } }, '1/1/1', '1-1-1', true],
    [{ type: 'string', description: 'its day', tolerance: { case: 'ignore' } }, '2026-03-05', '2026/03/05', true],
    [{ type: 'string', description: 'its radio', tolerance: { case: 'ignore' } }, 'AA:0B:00', 'aa-0b-00', true],
  ] as const)('%j: %j and %j: %s', (form, expected, actual, same) => {
    const schema = { type: 'object', properties: { fact: form } } as unknown as AnswerSchema;
    expect(differencesOf(factsIn({ fact: actual }, schema), { fact: expected }, schema)).toHaveLength(same ? 0 : 1);
  });

  test.each([
    [[5, 7], [6, 5], true],
    [[5, 7, 9], [8, 6, 6], true],
    [[5, 7], [4, 5], false],
    [[5, 5], [5, 7], false],
  ])('the values of a set stand for each other in one way or another: %j and %j: %s', (expected, actual, same) => {
    const items = { type: 'integer' as const, tolerance: { within: 1 } };
    const schema: AnswerSchema = {
      type: 'object',
      properties: { loads: { type: 'array', description: 'of each one', items } },
    };
    expect(differencesOf({ loads: actual }, { loads: expected }, schema)).toHaveLength(same ? 0 : 1);
  });

  test.each([
    [[], 'none found', true],
    [[], null, true],
    [[], 'unknown', false],
    [['a'], null, false],
  ])('a list of nothing may be stated as none: %j and %j: %s', (expected, actual, same) => {
    const schema = {
      type: 'object',
      properties: { failing: { type: 'array', description: 'each of them', items: { type: 'string' } } },
    } as AnswerSchema;
    expect(differencesOf({ failing: actual }, { failing: expected }, schema)).toHaveLength(same ? 0 : 1);
  });

  test('a list with an order keeps it', () => {
    const schema = {
      type: 'object',
      properties: {
        steps: { type: 'array', description: 'in order', tolerance: { order: 'same' }, items: { type: 'string' } },
      },
    } as AnswerSchema;
    const facts = { steps: ['dhcp', 'dns'] };
    expect(differencesOf({ steps: ['dhcp', 'dns'] }, facts, schema)).toEqual([]);
    expect(differencesOf({ steps: ['dns', 'dhcp'] }, facts, schema)).toHaveLength(1);
  });
});

describe('rows', () => {
  const schema = {
    type: 'object',
    properties: {
      certificates: {
        type: 'array',
        description: 'those that ended',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'subject of it' },
            expires: { type: 'string', format: 'date', description: 'day of its end' },
          },
        },
      },
    },
  } as AnswerSchema;
  const facts = {
    certificates: [
      { name: 'a', expires: '2026-01-01T00:00:00Z' },
      { name: 'b', expires: '2026-02-01T00:00:00Z' },
    ],
  };
  const solves = (answer: unknown) => differencesOf(factsIn(answer, schema), facts, schema).length === 0;
  const rows = [
    { Name: 'b', expires: '2026-02-01', more: 1 },
    { Name: 'a', expires: '2026-01-01' },
  ];

  test('are a set, with more fields if there are, and may stand alone where nothing else was asked for', () => {
    expect(solves({ certificates: rows })).toBe(true);
    expect(solves(rows)).toBe(true);
    expect(solves({ answer: { certificates: rows } })).toBe(true);
  });

  test('are wrong with one too many, one too few or two dates exchanged', () => {
    expect(solves({ certificates: [...rows, rows[0]] })).toBe(false);
    expect(solves({ certificates: rows.slice(1) })).toBe(false);
    expect(
      solves([
        { name: 'a', expires: '2026-02-01' },
        { name: 'b', expires: '2026-01-01' },
      ]),
    ).toBe(false);
  });
});

describe('what stands beside or below the facts does not hide them', () => {
  const one = (form: object) => ({ type: 'object', properties: { fact: form } }) as unknown as AnswerSchema;
  const list = one({ type: 'array', description: 'their names', items: { type: 'string' } });
  const rows = one({
    type: 'array',
    description: 'each of them',
    items: { type: 'object', properties: { name: { type: 'string', description: 'its name' } } },
  });
  const number = one({ type: 'integer', description: 'its id' });

  test.each([
    ['an empty list beside it', { fact: ['a', 'b'], warnings: [] }, list, ['a', 'b']],
    ['another list beside it', { fact: ['a', 'b'], sources: ['GET /x', 'GET /y'] }, list, ['a', 'b']],
    ['a list in its only row', { fact: [{ name: 'x', ports: ['1', '2'] }] }, rows, [{ name: 'x' }]],
    ['a list in the only row, without its name', [{ name: 'x', ports: ['1', '2'] }], rows, [{ name: 'x' }]],
    ['an object below it with a field of its name', { fact: 7, owner: { fact: 12 } }, number, 7],
    ['the same in an envelope', { result: { fact: 7, owner: { fact: 12 } } }, number, 7],
    ['an earlier value in prose', 'It was {"fact": 6}. Now it is {"fact": 7, "owner": {"fact": 12}}.', number, 7],
    ['a list without its name, last in prose', 'Not {"fact": ["a"]} but ["a", "b"]', list, ['a', 'b']],
  ])('%s', (_what, answer, schema, fact) => {
    expect(differencesOf(factsIn(answer, schema), { fact }, schema)).toEqual([]);
  });

  test.each([
    ['the right value below a wrong one', { fact: 8, owner: { fact: 7 } }, number, 7],
    ['two values equally high', { a: { fact: 7 }, b: { fact: 12 } }, number, 7],
    ['a right list below a wrong one of its name', { fact: ['c'], names: ['a', 'b'] }, list, ['a', 'b']],
    ['two lists without its name', { names: ['a', 'b'], notes: [] }, list, ['a', 'b']],
  ])('but not: %s', (_what, answer, schema, fact) => {
    expect(differencesOf(factsIn(answer, schema), { fact }, schema)).toHaveLength(1);
  });
});

describe('a day or moment without a zone is one of UTC, wherever it is graded', () => {
  const dated = { type: 'object', properties: { fact: { type: 'string', format: 'date', description: 'a day' } } };
  const timed = { type: 'object', properties: { fact: { type: 'string', format: 'date-time', description: 'when' } } };
  const same = (fact: string, stated: string, form: object) =>
    differencesOf({ fact }, { fact: stated }, form as AnswerSchema).length === 0;

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each(['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])('%s', (zone) => {
    vi.stubEnv('TZ', zone);
    for (const right of [
      '5 March 2026',
      'Thursday, March 5th, 2026',
      'March 5, 2026 (Thursday)',
      '2026-03-05T23:30:00-05:00',
    ])
      expect([right, same(right, '2026-03-05', dated)]).toEqual([right, true]);
    for (const wrong of ['6th of March 2026', 'the fifth of March', '17727120000'])
      expect([wrong, same(wrong, '2026-03-05', dated)]).toEqual([wrong, false]);
    for (const right of [
      '2026-03-05 12:00:00',
      '2026-03-05T12:00:00',
      'March 5, 2026 12:00 pm',
      '5th of March 2026 at 12:00 (UTC)',
      'Thu Mar 05 2026 12:00:00 GMT+0000 (Coordinated Universal Time)',
      '2026-03-05 12:00 UTC (noon)',
      '1772712000',
      '1772712000000',
      '2026-03-05 13:00+01:00',
    ])
      expect([right, same(right, '2026-03-05T12:00:00Z', timed)]).toEqual([right, true]);
    expect(same('Thu, 05 Mar 2026 07:00:00 EST', '2026-03-05T12:00:00Z', timed)).toBe(true);
    expect(same('2026-03-05 12:00:00', '2026-03-05T12:00:00+09:00', timed)).toBe(false);
  });
});

test('a day or moment is no span, none beside it, and none that is denied', () => {
  const isSame = (format: string, fact: string, stated: string) =>
    differencesOf({ fact: stated }, { fact }, {
      type: 'object',
      properties: { fact: { type: 'string', format, description: 'when' } },
    } as AnswerSchema).length === 0;
  for (const wrong of [
    ...['2026-03-02 or 2026-03-03', '2026-03-02 to 2026-03-05', '2026-03-02/2026-03-05', '2026-03-02 - 2026-03-05'],
    ...['not 2026-03-02', 'before 2 March 2026'],
  ])
    expect([wrong, isSame('date', '2026-03-02', wrong)]).toEqual([wrong, false]);
  for (const right of [
    '2026-03-02 (expired)',
    'expired on 2026-03-02',
    '2026-03-02T09:20+01',
    '2026-03-02T08:20:00Z (UTC)',
  ])
    expect([right, isSame('date', '2026-03-02', right)]).toEqual([right, true]);
  for (const wrong of ['after 2026-03-02 08:20 UTC', 'not 2 March 2026 08:20 UTC', '2026-03-02 08:20 (PST)'])
    expect([wrong, isSame('date-time', '2026-03-02T08:20:00Z', wrong)]).toEqual([wrong, false]);
  for (const right of ['2026-03-02T08:20:00Z (UTC)', '2026-03-02T09:20:00+01', 'until 2026-03-02 08:20 UTC'])
    expect([right, isSame('date-time', '2026-03-02T08:20:00Z', right)]).toEqual([right, true]);
});

test('several rows that could each be the answer are none', () => {
  const right = { ...FACTS };
  expect(isSolved([right, { ...right, access_point: 'hq-ap-02' }])).toBe(false);
  expect(isSolved({ before: right, after: { ...right, clients: 0 } })).toBe(false);
});

test('many brackets that are never closed, or close around no JSON, do not hold up the grading', () => {
  expect(isSolved('['.repeat(200_000))).toBe(false);
  expect(isSolved(`${'['.repeat(90_000)}x${']'.repeat(90_000)}`)).toBe(false);
  expect(isSolved('["\\"'.repeat(50_000))).toBe(false);
  expect(isSolved(`${'['.repeat(20_000)} so: ${JSON.stringify(FACTS)}`)).toBe(true);
});

test.each([undefined, null, 0, '', 'nothing', [], {}, [[]], { items: [] }, '{"broken', '[['.repeat(5_000)])(
  'nothing is found in %j',
  (answer) => {
    expect(isSolved(answer)).toBe(false);
  },
);

describe('a refusal', () => {
  test('is a reason under its name, in any shape', () => {
    expect(refusalIn({ refused: 'the person declined' })).toBe('the person declined');
    expect(refusalIn('I did not do it: {"refused": "no approval"}')).toBe('no approval');
    expect(refusalIn({ ...FACTS, refused: 'no approval' })).toBe('no approval');
  });

  test.each([
    'None of the switches was named',
    'Nobody approved it',
    'No value was given',
    'no, this must not be done',
  ])('is %j', (refused) => {
    expect(refusalIn({ refused })).toBe(refused);
  });

  test('is a reason also where another field of the name holds none', () => {
    expect(refusalIn({ refused: 'none', change: { refused: 'no approval' } })).toBe('no approval');
  });

  test.each([
    ...['none', 'None.', 'n/a', 'N/A', 'null', 'false', 'not refused', 'nothing', 'not applicable'],
    ...['N/A (not applicable)', '---', 'empty', 'done', 'Not refused: the change was made.', 'was not refused'],
    ...['Nothing was refused.', 'No refusal', 'None - the change was made', 'N/A: done', 'none needed', 'success'],
  ])('is not the text %j, which says that there is none', (refused) => {
    expect(refusalIn({ refused })).toBeUndefined();
  });

  test.each([{ refused: '' }, { refused: null }, { refused: true }, { refused: ' ' }, FACTS, 'refused'])(
    'is not %j',
    (answer) => {
      expect(refusalIn(answer)).toBeUndefined();
    },
  );
});
