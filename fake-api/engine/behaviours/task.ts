/**
 * Actions and diagnostics, at once or started and polled. The first poll of a task finds it running at 50 %, the second
 * completed, as does the first one after two minutes of virtual time; only then its effect happens.
 */
import type { Call } from '../http/accepted-call.ts';
import { itemLocation } from '../http/location.ts';
import { type Answer, done, refuse } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { type OpenApiDocument, plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import { filled } from '../openapi/route-template.ts';
import { projected } from '../openapi/schema-projection.ts';
import type { AsyncStyle, Operation } from '../openapi/served-operation.ts';
import { synthesize } from '../openapi/synthesis.ts';
import { strictCheck } from '../openapi/validators.ts';
import { failureWord, successWord } from '../state/action-facts.ts';
import { isoSeconds } from '../state/clock.ts';
import { Dice } from '../state/determinism.ts';
import { isObject } from '../state/json-value.ts';
import type { Subject, TaskCall, Values } from '../state/platform-behaviour.ts';
import { beginRestart, endRestart, isRestart } from '../state/restarts.ts';
import { stageName, writingTo } from '../state/stage.ts';
import type { Task } from '../state/state.ts';
import { present, readRow, synthesisFor } from '../state/stored-rows.ts';
import { missing, namedInQuery, subjectOf } from '../state/target-row.ts';
import { locationOf, taskValues } from '../tasks/task-values.ts';
import { taskCall } from './computed.ts';
import { carryOut } from './effect.ts';

/** POST of an action or a diagnostic. */
export function act(call: Call): Answer {
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const named = namedInQuery(call);
  if (typeof named !== 'string') return named;
  const objection = call.world.objects(call, subject);
  if (objection !== null) return objection;
  if (call.operation.async !== null) return start(call, subject);
  const success = successOf(call.operation);
  const setting = { stage: stageName(call), document: call.operation.document, result: success.schema };
  const effect = carryOut(call, taskCall(call), subject, setting);
  if (effect.kind === 'refused') return effect;
  if (isRestart(call.operation)) beginRestart(call.state, subject, false);
  const headers = effect.created === undefined ? undefined : itemLocation(call, subject, effect.created);
  if (success.schema === null) return done(success.status, undefined, headers);
  const after = subject === null ? {} : current(call, subject);
  const repeated = fitting(call.operation.document, success.schema, {
    ...after,
    ...(isObject(call.body) ? call.body : {}),
  });
  const source = { ...repeated, ...effect.values };
  const origin = effect.created ?? `${subject?.id ?? ''} ${call.state.next(`act ${call.operation.id}`)}`;
  return done(success.status, present(call, success.schema, source, origin), headers);
}

/**
 * What a result says of the object and repeats of the input. A value that the result declares otherwise is another fact by
 * the same name, such as the sockets to test and what became of each.
 */
function fitting(document: OpenApiDocument, schema: Schema, values: Values): Values {
  const declared = shapeOf(document, schema).properties;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const property = declared[name];
      if (property === undefined) return [];
      const shown = projected(document, property, value);
      return strictCheck(document, property)(shown) === null ? [[name, shown]] : [];
    }),
  );
}

function current(call: Call, subject: Subject): Values {
  const row = call.state.rows(call.platform.id, subject.resource.name).get(subject.id);
  return row === undefined ? {} : readRow(call.platform, call.state, call.world, subject.resource, row);
}

