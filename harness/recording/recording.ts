/**
 * A recording is the evidence of one run: what was asked, every message, every platform call the fake counted, and the
 * state it ended in. Grading needs nothing else. It is checked when it is read; secrets are replaced by markers
 * before it is written.
 */
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import type { LedgerEntry as FakeLedgerEntry } from '#fake-api/ledger';
import { got, HarnessError } from '../harness-errors.ts';
import { AnswerSchema, EndState, SideEffect } from '../scenario/scenario-schema.ts';
import { ModelTranscript } from './transcript.ts';

export const RECORDING_VERSION = 3;

const closed = { additionalProperties: false };
const text = Type.String();

const LedgerEntry = Type.Object({
  seq: Type.Integer({ minimum: 1 }),
  at: text,
  platform: text,
  method: text,
  path: text,
  query: text,
  template: Type.Union([text, Type.Null()]),
  operationId: Type.Union([text, Type.Null()]),
  capability: Type.Union([
    Type.Literal('read'),
    Type.Literal('diagnostic'),
    Type.Literal('write'),
    Type.Literal('destructive'),
    Type.Literal('poll'),
    Type.Literal('auth'),
  ]),
  status: Type.Integer(),
  bodyHash: Type.Union([text, Type.Null()]),
});

/** Our schema and the fake's type are the same shape, or this line does not compile. */
export type LedgerEntry = Static<typeof LedgerEntry> & FakeLedgerEntry;

const Message = Type.Object(
  {
    n: Type.Integer({ minimum: 1 }),
    kind: Type.Union([
      Type.Literal('initialize'),
      Type.Literal('list'),
      Type.Literal('call'),
      Type.Literal('elicitation'),
    ]),
    /** The MCP tool called, as the subject lists it. */
    tool: Type.Optional(text),
    /** The sent message: arguments of a call, message of an elicitation. */
    sent: Type.Unknown(),
    /** What came back: text of the content blocks, the tool list, the person's answer. */
    received: Type.Unknown(),
    isError: Type.Optional(Type.Boolean()),
    /** Ledger sequence numbers that appeared while this message was in flight. */
    calls: Type.Optional(Type.Array(Type.Integer())),
  },
  closed,
);

/** A row that is not as it was before the run. */
const Change = Type.Object(
  {
    platform: text,
    resource: text,
    kind: Type.Union([Type.Literal('created'), Type.Literal('changed'), Type.Literal('deleted')]),
    /** As it is now; of a deleted one as it was. */
    value: Type.Record(text, Type.Unknown()),
    /** Of a changed one: the fields that differ. */
    fields: Type.Array(text),
    /** The dotted paths that differ inside those, where the scenario lists such a path. */
    inside: Type.Optional(Type.Array(text)),
  },
  closed,
);

const EndStateItems = Type.Object(
  {
    resource: text,
    /** Where two platforms have a resource of that name. */
    platform: Type.Optional(text),
    items: Type.Array(Type.Record(text, Type.Unknown())),
  },
  closed,
);

const Task = Type.Object(
  {
    id: text,
    suite: text,
    file: text,
    digest: text,
    intent: text,
    platforms: Type.Array(text),
    write_gate: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('destructive')]),
    approvals: Type.Array(text),
    classify: Type.Record(text, Type.Union([Type.Literal('diagnostic'), Type.Literal('write')])),
    /** For each needed tool the tools that are equally right. */
    expected_tools: Type.Array(Type.Array(text)),
    /** For each needed call the calls that are equally right. */
    api_calls: Type.Array(Type.Array(text)),
    /** `METHOD /template` of the expected changes that the platform must refuse, where there are some. */
    failing: Type.Optional(Type.Array(text)),
    must_not_call: Type.Array(text),
    allowed_reads: Type.Array(text),
    end_state: Type.Array(EndState),
    side_effects: Type.Array(SideEffect),
    /** Write → its body; a text member `{free: text}` may be any text or absent. */
    bodies: Type.Record(text, Type.Object({ body: Type.Unknown(), hash: Type.Optional(text) }, closed)),
    result_schema: AnswerSchema,
    /** Fact of the result schema → its value. */
    facts: Type.Record(text, Type.Unknown()),
    refusal: Type.Optional(Type.Literal('right')),
  },
  closed,
);

