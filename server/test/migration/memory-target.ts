/** A platform that fits into a map: keeps what the adapters write, answers what they read, and counts. */
import type { ToolCall } from '../../migration/adapters/adapter.ts';
import type { TargetPort } from '../../migration/target-port.ts';

const KEYS = ['vlan_id', 'name', 'ssid', 'profile', 'wlan'];

export interface MemoryTarget extends TargetPort {
  objects: Map<string, Record<string, unknown>>;
  /** Accepted writes, by what they wrote. */
  written: string[];
}

export function memoryTarget(objects = new Map<string, Record<string, unknown>>()): MemoryTarget {
  const written: string[] = [];
  return {
    objects,
    written,
    read: async ({ tool, arguments: args }) => {
      if (tool === 'mgmt_list_config_assignments') return { kind: 'found', value: { items: assignmentsIn(objects) } };
      const value = objects.get(placeOf({ tool, arguments: args }));
      return value ? { kind: 'found', value } : { kind: 'absent' };
    },
    write: async (call) => {
      const place = placeOf(call);
      const removes = call.tool.startsWith('mgmt_delete_');
      if (removes !== objects.has(place) && !/_(update|replace)_/.test(call.tool))
        return { kind: 'refused', message: removes ? 'there is none' : 'it exists' };
      written.push(`${removes ? '-' : '+'}${place}`);
      if (removes) objects.delete(place);
      else objects.set(place, { ...(/_update_/.test(call.tool) ? objects.get(place) : {}), ...bodyOf(call) });
      return { kind: 'done' };
    },
  };
}

function placeOf({ tool, arguments: args }: ToolCall): string {
  const noun = tool
    .replace(/^mgmt_(create|update|replace|get|delete)_/, '')
    .replace(/^config_assignments?$/, 'assignment');
  if (noun === 'assignment') {
    const [tuple = args] = (args['body'] as Record<string, unknown>[] | undefined) ?? [];
    return `assignment ${['scope-id', 'device-function', 'profile-type', 'profile-instance'].map((key) => tuple[key]).join('/')}`;
  }
  return `${noun} ${KEYS.map((key) => args[key]).find((value) => value !== undefined)}`;
}

function bodyOf({ arguments: args }: ToolCall): Record<string, unknown> {
  const { body, ...keys } = args;
  return Array.isArray(body) ? (body[0] as Record<string, unknown>) : { ...keys, ...(body as object) };
}

const assignmentsIn = (objects: ReadonlyMap<string, unknown>): unknown[] =>
  [...objects].flatMap(([place, value]) => (place.startsWith('assignment ') ? [value] : []));
