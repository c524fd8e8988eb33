/** Which behaviour answers an operation of which kind. */
import { count, exported, observed, search, top } from '../behaviours/computed.ts';
import { get, list } from '../behaviours/list.ts';
import { set } from '../behaviours/set.ts';
import { singletonGet, singletonPut } from '../behaviours/singleton.ts';
import { act, poll } from '../behaviours/task.ts';
import { history, references } from '../behaviours/trace.ts';
import { trend } from '../behaviours/trend.ts';
import { bulkCreate, bulkDelete, bulkPatch, create, patch, remove, replace } from '../behaviours/write.ts';
import type { Behaviour } from '../http/accepted-call.ts';
import type { AuthKind, Kind } from './served-operation.ts';

export const BEHAVIOURS: Record<Exclude<Kind, AuthKind>, Behaviour> = {
  list,
  get,
  create,
  replace,
  patch,
  delete: remove,
  'bulk-create': bulkCreate,
  'bulk-patch': bulkPatch,
  'bulk-delete': bulkDelete,
  status: observed,
  stats: observed,
  trend,
  top,
  count,
  search,
  export: exported,
  references,
  history,
  action: act,
  diagnostic: act,
  'async-result': poll,
  'singleton-get': singletonGet,
  'singleton-put': singletonPut,
  set,
};
