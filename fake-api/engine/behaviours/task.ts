/**
 * Actions and diagnostics, at once or started and polled. A task advances when it is polled and never with time: the
 * first poll finds it RUNNING at 50 %, the second COMPLETED, and only then its effect happens.
 */
import { type Answer, done, refuse } from '../answer.ts';
import type { Call } from '../call.ts';
import { isoSeconds } from '../clock.ts';
import { Dice } from '../determinism.ts';
import { isObject, type JsonObject } from '../json.ts';
import { plain, type Schema, shapeOf } from '../openapi.ts';
import { type Operation, successOf } from '../operation.ts';
import { projected } from '../projection.ts';
import { present, readRow, synthesisFor } from '../rows.ts';
import type { State, Task } from '../state.ts';
import { missing, subjectOf } from '../subject.ts';
import { synthesize } from '../synthesis.ts';
import type { Subject, TaskCall, Values } from '../world.ts';
import { taskCall } from './computed.ts';

/** POST of an action or a diagnostic. */
export function act(call: Call): Answer {
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const objection = call.world.objects(call, subject);
  if (objection !== null) return objection;
  const success = successOf(call.operation);
  if (call.operation.async !== null) return start(call, subject);
  const values = carryOut(call, taskCall(call), subject, call.operation);
  if (success.schema === null) return done(success.status);
  const after = subject === null ? {} : current(call, subject);
  const source = { ...after, ...inputEcho(call, success.schema), ...values };
  return done(
    success.status,
    present(call, success.schema, source, `${subject?.id ?? ''} ${call.state.next(`act ${call.operation.id}`)}`),
  );
}

/** Input values that the answer repeats, secrets excepted: the schema of the answer has no secret. */
function inputEcho(call: Call, schema: Schema): Values {
  if (!isObject(call.body)) return {};
  const declared = shapeOf(call.operation.document, schema).properties;
  return Object.fromEntries(Object.entries(call.body).filter(([name]) => name in declared));
}

function current(call: Call, subject: Subject): Values {
  const row = call.state.rows(call.platform.id, subject.resource.name).get(subject.id);
  return row === undefined ? {} : readRow(call.platform, call.state, call.world, subject.resource, row);
}

function start(call: Call, subject: Subject | null): Answer {
  const { operation, state, platform } = call;
  const style = operation.async as NonNullable<Operation['async']>;
  const id = new Dice(
    state.seed,
    'task',
    platform.id,
    operation.id,
    subject?.id ?? '',
    state.next(`task ${platform.id}`),
  ).uuid();
  const poll = platform.byId.get(style.poll);
  const location = poll === undefined ? `${call.concretePath}/${id}` : fillTemplate(poll, call.values, id);
  const now = isoSeconds(state.clock.ms);
  const task: Task = {
    id,
    operationId: operation.id,
    template: operation.template,
    values: call.values,
    startedAt: now,
    endedAt: null,
    polls: 0,
    status: 'INITIATED',
    input: withoutSecrets(call),
    output: null,
  };
  state.tasks.set(id, task);
  const success = successOf(operation);
  const source = {
    taskId: id,
    id,
    'task-id': id,
    location,
    [style.state]: 'INITIATED',
    startTime: now,
    startedAt: now,
  };
  const body = success.schema === null ? undefined : present(call, success.schema, source, id);
  return done(success.status, body, { location });
}

/** What the effect needs of the input; a password given for a test is not among it. */
function withoutSecrets(call: Call): Values {
  const schema = call.operation.body?.content['application/json']?.schema;
  if (!isObject(call.body) || schema === undefined) return isObject(call.body) ? call.body : {};
  const properties = shapeOf(call.operation.document, schema).properties;
  const filled: Values = { ...call.body };
  for (const [name, property] of Object.entries(properties)) {
    const at = plain(call.operation.document, property);
    if (at.writeOnly === true || at.format === 'password') delete filled[name];
    else if (filled[name] === undefined && at.default !== undefined) filled[name] = at.default;
  }
  return filled;
}

