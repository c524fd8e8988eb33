/** `view`: serve a stored run's page on the loopback and say where, until Ctrl-C. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT } from '../../exit-codes.ts';
import { HarnessError } from '../../harness-errors.ts';
import { runFolderOf } from '../../recording/run-folder.ts';
import { assertPortFree } from '../../sandbox/port.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './options.ts';

export function addViewCommand(program: Command, context: CommandContext): void {
  program
    .command('view [run]')
    .description("serve a stored run's page on the loopback (default: the latest)")
    .option('--port <n>', '0 picks a free one', wholeNumber(0, 65_535), 0)
    .option('--json', 'print {url, file} as one JSON object and exit')
    .action(async (name: string | undefined, options: { port: number; json?: boolean }) => {
      const folder = await runFolderOf(context.root, name);
      const file = join(folder, 'report.html');
      const page = await readFile(file).catch((cause: unknown) => {
        throw new HarnessError('RECORDING_INVALID', `${file} should be a report page, got none`, { cause });
      });
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      });
      await assertPortFree(options.port);
      await new Promise<void>((resolved) => server.listen(options.port, '127.0.0.1', resolved));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      if (options.json === true) context.stdout.write(`${JSON.stringify({ url, file })}\n`);
      else {
        context.stdout.write(`${file}\n${url}  (Ctrl-C ends)\n`);
        await new Promise<void>((resolved) =>
          context.signal.addEventListener('abort', () => resolved(), { once: true }),
        );
      }
      server.closeAllConnections();
      server.close();
      context.exitWith(EXIT.pass);
    });
}
