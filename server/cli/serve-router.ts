/** Runs the router over the transport that MCP_TRANSPORT names. Started by `router.mjs`. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { McpServerFactory, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { RouterError } from '../errors.ts';
import { openRouter, type Router } from '../router.ts';
import { createLogger, errorFields, type Logger } from '../telemetry/logger.ts';
import { bannerText } from './banner.ts';
import { consoleBesideStdio } from './console-beside-stdio.ts';
import { runCommand } from './run-command.ts';
import { Utf8Lines } from './utf8-lines.ts';

/** From being ready until the packages of the first call are loaded: the client's first questions come before them. */
const LOAD_AFTER_MS = 100;

/** Milliseconds from the signal to the end of the process, and the part of them that in-flight calls get. */
const STOP_MS = 10_000;
const DRAIN_MS = 9_000;
const SEND_REST_MS = 900;

const program = new Command('svc-mcp-router')
  .description(
    'Serve thousands of network-platform operations to MCP clients through three tools. Configured by environment variables.',
  )
  .version(version)
  .option('--directory <path>', 'work in this folder: its .env, and paths relative to it', '.')
  .option('--json', 'print one JSON line on stdout when HTTP is ready')
  .action(async (options: { directory: string; json?: boolean }) => {
    mustBeFolder(options.directory);
    const reread = () => loadConfig({ env: process.env, cwd: resolve(options.directory) });
    const config = reread();
    const logger = createLogger(config.logLevel);
    for (const warning of config.warnings) logger.warn('config.warning', { warning });
    const router = await openRouter(config, logger, { reread });
    const started = (url: string | undefined, consoleUrl: string | undefined) =>
      process.stderr.write(bannerText(config, { version, url, consoleUrl, tools: router.catalog.summary.tools }));
    let stop: () => Promise<void>;
    if (config.transport === 'stdio') {
      await router.ready();
      // The library listens once for each answer that waits for the client to read, and there may be any number of them.
      process.stdout.setMaxListeners(0);
      const handle = serveStdio(toldOfChanges(router, logger), {
        transport: new StdioServerTransport(utf8Input(logger)),
        onerror: (error) => logger.debug('stdio.error', errorFields(error)),
      });
      const operatorConsole = await consoleBesideStdio(() => router.serveConsole(), logger);
      stop = async () => {
        await router.idle(DRAIN_MS);
        await operatorConsole.close();
        await handle.close();
      };
      // The client ended its router: what waits for another system is sent before the process goes.
      process.once('beforeExit', () => void router.sendAudit(SEND_REST_MS));
      started(undefined, operatorConsole.url);
    } else {
      const { url, consoleUrl, drain, close } = await router.serveHttp();
      stop = async () => {
        const unanswered = await drain(DRAIN_MS);
        if (unanswered > 0) logger.warn('router.cut', { unanswered });
        await close();
      };
      started(url, consoleUrl);
      if (options.json)
        process.stdout.write(
          `${JSON.stringify({ ready: true, url, mode: config.mode, tools: router.tools.length })}\n`,
        );
    }
    setTimeout(() => {
      router.prepareForCalls().catch((error: unknown) => logger.error('router.unprepared', errorFields(error)));
    }, LOAD_AFTER_MS).unref();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        logger.info('router.stopping', { signal });
        // Clients that hold a stream open must not hold the process.
        setTimeout(() => process.exit(0), STOP_MS).unref();
        void stop().then(async () => {
          await Promise.all([router.sendTraces(SEND_REST_MS), router.sendAudit(SEND_REST_MS)]);
          router.close();
          process.exit(0);
        });
      });
    }
  });

await runCommand(program);

/** Where it is none, every setting would be the usual one without a word. */
function mustBeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new RouterError('CONFIG_INVALID', `--directory should be a folder, got ${JSON.stringify(path)}`, {
    remedy: 'name the folder of the .env, or leave it out',
  });
}

/** What the client writes, without messages that are not UTF-8: each request of these is refused. */
function utf8Input(logger: Logger): Utf8Lines {
  const input = new Utf8Lines((answer) => {
    logger.debug('stdio.error', { message: 'a message is not UTF-8' });
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  });
  process.stdin.on('error', (error) => input.destroy(error));
  // Once nobody reads any more, the standard input holds the process no longer.
  input.on('pause', () => process.stdin.pause());
  return process.stdin.pipe(input);
}

/** The one server object of a connection over stdio tells its client of each change of the list. */
function toldOfChanges({ factory, listed }: Router, logger: Logger): McpServerFactory {
  return async (context) => {
    const server = (await factory(context)) as Server;
    listed.onChanged(
      () =>
        void server.sendToolListChanged().catch((error: unknown) => logger.debug('stdio.error', errorFields(error))),
    );
    return server;
  };
}
