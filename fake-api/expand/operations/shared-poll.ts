/** The one operation that reads any task of a platform, as a document of its own. */
import { type DocumentModel, readDocumentModel } from '../model/document-model.ts';
import { parseModel } from '../model/model-file.ts';
import { kebab } from '../model/name-spelling.ts';
import type { DocumentView, Platform } from '../model/platform-folder-model.ts';
import { type MissingReference, SchemaBook } from '../schema/schema-book.ts';
import type { Operation } from './modelled-operation.ts';
import { OperationBuilder } from './operation-builder.ts';
import { sharedPollId } from './started-task.ts';

export interface Draft {
  readonly view: DocumentView;
  readonly book: SchemaBook;
  readonly operations: Operation[];
}

export function sharedPoll(platform: Platform, refuse: MissingReference): Draft | null {
  const { async: tasks, styles } = platform.model;
  const [first] = platform.documents;
  if (!tasks?.shared || !first) return null;
  const { shared } = tasks;
  const [style] = [...styles.values()];
  const model = documentModel(platform, shared, style!.name);
  const resource = {
    model: model.resources[0]!,
    document: model,
    style: style!,
    parent: null,
    itemPath: tasks.poll,
    collectionPath: tasks.poll.replace(/\/[^/]*$/, ''),
    pathFields: new Map([[tasks.param.name, tasks.param]]),
  };
  const view = { model, definitions: first.definitions, resources: [resource] };
  const book = new SchemaBook(platform, view, refuse);
  const bench = new OperationBuilder(platform, view, resource, book, new Map());
  const fields = book.objectFields(tasks.polled, model.spot.place);
  const known = [...fields, ...book.objectFields(tasks.started, model.spot.place)].map((field) => field.name);
  const stray = [...tasks.values.keys()].find((name) => !known.includes(name));
  if (stray) tasks.spot.fail(`under values: fields of ${tasks.started} or ${tasks.polled}`, stray, 'MODEL_REFERENCE');
  const operation = bench.finish({
    kind: 'async-result',
    method: 'get',
    path: tasks.poll,
    id: sharedPollId(shared),
    capability: 'read',
    query: [],
    success: { status: 200, schema: bench.schemas.platformObject(tasks.polled), text: 'State, progress and output' },
    extensions: { 'x-svc-poll': true },
    words: {
      opening: `Get the state and output of one ${shared.noun[0]}${bench.aliases}`,
      joint: 'in',
      contrast: `Whatever started it, all ${shared.noun[1]} are read here; tells ${bench.fieldList(fields, 6)}`,
      handle: `Reads what was started before, by its ${bench.spell(tasks.param.name)}`,
      filler: fields,
      summary: `Get the state of one ${shared.noun[0]}`,
      poll: 'result',
    },
  });
  return { view, book, operations: [operation] };
}

/** The words of platform.yaml in the form of a document, so that it is read by the rules of every other. */
function documentModel(
  platform: Platform,
  shared: NonNullable<NonNullable<Platform['model']['async']>['shared']>,
  style: string,
): DocumentModel {
  const resource = {
    id: [shared.singular, shared.plural],
    noun: shared.noun,
    aliases: shared.aliases,
    ...(shared.questions.length > 0 ? { questions: shared.questions } : {}),
    distinguish: shared.distinguish,
    key: 'id str(1..64) -- Identifier that the start answered with',
    ops: 'none',
  };
  const text = { document: 'tasks', base: '/', style, tag: 'Tasks', resources: { [kebab(shared.plural)]: resource } };
  return readDocumentModel(parseModel(JSON.stringify(text), `${platform.model.id}/platform.yaml (async)`));
}
