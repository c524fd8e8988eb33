/** What a client of the router would write to call every operation of the shipped platforms once, validly. */
import { type EveryCall, shippedCalls } from '#fake-api/calls';
import type { Tool } from '../../catalog/tool.ts';

export type Arguments = Record<string, unknown>;

/** By platform, method and path template; an operation that nothing in the fixture fits is left out. */
export async function everyCall(only?: readonly string[]): Promise<Map<string, EveryCall>> {
  const shipped = await shippedCalls(only);
  return new Map(
    [...shipped].flatMap(([id, { calls }]) =>
      calls.map((call) => [keyOf(id, call.method, call.template), call] as const),
    ),
  );
}

export const keyOf = (platform: string, method: string, template: string) => `${platform} ${method} ${template}`;

/** The arguments that make exactly this call. */
export function argumentsOf(tool: Tool, call: EveryCall): Arguments {
  const names = [...call.template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
  const pattern = call.template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/]*)');
  const parts = new RegExp(`^${pattern}$`).exec(call.path)?.slice(1) ?? [];
  const given = new Map(names.map((name, i) => [name, decodeURIComponent(parts[i] ?? '')]));
  for (const [name, value] of new URLSearchParams(call.query)) given.set(name, value);
  const flat = tool.parameters.flatMap(({ name, argument }) => {
    const value = given.get(name);
    return value === undefined ? [] : [[argument, value] as const];
  });
  return { ...Object.fromEntries(flat), ...(call.body === undefined || tool.body === null ? {} : { body: call.body }) };
}