/** The answer to a start, of an action or of a deletion that takes its time. */
export function start(call: Call, subject: Subject | null): Answer {
  const { operation, state, platform } = call;
  const style = operation.async as AsyncStyle;
  const id = new Dice(
    state.seed,
    'task',
    platform.id,
    operation.id,
    subject?.id ?? '',
    state.next(`task ${platform.id}`),
  ).uuid();
  const task: Task = {
    id,
    operationId: operation.id,
    template: operation.template,
    values: call.values,
    startedAt: isoSeconds(state.clock.ms),
    endedAt: null,
    polls: 0,
    status: wordsOf(call, style).initial,
    input: withoutSecrets(call),
    output: null,
    ...(operation.stage === null ? {} : { stage: stageName(call) }),
  };
  state.tasks.set(id, task);
  const location = locationOf(call.platform, task);
  const success = successOf(operation);
  const body =
    success.schema === null ? undefined : present(call, success.schema, taskValues(style, task, location), id);
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

interface StateWords {
  initial: string;
  running: string;
  completed: string;
  failed: string;
}

/** The states of the platform's tasks, by the values that its polled object declares. */
function wordsOf(call: Call, style: AsyncStyle): StateWords {
  const poll = call.platform.byId.get(style.poll);
  const schema = poll === undefined ? null : successOf(poll).schema;
  const property =
    poll === undefined || schema === null ? undefined : shapeOf(poll.document, schema).properties[style.state];
  const declared = poll === undefined || property === undefined ? [] : (plain(poll.document, property).enum ?? []);
  const going = declared.map(String).filter((word) => !style.terminal.includes(word));
  return {
    initial: going[0] ?? 'INITIATED',
    running: going.at(-1) ?? 'RUNNING',
    completed: successWord(style.terminal) ?? 'COMPLETED',
    failed: failureWord(style.terminal) ?? 'FAILED',
  };
}

/** GET of a started task. */
export function poll(call: Call): Answer {
  const { operation, state, platform } = call;
  const id = call.values.at(-1) ?? '';
  const task = state.tasks.get(id);
  const started = task === undefined ? undefined : platform.byId.get(task.operationId);
  const style = started?.async;
  const isShared = operation.pathNames.length === 1;
  const matches =
    style?.poll === operation.id && (isShared || task?.values.every((value, at) => value === call.values[at]));
  if (task === undefined || started === undefined || style == null || !matches) {
    return refuse(
      404,
      'TASK_NOT_FOUND',
      `task "${id}": expected the id of a started task of this kind, got none of that id`,
    );
  }
  advance(call, task, started, style);
  const success = successOf(operation);
  if (success.schema === null) return done(success.status);
  return done(
    success.status,
    present(call, success.schema, taskValues(style, task, locationOf(call.platform, task)), task.id),
  );
}

const POLLS_TO_COMPLETE = 2;
/** Virtual time after which a task is done, however seldom it was polled. */
const LONGEST_TASK_MS = 120_000;

function isLongAgo({ state }: Call, { startedAt }: Task): boolean {
  return state.clock.ms - Date.parse(startedAt) >= LONGEST_TASK_MS;
}

function advance(call: Call, task: Task, started: Operation, style: AsyncStyle): void {
  if (task.endedAt !== null) return;
  const words = wordsOf(call, style);
  const concretePath = filled(started.template, task.values);
  const asStarted: Call = { ...call, operation: started, concretePath, values: task.values, body: task.input };
  const subject = subjectOf(asStarted, started.kind === 'delete');
  task.polls += 1;
  if (task.polls < POLLS_TO_COMPLETE && !isLongAgo(call, task)) {
    task.status = words.running;
    if (isRestart(started) && subject !== 'missing') beginRestart(call.state, subject, true);
    return;
  }
  task.endedAt = isoSeconds(call.state.clock.ms);
  const of: TaskCall = {
    operationId: started.id,
    template: started.template,
    values: task.values,
    input: task.input,
    state: call.state,
    platform: call.platform,
  };
  const { document, schema } = outputOf(call.operation, started, style);
  const setting = { stage: task.stage ?? stageName(asStarted), document, result: schema };
  const effect =
    subject === 'missing'
      ? missing(asStarted)
      : writingTo(call.state, task.stage ?? null, () => carryOut(asStarted, of, subject, setting));
  if (isRestart(started) && subject !== 'missing') {
    const isDone = effect.kind !== 'refused';
    // A task that nobody polled before restarts its device now.
    if (isDone) beginRestart(call.state, subject, true);
    endRestart(call.state, subject, isDone);
  }
  call.state.touch();
  if (effect.kind === 'refused') {
    task.status = words.failed;
    task.reason = effect.message;
    return;
  }
  task.status = words.completed;
  task.output =
    schema === null
      ? null
      : (synthesize(synthesisFor(call, ['output', started.id, task.id], document), schema, {
          ...(projected(document, schema, { ...fitting(document, schema, task.input), ...effect.values }) as Values),
        }) as Values);
  call.state.touch();
}

/** What the task puts out: said by its start where all tasks share one poll, else by the poll itself. */
function outputOf(
  poll: Operation,
  started: Operation,
  style: AsyncStyle,
): { document: Operation['document']; schema: Schema | null } {
  if (style.result !== undefined) return { document: started.document, schema: style.result };
  const named = Object.entries(style.values ?? {}).find(([, meaning]) => meaning === 'output')?.[0] ?? 'output';
  const { document } = poll;
  const schema = successOf(poll).schema;
  const output = schema === null ? undefined : shapeOf(document, schema).properties[named];
  if (output === undefined) return { document, schema: null };
  const at = plain(document, output);
  const solid = (at.anyOf ?? at.oneOf ?? [at]).find((branch) => plain(document, branch).type !== 'null');
  return { document, schema: solid ?? null };
}
