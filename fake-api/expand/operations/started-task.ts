/** What every start of a task has, whatever it starts: the answer with its location, and where the state is read. */
import type { AsyncModel } from '../model/async-model.ts';
import type { Spot } from '../model/model-file.ts';
import type { Schema } from '../schema/schema-object.ts';
import { type Operation, textHeader } from './modelled-operation.ts';
import type { OperationBuilder } from './operation-builder.ts';

export function asyncOf({ platform }: OperationBuilder, asking: Spot): AsyncModel {
  return (
    platform.model.async ?? asking.fail('async: in platform.yaml for what takes its time', 'none', 'MODEL_REFERENCE')
  );
}

export function startedSuccess(bench: OperationBuilder, asking: Spot): Operation['success'] {
  const { started, status } = asyncOf(bench, asking);
  return {
    status,
    schema: bench.schemas.platformObject(started),
    text: 'Started; the location says where the state is read',
    headers: { Location: textHeader('Path under which the state is read') },
  };
}

export function asyncExtension(model: AsyncModel, poll: string, result: Schema | null): Schema {
  return {
    'x-svc-async': {
      poll,
      state: model.field,
      terminal: [...model.terminal],
      ...(model.values.size > 0 ? { values: Object.fromEntries(model.values) } : {}),
      ...(result ? { result } : {}),
    },
  };
}

/** For a task that has no poll operation of its own. */
export function sharedAsync(bench: OperationBuilder, asking: Spot, result: Schema | null): Schema {
  const model = asyncOf(bench, asking);
  const { shared } = model;
  if (!shared) return asking.fail('one poll path for all tasks, without {action}', model.poll, 'MODEL_REFERENCE');
  return asyncExtension(model, sharedPollId(shared), result);
}

export function sharedPollId(shared: NonNullable<AsyncModel['shared']>): string {
  return `get${shared.singular}`;
}
