/** What becomes of a document: its tools, what was reported of it, and what a call with some arguments sends. */
import { takeApart } from '../../dispatch/arguments.ts';
import { buildRequest } from '../../dispatch/request.ts';
import { Validators } from '../../dispatch/validate.ts';
import { importDocument } from '../../import/import-document.ts';
import { definePlatform } from '../../import/user-platform.ts';
import { trialBuild } from '../../open-catalog.ts';
import { oddFolder } from './malformed-documents.ts';

export type ImportedApi = Awaited<ReturnType<typeof importedApi>>;

/** @param files by name, the document first; all of them are documents of a folder where `inFolder` says so */
export async function importedApi(files: Record<string, unknown>, inFolder = false) {
  using folder = oddFolder();
  const [first] = Object.entries(files).map(([name, content]) => folder.write(name, content));
  const taken = await importDocument(inFolder ? folder.path : (first as string));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const { tools, quarantined, notes } = trialBuild(definePlatform({ name: 'acme' }, taken), documents);
  const named = (operation: string) => {
    const found = tools.find(
      ({ tool }) => tool.operationId === operation || `${tool.method} ${tool.path}` === operation,
    );
    if (found === undefined)
      throw new Error(
        `should have the tool ${operation}, got ${JSON.stringify(quarantined.map(({ reason }) => reason))}`,
      );
    return found;
  };
  const validators = new Validators((name) => tools.find(({ tool }) => tool.name === name)?.schema ?? {});
  const taking = (operation: string, args: Record<string, unknown>) => {
    const { tool, schema } = named(operation);
    const apart = takeApart(args, schema);
    if ('expected' in apart) throw new Error(apart.expected);
    return { tool, values: apart.values, problems: validators.problems(tool, apart.values) };
  };
  return {
    baseUrl: taken.baseUrl,
    findings: taken.findings.map(({ pointer, message }) => `${pointer} ${message}`),
    setAside: quarantined.map(({ operation, reason }) => `${operation} ${reason}`),
    notes,
    tools: tools.map(({ tool }) => tool),
    schemaOf: (operation: string) => named(operation).schema,
    /** What is wrong with the arguments of a call, each with its place. */
    problems: (operation: string, args: Record<string, unknown>) =>
      taking(operation, args).problems.map(({ pointer, expected }) => `${pointer} ${expected}`),
    /** The request of a call. */
    request(operation: string, args: Record<string, unknown>) {
      const { tool, values, problems } = taking(operation, args);
      const built = buildRequest(tool, values);
      if (problems.length > 0 || !built.ok) throw new Error(JSON.stringify(problems.length > 0 ? problems : built));
      return built.request;
    },
  };
}
