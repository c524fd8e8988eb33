/** Operations of the merged document, and which of a subject's tools each of them is. Values in, values out. */
import type { Document } from '../sandbox/merged/served-documents.ts';
import type { SingleStep } from '../scenario/scenario-schema.ts';
import type { Subject } from '../subject/subject.ts';

export interface Operation {
  /** `METHOD /platform/path`. */
  key: string;
  /** Platform and operationId. */
  id: string;
  texts: string[];
}

export interface NamedTool {
  name: string;
  description?: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** Names are cut at 60 or 64 characters; what is shorter is whole. */
const CUT_AT = 50;
/** The suffix of a name that was cut. */
const DIGEST = /_[0-9a-f]{8}$/;

/** Letters and digits alone: `mgmt_listSites`, `mgmt-list-sites` and `mgmt_list_sites` are one name. */
export const compactName = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const texts = [operation['description'], operation['summary']].filter((text) => typeof text === 'string');
      return [{ key: `${method.toUpperCase()} ${path}`, id: operation.operationId ?? '', texts }];
    }),
  );
}

export interface Tools {
  /** Operation → the tool that performs it. */
  toolOf: (key: string) => string | undefined;
  /** Tool → the operation it performs. */
  operationOf: (tool: string) => string | undefined;
}

/**
 * By name where a tool keeps the operationId, else by the description that it took over; operations that share one are told
 * apart by their order, which every converter keeps. Whether that was right shows in the ledger.
 */
export function matchTools(operations: readonly Operation[], listed: readonly NamedTool[], prefix = ''): Tools {
  const byId = new Map(operations.map(({ id, key }) => [compactName(id), key]));
  const ids = [...byId.keys()];
  const named = (tool: string): string | undefined => {
    const own = tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
    const cut = prefix !== '' && DIGEST.test(own);
    const name = compactName(cut ? own.replace(DIGEST, '') : own);
    const exact = byId.get(compactName(own)) ?? byId.get(name);
    if (exact !== undefined || (!cut && name.length < CUT_AT)) return exact;
    const longer = ids.filter((id) => id.startsWith(name));
    return longer.length === 1 ? byId.get(longer[0]!) : undefined;
  };
  const tools = new Map<string, string>();
  const found = new Map<string, string>();
  const join = (tool: string, key: string) => {
    tools.set(key, tool);
    found.set(tool, key);
  };
  for (const { name } of listed) {
    const key = named(name);
    if (key !== undefined) join(name, key);
  }
  const described = Map.groupBy(
    operations.filter(({ key }) => !tools.has(key)).flatMap(({ key, texts }) => texts.map((text) => ({ key, text }))),
    ({ text }) => text,
  );
  for (const { name, description = '' } of listed) {
    if (found.has(name)) continue;
    const next = described.get(description)?.find(({ key }) => !tools.has(key));
    if (next !== undefined) join(name, next.key);
  }
  return {
    toolOf: (key) => tools.get(key),
    operationOf: (tool) => found.get(tool) ?? named(tool),
  };
}

/** The tools of a server behind a search are not in its list. Some servers are known to name tools by operationId. */
export function namedTools(
  { surface }: Pick<Subject, 'surface'>,
  list: readonly NamedTool[],
  operations: readonly Operation[],
): readonly NamedTool[] {
  if (surface?.search === undefined) return list;
  return surface.names === 'operationId' ? operations.map(({ id }) => ({ name: id })) : [];
}

export interface ToolRank {
  platform: string;
  also?: readonly string[];
}

/** `METHOD /template` of a scenario as the merged document has it; its platform is one of the scenario's. */
export function operationAt(
  operations: ReadonlySet<string>,
  call: string,
  { platform, also = [] }: ToolRank,
): string | undefined {
  const [method = '', path = ''] = call.split(' ');
  return [platform, ...also].map((id) => `${method} /${id}${path}`).find((key) => operations.has(key));
}

/** The oracle's steps in the words of a subject that was handed the merged document. */
export function routedSteps(
  steps: readonly SingleStep[],
  rank: ToolRank,
  keys: ReadonlySet<string>,
  tools: Tools,
): (SingleStep & { tool?: string })[] {
  return steps.map((step) => {
    const key = operationAt(keys, step.call, rank);
    if (key === undefined) return step;
    const tool = tools.toolOf(key);
    return { ...step, call: key, ...(tool === undefined ? {} : { tool }) };
  });
}
