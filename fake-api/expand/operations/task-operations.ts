/** Actions and diagnostics: at once, or started with a task id and read by a second operation. */
import type { Field } from '../model/field-line.ts';
import { article, pascal, wordsOf } from '../model/name-spelling.ts';
import type { Task } from '../model/task-model.ts';
import { fittingGroups, groupParameters } from '../schema/declared-parameters.ts';
import type { Schema } from '../schema/schema-object.ts';
import { type Operation, textHeader } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';
import { asyncExtension, asyncOf, sharedAsync, startedSuccess } from './started-task.ts';

export function taskOperations(bench: OperationBuilder): Operation[] {
  return bench.resource.model.tasks.flatMap((task) =>
    task.async
      ? [start(bench, task), ...(asyncOf(bench, task.spot).shared ? [] : [result(bench, task)])]
      : [run(bench, task)],
  );
}

function pathOf(bench: OperationBuilder, task: Task): string {
  return `${task.at === 'item' ? bench.resource.itemPath : bench.resource.collectionPath}/${task.name}`;
}

/** `rotate-secret` of an auth server is rotateAuthServerSecret: verb, noun, rest. */
function idOf(bench: OperationBuilder, task: Task): string {
  if (task.id) return task.id;
  const { model } = bench.resource;
  const [verb = '', ...rest] = wordsOf(task.name);
  return `${verb}${task.at === 'item' ? model.singular : model.plural}${rest.map(pascal).join('')}`;
}

function stemOf(bench: OperationBuilder, task: Task): string {
  return task.id
    ? pascal(task.id)
    : `${task.at === 'item' ? bench.resource.model.singular : bench.resource.model.plural}${pascal(task.name)}`;
}

function subjectOf(bench: OperationBuilder, task: Task): string {
  const { noun } = bench.resource.model;
  return task.at === 'item' ? `one ${noun[0]}` : noun[1];
}

function aliasesOf(task: Task): string {
  return task.aliases && task.aliases.length > 0 ? ` (${task.aliases.slice(0, 2).join(', ')})` : '';
}

function capabilityOf(task: Task): Operation['capability'] {
  return task.capability ?? (task.kind === 'diagnostic' ? 'diagnostic' : 'write');
}

function bodyOf(bench: OperationBuilder, task: Task): { body?: NonNullable<Operation['body']> } {
  if (task.input.length === 0) return {};
  return {
    body: { schema: bench.schemas.own(`${pascal(task.name)}Request`, task.input, 'write'), media: 'application/json' },
  };
}

function inputs(bench: OperationBuilder, task: Task): string {
  const { platform, resource } = bench;
  const query = fittingGroups(task.kind, resource, platform, task.queries).flatMap((group) => group.fields);
  const fields: readonly Field[] = [...query, ...task.input];
  return fields.length > 0 ? `Takes ${bench.fieldList(fields, 5)}` : '';
}

function run(bench: OperationBuilder, task: Task): Operation {
  const { resource, schemas, platform, book } = bench;
  const answers = task.result.length > 0;
  const copies = (task.derive as { clone?: unknown } | undefined)?.clone === true && !answers;
  return bench.finish(
    {
      kind: task.kind,
      method: 'post',
      path: pathOf(bench, task),
      id: idOf(bench, task),
      capability: capabilityOf(task),
      query: groupParameters(task.kind, resource, platform, book, { named: task.queries }),
      ...bodyOf(bench, task),
      success: answers
        ? {
            status: 200,
            schema: schemas.own(`${pascal(task.name)}Result`, task.result, 'read'),
            text: `Outcome: ${task.title}`,
          }
        : copies
          ? {
              status: 201,
              schema: schemas.read(),
              text: `The new ${resource.model.noun[0]}`,
              ...(resource.style.create.location
                ? { headers: { Location: textHeader('Path of the new object') } }
                : {}),
            }
          : { status: 204, text: 'Done' },
      extensions: { 'x-svc-task': task.name },
      words: {
        opening: task.does,
        joint: 'in',
        contrast:
          task.distinguish ??
          (answers ? `Answers at once with ${bench.fieldList(task.result, 5)}` : 'Takes effect at once'),
        handle: inputs(bench, task),
        filler: [...task.input, ...task.result],
        summary: task.does,
      },
    },
    task,
  );
}

