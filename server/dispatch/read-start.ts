/** Where a read goes on when it brings a cursor. */
import type { Cursors } from './cursor.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { type Refused, refuse, subjectOf } from './envelope.ts';
import { cursorArguments } from './shape.ts';

/** An offset in the page of the platform; 0 without a cursor. CURSOR_INVALID where it is no good for this read. */
export function startOf(
  { call, tool, values }: Pick<AdmittedCall, 'call' | 'tool' | 'values'>,
  cursors: Cursors,
): number | Refused {
  if (call.cursor === undefined) return 0;
  const read = cursors.read(call.cursor, { tool: tool.name, arguments: values, principal: call.principal });
  if ('offset' in read) return read.offset;
  const own = read.isForeign ? platformCursorOf(tool) : undefined;
  const hint = `call again without a cursor; a cursor of the platform goes into arguments, as \`${own}\``;
  return refuse(
    'CURSOR_INVALID',
    subjectOf(tool),
    `the cursor was refused: ${read.reason}`,
    own === undefined ? {} : { hint },
  );
}

/** The argument that takes what the platform gives to go on with. */
function platformCursorOf({ list, parameters }: AdmittedCall['tool']): string | undefined {
  const names = cursorArguments(list?.parameters);
  return list && parameters.find(({ argument }) => names.includes(argument))?.argument;
}
