/** The export of a controller that is reachable as the `legacy` platform: the same sections, read through the router. */
import { SECTION_NAMES, SECTIONS, type Section } from './object-family.ts';
import type { TargetPort } from './target-port.ts';

/** An export as the file would hold it, and the sections that could not be read. */
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
    if (answer.kind === 'found') put(value, pointer, (answer.value as { items?: unknown }).items ?? []);
    else unread.push({ pointer, message: answer.kind === 'unknown' ? answer.message : 'there is no such list' });
  }
  return { value, unread };
}

function put(value: Record<string, unknown>, pointer: string, items: unknown): void {
  const [, first = '', second] = pointer.split('/');
  if (second === undefined) value[first] = items;
  else value[first] = { ...(value[first] as object | undefined), [second]: items };
}
