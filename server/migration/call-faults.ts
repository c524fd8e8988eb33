/** What the documents of the target say against a call of an adapter or a translator, found without a call to the target. */
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { ArgumentProblem } from '../dispatch/invalid-argument.ts';
import { buildRequest } from '../dispatch/request.ts';
import { Validators } from '../dispatch/validate.ts';
import type { FaultOf, ToolCall } from './adapters/adapter.ts';

/** The checks that dispatch makes of the arguments of a call. It says nothing about a tool that the catalog lacks. */
export function problemsBy(catalog: Catalog): (call: ToolCall) => ArgumentProblem[] {
  const validators = new Validators((name) => catalog.schema(name));
  return ({ tool: name, arguments: args }) => {
    const tool = catalog.tool(name);
    if (tool === undefined) return [];
    const problems = validators.problems(tool, args);
    if (problems.length > 0) return problems;
    const built = buildRequest(tool, args);
    return built.ok ? [] : [built];
  };
}

/** The first of them as a sentence. */
export function faultsBy(catalog: Catalog): FaultOf {
  const problemsOf = problemsBy(catalog);
  return (call) => {
    const [problem] = problemsOf(call);
    return problem && `\`${problem.pointer || '/'}\` ${problem.expected}, got ${problem.got}`;
  };
}
