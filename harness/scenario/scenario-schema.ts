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
          Type.Union([Type.Literal('one'), Type.Literal('count')], {
            description: 'one object drawn by the run seed (default), or how many match',
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

const Step = Type.Object(
  {
    call: call('METHOD /template of the operation'),
    arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    apply: Type.Optional(Type.Boolean({ description: 'Preview, then apply with the plan token' })),
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
    answer: Type.Optional(
      Type.Boolean({ description: 'Its result is the final answer (default: the last step that is not refused)' }),
    ),
  },
  closed,
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
      Type.Array(
        Type.Object({ name: Type.String({ minLength: 1 }), source: Type.String({ pattern: CITATION }) }, closed),
      ),
      { description: 'Subject → tools it needs, each cited as file:line@commit' },
    ),
    expect: Type.Object(
      {
        api_calls: Type.Array(
          call('METHOD /path that must be called; a {{slot}} in it pins the object, a {parameter} leaves it open'),
          {},
        ),
        must_not_call: Type.Array(Type.String({ pattern: FORBIDDEN }), {
          description: 'METHOD|* /path; * is one segment, ** the rest',
        }),
        allowed_reads: Type.Optional(Type.Array(call('METHOD /template that is no flailing'), {})),
        end_state: Type.Optional(Type.Array(EndState)),
      },
      closed,
    ),
    evidence: Type.String({ pattern: CITATION, description: 'Source citation path:line@sha' }),
    result_schema: Type.Unknown({ description: 'JSON Schema 2020-12 of the final answer' }),
    absent: Type.Optional(Type.Array(Type.String(), { description: 'Subjects that do not cover this domain' })),
    slots: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9_]*$' }), Slot)),
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
export type Step = Static<typeof Step>;
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
