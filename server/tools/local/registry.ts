/**
 * Tools that wrap no operation: one file each in the folder of its toolset, whose default export is the tool and whose
 * name is the tool's. They are found, gated and shaped like any other tool, and never reach a platform.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Capability, PrincipalAccess } from '../../access/access-policy.ts';
import type { BuiltTool, SearchText, Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import type { Config } from '../../config/config.ts';
import type { TSchema } from '../../config/schema.ts';
import type { LocalRun, LocalToolContext } from '../../dispatch/dispatch-call.ts';
import type { RedisLink } from '../../storage/redis-link.ts';

/** A tool that fits a hint, best first. */
export interface Choice {
  name: string;
  score: number;
  capability: Capability;
  params: readonly string[];
  /** Its gate lets a call through. */
  open: boolean;
}

/** What a local tool may use. */
export interface LocalContext {
  config: Pick<
    Config,
    | 'platforms'
    | 'response'
    | 'credentialsPath'
    | 'credentialOverrides'
    | 'stateDir'
    | 'rollbackWrites'
    | 'egress'
    | 'knowledge'
    | 'redis'
  >;
  catalog: Catalog;
  /** State that routers share, if they share any. */
  redis?: RedisLink | undefined;
  /** May the caller find this tool? */
  visible: (tool: Tool, access?: PrincipalAccess) => boolean;
  /** What find_tool would find. */
  choose: (hint: string, most: number, access?: PrincipalAccess) => Choice[];
}

export interface LocalTool<Arguments = never> {
  name: string;
  /** The backend shown to clients as `server`. */
  backend: string;
  /** The toolset or platform that brings it. */
  toolset: string;
  capability: Capability;
  /** One sentence for a list of hits, and the rest for who asks for more. */
  line: string;
  more: string;
  input: TSchema;
  search: Pick<SearchText, 'aliases' | 'questions'>;
  /** Called once, when the router opens; what it answers runs the tool. */
  open: (context: LocalContext) => (args: Arguments, callContext: LocalToolContext) => unknown;
}

/** Files of the toolsets, sorted by the name of the tool. */
const FILES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(import.meta.dirname, name)).map((file) => join(name, file)))
  .filter((file) => /\.[jt]s$/.test(file) && !file.includes('.test.'))
  .sort((one, other) => (basename(one) < basename(other) ? -1 : 1));

/** Every tool of the toolsets, by name. */
export const LOCAL_TOOLS: readonly LocalTool[] = await Promise.all(
  FILES.map(async (file) => {
    const module = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as { default: LocalTool };
    return module.default;
  }),
);

/** As the catalog keeps it, so that search, access and validation treat it like a tool of a platform. */
export function localToCatalog(tool: LocalTool): BuiltTool {
  const properties = Object.keys((tool.input as { properties?: object }).properties ?? {});
  const required = (tool.input as { required?: string[] }).required ?? [];
  return {
    tool: {
      name: tool.name,
      local: true,
      platform: tool.toolset,
      backend: tool.backend,
      document: '',
      operationId: null,
      method: 'LOCAL',
      path: `/${tool.name}`,
      capability: tool.capability,
      evidence: { by: 'document', detail: 'a tool of this router' },
      line: tool.line,
      description: `${tool.line} ${tool.more}`,
      params: [...required, ...properties.filter((name) => !required.includes(name))],
      parameters: [],
      body: null,
      secrets: [],
      deprecated: false,
    },
    schema: JSON.parse(JSON.stringify(tool.input)),
    text: {
      kind: 'search',
      distinguish: '',
      fields: properties,
      details: [],
      scope: '',
      tag: '',
      ...tool.search,
    },
  };
}

/** The tools of the enabled toolsets and of the served platforms, opened, by name. */
export function openLocalTools(context: LocalContext, toolsets: readonly string[]): ReadonlyMap<string, LocalRun> {
  const served = [...toolsets, ...context.config.platforms.map(({ id }) => id)];
  return new Map(
    LOCAL_TOOLS.filter(({ toolset }) => served.includes(toolset)).map((tool) => [
      tool.name,
      tool.open(context) as LocalRun,
    ]),
  );
}
