/**
 * The shape of a scenario file. The type, the loader's validation and the published
 * `scenarios/scenario.schema.json` all come from this one schema.
 */
import Type, { type Static } from 'typebox';

const CALL = '^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /\\S*$';
const FORBIDDEN = '^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|\\*) /\\S*$';
const CITATION = '^[^\\s:]+:[1-9][0-9]*@[0-9a-f]{7,40}$';

const call = (description: string) => Type.String({ pattern: CALL, description });
const closed = { additionalProperties: false };

const Slot = Type.Union(
  [
    Type.Object(
      {
        resource: Type.String({ minLength: 1, description: 'A resource of the fake, as its control state names it' }),
        platform: Type.Optional(Type.String()),
        where: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Field → value, or {not}, {in}, {min}, {max}, {contains}; values may name earlier slots',
          }),
        ),
        take: Type.Optional(
          Type.Union([Type.Literal('one'), Type.Literal('count'), Type.Literal('all')], {
            description: 'one object drawn by the run seed (default), how many match, or all that match',
          }),
        ),
      },
      closed,
    ),
    Type.Object(
      {
        invent: Type.Union([Type.Literal('passphrase'), Type.Literal('number'), Type.Literal('word')]),
        from: Type.Optional(Type.Integer()),
        to: Type.Optional(Type.Integer()),
        secret: Type.Optional(Type.Boolean({ description: 'The value must never appear in an answer' })),
      },
      closed,
    ),
    Type.Object({ one_of: Type.Array(Type.Unknown(), { minItems: 1 }) }, closed),
  ],
  { description: 'A value drawn by the run seed: from the fixture, invented, or one of a list' },
);

/** Where a fact stands in the result of a step. */
const FactSource = Type.Union(
  [
    Type.String({ minLength: 1, description: 'Dotted field' }),
    Type.Object({ path: Type.String({ minLength: 1 }), equals: Type.Unknown() }, closed),
    Type.Object(
      { count: Type.String({ description: 'Dotted field of a list; "" is the list of the result itself' }) },
      closed,
    ),
    Type.Object(
      {
        each: Type.String({ description: 'Dotted field of a list; "" is the list of the result itself' }),
        fields: Type.Union([
          Type.String({ minLength: 1, description: 'One field of each row: a list of values' }),
          Type.Record(Type.String(), Type.String({ minLength: 1 })),
        ]),
      },
      closed,
    ),
  ],
  { description: 'dotted.field, {path, equals}, {count: field} or {each: field, fields: names}' },
);

const stepFields = {
  call: call('METHOD /template of the operation'),
  arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  apply: Type.Optional(Type.Boolean({ description: 'Preview, then apply with the plan token' })),
  token: Type.Optional(
    Type.Union([Type.Literal('keep'), Type.Literal('kept'), Type.Literal('used')], {
      description: 'keep: only preview, and keep its plan token; kept, used: apply with the token kept, or used last',
    }),
  ),
  poll: Type.Optional(Type.Boolean({ description: 'Follow the asynchronous operation to its end' })),
  refused: Type.Optional(
    Type.Boolean({ description: 'The step tries what must be refused; a success fails the oracle' }),
  ),
  through: Type.Optional(
    Type.Literal('read', { description: 'Through the dispatcher for reads, whatever the tool is' }),
  ),
  fails: Type.Optional(
    Type.String({ pattern: '^[a-z_]+$', description: 'Code of the error that a planned fault must become' }),
  ),
  row: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Field → value of the one row of the list that the facts are read from',
    }),
  ),
  facts: Type.Optional(Type.Record(Type.String(), FactSource, { description: 'Fact → where it stands in the result' })),
};

const SingleStep = Type.Object(stepFields, closed);

const Step = Type.Union(
  [
    SingleStep,
    Type.Object(
      {
        any_of: Type.Array(SingleStep, {
          minItems: 2,
          description: 'Equally right routes: that of the single read first, that of the list last',
        }),
      },
      closed,
    ),
  ],
  { description: 'a step: {call: METHOD /template, arguments, facts, …}, or {any_of: [steps]}' },
);

