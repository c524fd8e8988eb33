/** Which operations a run chose and which it needed, whatever the subject calls them. Values in, values out. */
import type { Recording } from '../recording/recording.ts';
import type { Subject } from '../subject/subject.ts';
import { compactName, type Operation, type Tools } from './compare-operations.ts';

/**
 * Tools that the scenarios name for the router, as operations: for each needed one those that are equally right. Undefined
 * where one of them wraps none.
 */
export function neededOperations(
  expected: readonly (readonly string[])[],
  operations: readonly Operation[],
): Set<string>[] | undefined {
  const byName = new Map(operations.map(({ id, key }) => [compactName(id), key]));
  const groups = expected.map((tools) => tools.map((tool) => byName.get(compactName(tool))));
  return groups.some((keys) => keys.includes(undefined)) ? undefined : groups.map((keys) => new Set(keys as string[]));
}

/** Named in any call that performs an operation, previews and refusals included. */
export function chosenOperations(recording: Recording, subject: Subject, tools: Tools): Set<string> {
  const calls = recording.transcript.filter((message) => message.kind === 'call');
  return new Set(
    calls.flatMap((message) => operationOfCall(message.tool ?? '', (message.sent ?? {}) as Sent, subject, tools) ?? []),
  );
}

type Sent = Record<string, unknown>;

function operationOfCall(tool: string, sent: Sent, { roles, surface }: Subject, tools: Tools): string | undefined {
  const own = (name: unknown) => (typeof name === 'string' ? (tools.operationOf(name) ?? name) : undefined);
  if (roles !== undefined) {
    if (tool === roles.dispatch_read || tool === roles.dispatch_any) return own(sent['name']);
    return tool === roles.discover ? undefined : own(tool);
  }
  if (tool === surface?.search?.tool || tool === surface?.describe?.tool) return undefined;
  const { invoke } = surface ?? {};
  if (invoke === undefined) return own(tool);
  if (tool !== invoke.tool) return own(tool);
  const argument = (placeholder: string) =>
    Object.entries(invoke.arguments).find(([, template]) => template === placeholder)?.[0];
  const [name, method, path] = [argument('{name}'), argument('{method}'), argument('{path}')];
  if (name !== undefined) return own(sent[name]);
  return `${method === undefined ? 'GET' : sent[method]} ${path === undefined ? '' : sent[path]}`;
}

/** Every operation chosen was needed and none was missing. */
export const isRightChoice = (chosen: ReadonlySet<string>, needed: readonly ReadonlySet<string>[]): boolean =>
  needed.every((keys) => [...keys].some((key) => chosen.has(key))) &&
  [...chosen].every((key) => needed.some((keys) => keys.has(key)));