export const Recording = Type.Object(
  {
    version: Type.Literal(RECORDING_VERSION),
    subject: Type.Object(
      {
        name: text,
        confirmation: text,
        dispatchers: Type.Array(text),
        /** The tool that finds tools, where the subject has one. */
        discover: Type.Optional(text),
        /** Setting → value, such as mode and profile. */
        settings: Type.Record(text, text),
        /** Tokens of `tools/list` when the subject lists every tool, where that was measured. */
        directListingTokens: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      closed,
    ),
    agent: text,
    transport: Type.Union([Type.Literal('http'), Type.Literal('stdio')]),
    gates: Type.Union([Type.Literal('closed'), Type.Literal('open')]),
    seed: Type.Integer(),
    run: Type.Integer({ minimum: 0 }),
    fixture: Type.Object({ bundle: text, version: Type.Integer(), digest: text }, closed),
    task: Task,
    outcome: Type.Union([
      Type.Literal('finished'),
      Type.Literal('timeout'),
      Type.Literal('crashed'),
      Type.Literal('absent'),
    ]),
    /** The last JSON value the agent printed; absent when it printed none. */
    final: Type.Optional(Type.Unknown()),
    agentStderr: Type.Optional(text),
    /** The transcript of the language model, if the agent uses one. */
    model: Type.Optional(ModelTranscript),
    transcript: Type.Array(Message),
    ledger: Type.Array(LedgerEntry),
    /** Objects that the end-state conditions are about, as they were after the run. */
    endState: Type.Array(EndStateItems),
    /** Every row of every platform of the task that the run changed. */
    changes: Type.Array(Change),
    /** All that depends on when and beside whom the run was made; without it, equal runs are equal bytes. */
    timings: Type.Object(
      {
        startedAt: text,
        latencyMs: Type.Number(),
        /** One per message of the transcript, in its order. */
        messages: Type.Array(Type.Object({ atMs: Type.Number(), tookMs: Type.Number() }, closed)),
        /** Reads straight at the fake right after the run; none where that platform was not loaded. */
        directMs: Type.Optional(Type.Array(Type.Number())),
        /** Token, login and session calls; a router that still holds a login makes none. */
        logins: Type.Array(LedgerEntry),
      },
      closed,
    ),
  },
  closed,
);

type Timings = Static<typeof Recording>['timings'] & { logins: LedgerEntry[] };
export type Recording = Omit<Static<typeof Recording>, 'ledger' | 'timings'> & {
  ledger: LedgerEntry[];
  timings: Timings;
};
export type Message = Static<typeof Message>;
export type Task = Static<typeof Task>;
export type Change = Static<typeof Change>;
export type Transport = Recording['transport'];
export type Gates = Recording['gates'];

const ajv = new Ajv2020({ strict: false });
const isRecording = ajv.compile<Recording>(JSON.parse(JSON.stringify(Recording)));

export function parseRecording(value: unknown, source: string): Recording {
  if (isRecording(value)) return value;
  const error = isRecording.errors?.[0];
  const version = (value as { version?: unknown } | null)?.version;
  const reason =
    version !== RECORDING_VERSION ? `version ${got(version)}` : `${error?.instancePath || '(root)'} ${error?.message}`;
  throw new HarnessError(
    'RECORDING_INVALID',
    `${source}: should be a recording of version ${RECORDING_VERSION}, got ${reason}`,
  );
}

/** Reads `recordings.jsonl`, one recording a line. */
export async function readRecordings(file: string): Promise<Recording[]> {
  const lines = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new HarnessError('RECORDING_INVALID', `${file}: should be a file of recordings, got ${cause.message}`, {
      cause,
    });
  });
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      try {
        return parseRecording(JSON.parse(line), `${file}:${i + 1}`);
      } catch (cause) {
        if (cause instanceof HarnessError) throw cause;
        throw new HarnessError('RECORDING_INVALID', `${file}:${i + 1}: should be JSON, got ${got(line.slice(0, 60))}`, {
          cause,
        });
      }
    });
}

/** What identifies a run among others; also the key in the baseline. */
export function runKey(recording: Pick<Recording, 'agent' | 'transport' | 'task'>): string {
  return `${recording.agent}/${recording.transport}/${recording.task.id}`;
}