const Fault = Type.Object(
  {
    platform: Type.Optional(Type.String()),
    operation: call('METHOD /template that it strikes at'),
    from: Type.Optional(Type.Integer({ minimum: 1, description: 'First call it strikes at (default 1)' })),
    times: Type.Optional(Type.Integer({ minimum: 0, description: 'How many from there on (default 1), 0 for all' })),
    fault: Type.Record(Type.String(), Type.Unknown(), { description: "As the fake's control port takes it" }),
  },
  closed,
);

/** One call, or several of which each is right. */
const Route = Type.Union(
  [
    call('METHOD /path that must be called; a {{slot}} in it pins the object, a {parameter} leaves it open'),
    Type.Object({ any_of: Type.Array(call('A route that is as right as the others'), { minItems: 2 }) }, closed),
  ],
  { description: 'METHOD /path, or {any_of: [METHOD /path, METHOD /path]}' },
);

const CitedTool = Type.Object(
  { name: Type.String({ minLength: 1 }), source: Type.String({ pattern: CITATION }) },
  closed,
);

const Tolerance = Type.Object(
  {
    order: Type.Optional(Type.Literal('same', { description: 'The list has an order; without this it is a set' })),
    case: Type.Optional(
      Type.Literal('ignore', {
        description:
          'Upper and lower case, and what stands between words, are the same; signs and dots of numbers count',
      }),
    ),
    within: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Largest difference of two numbers' })),
  },
  { ...closed, minProperties: 1 },
);

const factFields = {
  description: Type.String({ minLength: 8, description: 'What the fact is, in words of the field' }),
  enum: Type.Optional(Type.Array(Type.Unknown(), { minItems: 2 })),
  format: Type.Optional(
    Type.Union([Type.Literal('date-time'), Type.Literal('date'), Type.Literal('mac')], {
      description: 'Times are compared as moments, MAC addresses without separators',
    }),
  ),
  tolerance: Type.Optional(Tolerance),
};

const ScalarType = Type.Union([
  Type.Literal('string'),
  Type.Literal('integer'),
  Type.Literal('number'),
  Type.Literal('boolean'),
]);

const ScalarFact = Type.Object({ type: ScalarType, ...factFields }, closed);

const ListFact = Type.Object(
  {
    type: Type.Literal('array'),
    description: factFields.description,
    tolerance: factFields.tolerance,
    items: Type.Union([
      Type.Object({ ...factFields, type: ScalarType, description: Type.Optional(Type.String()) }, closed),
      Type.Object(
        { type: Type.Literal('object'), properties: Type.Record(Type.String(), ScalarFact, { minProperties: 1 }) },
        closed,
      ),
    ]),
  },
  closed,
);

/** The answer contract: facts in neutral names, each with its type and how far a value may differ. */
export const AnswerSchema = Type.Object(
  {
    type: Type.Literal('object'),
    properties: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$' }),
      Type.Union([ScalarFact, ListFact], {
        description:
          'a fact: {type: string|integer|number|boolean|array, description, items of a list, format, tolerance}',
      }),
      closed,
    ),
  },
  closed,
);

export const EndState = Type.Object(
  {
    resource: Type.String({ minLength: 1 }),
    platform: Type.Optional(Type.String()),
    where: Type.Record(Type.String(), Type.Unknown()),
    count: Type.Optional(Type.Integer({ minimum: 0, description: 'How many objects match (default: exactly one)' })),
    equals: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Dotted field → value after the run' }),
    ),
  },
  closed,
);

export const SideEffect = Type.Object(
  {
    resource: Type.String({ minLength: 1 }),
    platform: Type.Optional(Type.String()),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Fields that may change; absent: rows may come and go' }),
    ),
  },
  closed,
);

