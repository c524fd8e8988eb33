/** Where a read goes on when it brings a cursor. */

import type { Cursors } from './cursor.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { type Refused, refuse, subjectOf } from './envelope.ts';

/** An offset in the page of the platform; 0 without a cursor. CURSOR_INVALID where it is no good for this read. */
export function startOf(
  { call, tool, values }: Pick<AdmittedCall, 'call' | 'tool' | 'values'>,
  cursors: Cursors,
): number | Refused {
  if (call.cursor === undefined) return 0;
  const read = cursors.read(call.cursor, { tool: tool.name, arguments: values, principal: call.principal });
  return 'reason' in read
    ? refuse('CURSOR_INVALID', subjectOf(tool), `the cursor was refused: ${read.reason}`)
    : read.offset;
}
