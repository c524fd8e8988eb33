/** Who watches an alert rule of the policy server: the caller is on the list once. */
import { USERNAME } from '../../http/account.ts';
import { changeRow } from '../changed-row.ts';
import { textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

export function watchAlert(of: TaskCall, rule: Subject | null): Values {
  if (of.operationId !== 'watchInsightAlert' || rule === null) return {};
  const watchers = [...new Set([...textList(rule.values['watchers']), USERNAME])];
  changeRow(of, rule.resource.name, rule.id, { watchers });
  return { watchers };
}
