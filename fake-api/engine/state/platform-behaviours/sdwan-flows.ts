/** A live flow of the SD-WAN that is reset is gone: the application opens the connection again, as another flow. */
import { textList } from '../json-value.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';
import { removeRows } from '../removed-rows.ts';

export function resetFlows(of: TaskCall): Values {
  if (of.operationId !== 'resetLiveFlows') return {};
  const wanted = textList(of.input['flowIds']);
  const { applianceId } = of.input;
  const gone = removeRows(
    of,
    'live-flows',
    ({ id, value }) => wanted.includes(id) && value['applianceId'] === applianceId,
  );
  return { reset: gone.length };
}