/** Where all tasks share one poll, the start says what this one puts out. */
function outputOf(bench: OperationBuilder, task: Task): Schema | null {
  return task.result.length > 0 ? bench.schemas.own(`${pascal(task.name)}Result`, task.result, 'read') : null;
}

function start(bench: OperationBuilder, task: Task): Operation {
  const { resource, platform, book } = bench;
  const tasks = asyncOf(bench, task.spot);
  return bench.finish(
    {
      kind: task.kind,
      method: 'post',
      path: pathOf(bench, task),
      id: `start${stemOf(bench, task)}`,
      capability: capabilityOf(task),
      query: groupParameters(task.kind, resource, platform, book, { named: task.queries }),
      ...bodyOf(bench, task),
      success: startedSuccess(bench, task.spot),
      extensions: {
        'x-svc-task': task.name,
        ...(tasks.shared
          ? sharedAsync(bench, task.spot, outputOf(bench, task))
          : asyncExtension(tasks, `get${stemOf(bench, task)}Result`, null)),
      },
      words: {
        opening: `Start ${article(task.title)} ${task.title}${aliasesOf(task)} for ${subjectOf(bench, task)}: ${task.does}`,
        joint: 'in',
        contrast:
          task.distinguish ??
          (tasks.shared
            ? `Asynchronous: answers at once, the outcome is read as ${article(tasks.shared.noun[0])} ${tasks.shared.noun[0]}`
            : 'Asynchronous: returns a task id at once, the outcome is read by the matching result operation'),
        handle: inputs(bench, task),
        filler: task.input,
        summary: `Start ${article(task.title)} ${task.title} for ${subjectOf(bench, task)}`,
        poll: 'start',
      },
    },
    task,
  );
}

function result(bench: OperationBuilder, task: Task): Operation {
  const { resource, schemas, platform, book } = bench;
  const tasks = asyncOf(bench, task.spot);
  const { param, polled } = tasks;
  const output = outputOf(bench, task);
  const outputName = [...tasks.values].find(([, meaning]) => meaning === 'output')?.[0] ?? 'output';
  const base = schemas.platformBase(polled);
  const schema = output
    ? schemas.raw(`${pascal(task.name)}Operation`, {
        type: 'object',
        allOf: [base],
        properties: {
          [outputName]: {
            anyOf: [output, { type: 'null' }],
            description: `Outcome of the ${task.title}, null until it is complete`,
          },
        },
        unevaluatedProperties: false,
      })
    : { type: 'object', allOf: [base], unevaluatedProperties: false };
  const {
    capability: _capability,
    path: _path,
    method: _method,
    status: _status,
    impact: _impact,
    distinguish: _text,
    ...wording
  } = task;
  return bench.finish(
    {
      kind: 'async-result',
      method: 'get',
      path: tasks.poll.replace('{action}', pathOf(bench, task)),
      id: `get${stemOf(bench, task)}Result`,
      capability: 'read',
      query: groupParameters('async-result', resource, platform, book),
      success: { status: 200, schema, text: 'State, progress and output' },
      extensions: { 'x-svc-poll': true, 'x-svc-task': task.name },
      words: {
        opening: `Get the state and output of a started ${task.title}${aliasesOf(task)} for ${subjectOf(bench, task)}`,
        joint: 'in',
        contrast: `The task was started to ${task.does[0]!.toLowerCase()}${task.does.slice(1)}${task.result.length > 0 ? `; reports ${bench.fieldList(task.result, 5)}` : ''}`,
        handle: `Reads a task that was started before, by its ${bench.spell(param.name)}`,
        filler: task.result,
        summary: `Get the result of a started ${task.title} for ${subjectOf(bench, task)}`,
        poll: 'result',
      },
    },
    wording,
  );
}