function fillTemplate(operation: Operation, values: readonly string[], id: string): string {
  let at = 0;
  return operation.template.replace(/\{[^}]+\}/g, () => encodeURIComponent(values[at++] ?? id));
}

/** GET of a started task. */
export function poll(call: Call): Answer {
  const { operation, state, platform } = call;
  const id = call.values.at(-1) ?? '';
  const task = state.tasks.get(id);
  const started = task === undefined ? undefined : platform.byId.get(task.operationId);
  const matches = started?.async?.poll === operation.id && task?.values.every((value, at) => value === call.values[at]);
  if (task === undefined || started === undefined || !matches) {
    return refuse(
      404,
      'TASK_NOT_FOUND',
      `task "${id}": expected the id of a started task of this kind, got none of that id`,
    );
  }
  advance(call, task, started);
  const success = successOf(operation);
  if (success.schema === null) return done(success.status);
  const running = task.endedAt === null;
  const source: Values = {
    taskId: task.id,
    id: task.id,
    [started.async?.state ?? 'status']: task.status,
    progressPercent: running ? 50 : 100,
    progress: running ? 50 : 100,
    startTime: task.startedAt,
    endTime: task.endedAt,
    failReason: null,
    output: task.output,
  };
  return done(success.status, present(call, success.schema, source, task.id));
}

const POLLS_TO_COMPLETE = 2;

function advance(call: Call, task: Task, started: Operation): void {
  if (task.endedAt !== null) return;
  task.polls += 1;
  if (task.polls < POLLS_TO_COMPLETE) {
    task.status = 'RUNNING';
    return;
  }
  task.status = 'COMPLETED';
  task.endedAt = isoSeconds(call.state.clock.ms);
  const of: TaskCall = {
    operationId: started.id,
    template: started.template,
    values: task.values,
    input: task.input,
    state: call.state,
    platform: call.platform,
  };
  const subject = subjectOf({ ...call, operation: started, values: task.values }, false);
  const known = subject === 'missing' ? null : subject;
  const values = carryOut(call, of, known, started);
  const schema = outputSchema(call.operation);
  task.output =
    schema === null
      ? null
      : (synthesize(synthesisFor(call, ['output', started.id, task.id]), schema, {
          ...(projected(call.operation.document, schema, { ...task.input, ...values }) as Values),
        }) as Values);
  call.state.touch();
}

function outputSchema(poll: Operation): Schema | null {
  const schema = successOf(poll).schema;
  const output = schema === null ? undefined : shapeOf(poll.document, schema).properties['output'];
  if (output === undefined) return null;
  const at = plain(poll.document, output);
  return (at.anyOf ?? at.oneOf ?? [at]).find((branch) => plain(poll.document, branch).type !== 'null') ?? null;
}

/** Effects on state first, so that what is told afterwards is true. */
function carryOut(call: Call, of: TaskCall, subject: Subject | null, operation: Operation): Values {
  if (subject !== null) applyDeclared(call.state, subject, operation, of.input);
  const told = call.world.effect(of, subject);
  return { ...call.world.output(of, subject), ...told };
}

/** `derive: {set: {field: value}}` of the model: `$now` and `$input.name` stand for what they say. */
function applyDeclared(state: State, subject: Subject, operation: Operation, input: Values): void {
  const set = operation.derive['set'];
  if (!isObject(set)) return;
  const row = state.rows(subject.resource.platform, subject.resource.name).get(subject.id);
  if (row === undefined) return;
  const change: JsonObject = {};
  for (const [name, wanted] of Object.entries(set)) {
    const value = typeof wanted === 'string' ? meant(wanted, input, state) : wanted;
    if (value !== undefined) change[name] = value as JsonObject[string];
  }
  state.put(subject.resource, { ...row, value: { ...row.value, ...change }, revision: row.revision + 1 });
}

function meant(text: string, input: Values, state: State): unknown {
  if (text === '$now') return isoSeconds(state.clock.ms);
  return text.startsWith('$input.') ? input[text.slice('$input.'.length)] : text;
}
