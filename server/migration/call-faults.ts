/** What the documents of the target say against a call of an adapter, found without a call to the target. */
import type { Catalog } from '../catalog/tool-catalog.ts';
import { buildRequest } from '../dispatch/request.ts';
import { Validators } from '../dispatch/validate.ts';
import type { FaultOf } from './adapters/adapter.ts';

/** The checks that dispatch makes of the arguments of a call. It says nothing about a tool that the catalog lacks. */
export function faultsBy(catalog: Catalog): FaultOf {
  const validators = new Validators((name) => catalog.schema(name));
  return ({ tool: name, arguments: args }) => {
    const tool = catalog.tool(name);
    if (tool === undefined) return undefined;
    const [problem] = validators.problems(tool, args);
    const built = problem ? { ok: false as const, ...problem } : buildRequest(tool, args);
    return built.ok ? undefined : `\`${built.pointer || '/'}\` ${built.expected}, got ${built.got}`;
  };
}
