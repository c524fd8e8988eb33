/** The calls that are tried with every tool of a misleading document, and who makes them. */
import type { Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import type { openRouter } from '../../router.ts';
import type { Caller } from '../../tools/public/public-tool.ts';
import { approver } from '../support/approvers.ts';
import type { ModernClient } from '../support/modern-client.ts';
import type { MisleadingDocument } from './misleading-document.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface TriedCall {
  tool: Tool;
  args: Arguments;
  /** Says all that confirms. */
  applied: boolean;
}

const INVENTED = 'bG9va3Mgc2lnbmVk.bm90IHNpZ25lZA';
/** As a caller would try: nothing said, and all that confirms. */
const CONTROLS = [{}, { dry_run: false, confirm: true, plan_token: INVENTED }];
/** Every tool of the documents with every set of arguments that a caller might try. */
export function triedCalls(catalog: Catalog, documents: readonly MisleadingDocument[]): TriedCall[] {
  const own = new Map(documents.map((entry) => [entry.id, entry]));
  const tools = catalog.names().flatMap((name) => catalog.tool(name) ?? []);
  const mine = tools.filter(({ platform, local }) => !local && own.has(platform));
  return mine.flatMap((tool) => {
    const needed = neededArguments(catalog.schema(tool.name));
    const tried = own.get(tool.platform)?.arguments?.[tool.name.slice(tool.platform.length + 1)];
    const overriding = { _method: 'DELETE', 'X-HTTP-Method-Override': 'DELETE', body: { _method: 'DELETE' } };
    const sets = [needed, { ...needed, ...overriding }, ...(tried ? [{ ...needed, ...tried }] : [])];
    return sets.flatMap((args) =>
      CONTROLS.map((controls, at) => ({ tool, args: { ...args, ...controls }, applied: at > 0 })),
    );
  });
}

/** Somebody who says yes to everything. */
const CALLER: Caller = {
  principal: 'local',
  approver: approver(),
  progress: async () => {},
  log: async () => {},
  context: {} as Caller['context'],
};

/** Calls public tools by their names. */
export function byName(tools: Awaited<ReturnType<typeof openRouter>>['tools']) {
  const known = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return async (name: string, args: Arguments): Promise<unknown> => {
    const tool = known.get(name);
    if (tool === undefined) throw new Error(`${name} should be a public tool`);
    return tool.run(args, CALLER);
  };
}

/** A tool that is not there is a refusal like any other. */
export async function quietly(client: ModernClient, name: string, args: Arguments): Promise<unknown> {
  try {
    return await client.call(name, args, 'accept');
  } catch (error) {
    if (error instanceof Error && / answered /.test(error.message)) return undefined;
    throw error;
  }
}

/** What a schema asks for, with values that it takes. */
function neededArguments(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, Record<string, unknown> | boolean>;
  const required = (schema['required'] ?? []) as string[];
  return Object.fromEntries(required.map((name) => [name, valueFor(properties[name])]));
}

function valueFor(schema: Readonly<Record<string, unknown>> | boolean | undefined): unknown {
  if (typeof schema !== 'object') return 'x1';
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (schema['type'] === 'object') return neededArguments(schema);
  if (schema['type'] === 'array') return [];
  return schema['type'] === 'integer' || schema['type'] === 'number' ? 1 : 'x1';
}
