/** The inspector's command line, one process per call, with its strict check of tool schemas. It cannot be asked. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerOf, walk } from './steps.ts';

const INSPECTOR = join(import.meta.dirname, 'node_modules', '.bin', 'mcp-inspector');
const run = promisify(execFile);

await walk(async (url, token) => {
  const inspect = async (...words: string[]): Promise<unknown> => {
    const where = [
      '--cli',
      url,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${token}`,
      '--stored-auth-only',
    ];
    const { stdout } = await run(process.execPath, [INSPECTOR, ...where, '--format', 'json', '-q', ...words]).catch(
      // A tool result with isError ends the command with 5 and still prints the result.
      (error: { stdout: string; code: number; stderr: string }) => {
        if (error.code === 5 && error.stdout.includes('"content"')) return error;
        throw new Error(`the inspector ended with ${error.code}: ${error.stderr}`);
      },
    );
    return (JSON.parse(stdout) as { result: unknown }).result;
  };
  return {
    tools: async () => {
      const { tools } = (await inspect('--method', 'tools/list', '--strict')) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    call: async (name, args) =>
      answerOf(await inspect('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))),
    close: async () => {},
  };
});