export const ScenarioFile = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9-]+/[a-z0-9-]+$',
      description: 'Equals the path below scenarios/ without .yaml',
    }),
    suite: Type.String({ pattern: '^[a-z0-9-]+$' }),
    intent: Type.String({
      minLength: 10,
      description: 'Natural-language task for the agent; {{slot}} and {{slot.field}} are filled in',
    }),
    paraphrases: Type.Optional(Type.Array(Type.String({ minLength: 10 }), { minItems: 3, maxItems: 3 })),
    platform: Type.String({ pattern: '^[a-z][a-z0-9]*$' }),
    also: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z][a-z0-9]*$' }))),
    fixture: Type.String({ pattern: '^fake-api/fixtures/[a-z0-9-]+$' }),
    incident: Type.Optional(
      Type.String({ pattern: '^[a-z0-9-]+$', description: 'What has happened in the fixture before the run begins' }),
    ),
    write_gate: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('destructive')]),
    gates: Type.Optional(Type.Union([Type.Literal('closed'), Type.Literal('open')])),
    approvals: Type.Optional(
      Type.Array(call('METHOD /concrete/path that the person accepts'), { description: 'Everything else is declined' }),
    ),
    classify: Type.Optional(
      Type.Record(Type.String({ pattern: CALL }), Type.Union([Type.Literal('diagnostic'), Type.Literal('write')]), {
        description: 'How a POST counts in this scenario: METHOD /template → diagnostic or write',
      }),
    ),
    expected_tools: Type.Record(
      Type.String(),
      Type.Array(Type.Union([CitedTool, Type.Object({ any_of: Type.Array(CitedTool, { minItems: 2 }) }, closed)])),
      { description: 'Subject → tools it needs, each cited as file:line@commit' },
    ),
    expect: Type.Object(
      {
        api_calls: Type.Array(Route),
        must_not_call: Type.Array(Type.String({ pattern: FORBIDDEN }), {
          description: 'METHOD|* /path; * is one segment, ** the rest',
        }),
        allowed_reads: Type.Optional(Type.Array(call('METHOD /template that is no flailing'), {})),
        end_state: Type.Optional(Type.Array(EndState)),
        side_effects: Type.Optional(Type.Array(SideEffect, { description: 'What else changes by itself' })),
        facts: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Fact of result_schema → its value; a list of rows is {each: {{slot}}, fields: {...}}',
        }),
        refusal: Type.Optional(
          Type.Literal('right', { description: 'An answer that refuses and says why is as right as the facts' }),
        ),
        bodies: Type.Optional(
          Type.Record(Type.String({ pattern: CALL }), Type.Unknown(), {
            description: 'Write → its body exactly; a text member {free: text} may be any text or absent',
          }),
        ),
      },
      closed,
    ),
    evidence: Type.String({ pattern: CITATION, description: 'Source citation path:line@sha' }),
    result_schema: AnswerSchema,
    absent: Type.Optional(Type.Array(Type.String(), { description: 'Subjects that do not cover this domain' })),
    slots: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9_]*$' }), Slot, closed)),
    faults: Type.Optional(
      Type.Array(Fault, {
        minItems: 1,
        description: 'What the platform gets wrong during the run; slots are filled in',
      }),
    ),
    steps: Type.Optional(Type.Array(Step, { minItems: 1, description: 'For the oracle only' })),
    fresh: Type.Optional(Type.Boolean({ description: 'Needs processes of its own' })),
  },
  closed,
);

export type ScenarioFile = Static<typeof ScenarioFile>;
export type Slot = Static<typeof Slot>;
/** A step that is walked: of several routes one has been chosen. */
export type SingleStep = Static<typeof SingleStep>;
export type Step = Static<typeof Step>;
export type FactSource = Static<typeof FactSource>;
export type AnswerSchema = Static<typeof AnswerSchema>;
export type ScalarFact = Static<typeof ScalarFact>;
export type ListFact = Static<typeof ListFact>;
export type Tolerance = Static<typeof Tolerance>;
export type SideEffect = Static<typeof SideEffect>;
export type Route = Static<typeof Route>;
export type Fault = Static<typeof Fault>;
export type EndState = Static<typeof EndState>;

/** The published form, as `scenarios/scenario.schema.json` holds it. */
export function publishedScenarioSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Scenario: one story a network engineer would recognise, with its ground truth',
    ...JSON.parse(JSON.stringify(ScenarioFile)),
  };
}
