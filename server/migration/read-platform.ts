/** The export of a controller that is reachable as the `legacy` platform: the same sections, read through the router. */
import { SECTION_NAMES, SECTIONS, type Section } from './object-family.ts';
import { listIn, type ReadAnswer, type TargetPort } from './target-port.ts';

/** An export as the file would hold it, and the sections that could not be read to their end. */
export async function exportFromPlatform(
  port: Pick<TargetPort, 'read'>,
  configPath: string,
): Promise<{ value: Record<string, unknown>; unread: { pointer: string; message: string }[] }> {
  const value: Record<string, unknown> = { config_path: configPath };
  const unread: { pointer: string; message: string }[] = [];
  for (const name of SECTION_NAMES) {
    const { pointer, tool, everywhere }: Section = SECTIONS[name];
    if (tool === undefined) continue;
    const answer = await port.read({ tool, arguments: everywhere ? {} : { config_path: configPath } });
    const items = wholeList(answer);
    if (typeof items === 'string') unread.push({ pointer, message: items });
    else put(value, pointer, items);
  }
  return { value, unread };
}

/** The items, or why they are not all there. */
function wholeList(answer: ReadAnswer): unknown[] | string {
  if (answer.kind !== 'found') return answer.kind === 'unknown' ? answer.message : 'there is no such list';
  const list = listIn(answer.value);
  if (!list) return 'the answer is no list';
  return list.isCut ? `the list was cut after ${list.items.length} items: plan from an export` : list.items;
}

function put(value: Record<string, unknown>, pointer: string, items: unknown): void {
  const [, first = '', second] = pointer.split('/');
  if (second === undefined) value[first] = items;
  else value[first] = { ...(value[first] as object | undefined), [second]: items };
}
