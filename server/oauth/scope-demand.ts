/** Which scopes a message lacks, so that the answer can be a challenge for more of them (step-up) and not a tool's error. */
import { type Capability, decideFor, type PrincipalAccess } from '../access/access-policy.ts';
import type { Config } from '../config/config.ts';

/** What is known of a tool by its name. */
export type ToolClass = { platform: string; capability: Capability };

export interface ScopeDemandOptions {
  config: Pick<Config, 'access' | 'known' | 'localToolsets'>;
  toolNamed: (name: string) => ToolClass | undefined;
}

/** Names of tools in a batch that are looked at. A batch has at most 25 calls; a longer one is refused as a whole. */
const MOST_CALLS = 25;
const READS = ['invoke_read_tool', 'invoke_read_tool_batch'];

export class ScopeDemand {
  readonly #options: ScopeDemandOptions;

  constructor(options: ScopeDemandOptions) {
    this.#options = options;
  }

  /** Of a parsed JSON-RPC message of a caller with this access; empty where no scope alone stands in the way. */
  missing(message: unknown, access: PrincipalAccess): string[] {
    const params = paramsOf(message);
    if (access.scopes === undefined || params === undefined) return [];
    const { name, arguments: args } = params;
    const inner = innerNames(name, args).map((called) => this.#missingOf(called, access, READS.includes(name)));
    const own = this.#missingOf(name, access, false);
    return [...new Set([...inner, own])].filter((scope) => scope !== undefined);
  }

  #missingOf(name: string, access: PrincipalAccess, readsOnly: boolean): string | undefined {
    const { config, toolNamed } = this.#options;
    const tool = toolNamed(name);
    // Not a question of scopes: the dispatcher of reads refuses it in any case.
    if (tool === undefined || (readsOnly && tool.capability !== 'read')) return undefined;
    return decideFor(config, tool.platform, tool.capability, access).missingScope;
  }
}

function paramsOf(message: unknown): { name: string; arguments: Record<string, unknown> } | undefined {
  if (!isObject(message) || message['method'] !== 'tools/call' || !isObject(message['params'])) return undefined;
  const { name, arguments: args = {} } = message['params'];
  return typeof name === 'string' && isObject(args) ? { name, arguments: args } : undefined;
}

function innerNames(name: string, args: Record<string, unknown>): string[] {
  if (name === 'invoke_tool' || name === 'invoke_read_tool') return textsOf([args['name']]);
  // A batch is a tool of the catalog too, so it may be named by a dispatcher; its calls are then decided inside.
  const { calls } = args;
  return Array.isArray(calls) ? textsOf(calls.slice(0, MOST_CALLS).map((call) => isObject(call) && call['name'])) : [];
}

const textsOf = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
