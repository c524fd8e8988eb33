/**
 * Paths of the files that running processes have open, as `/proc` of Linux shows them (proc(5)): all of this user's in this
 * container. Undefined on other systems, where nothing is known of them.
 */
import { readdirSync, readlinkSync } from 'node:fs';

export function openFiles(): string[] | undefined {
  if (entries('/proc/self/fd').length === 0) return undefined;
  const processes = entries('/proc').filter((name) => /^\d+$/.test(name));
  return processes.flatMap((id) => {
    const folder = `/proc/${id}/fd`;
    return entries(folder).flatMap((fd) => target(`${folder}/${fd}`));
  });
}

/** A process that ended meanwhile, or that belongs to somebody else, has none that can be seen. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function target(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}
