/** Deletes the entries of the user table of the legacy controller that have one name, role, address or access point. */
import type { TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

/** Field of the table by what the order says. */
const FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['name', 'name'],
  ['role', 'role'],
  ['mac', 'mac'],
  ['ip', 'ip'],
  ['ap-name', 'ap_name'],
]);

export function deleteUsers(of: TaskCall): Values {
  if (of.operationId !== 'deleteUsers') return {};
  const field = FIELDS.get(of.input['type']);
  const value = String(of.input['value']);
  const sought = field === 'mac' ? value.toLowerCase() : value;
  return { deleted: removeRows(of, 'user_table', (row) => field === undefined || row.value[field] === sought).length };
}
