/** A server that somebody wants to try, as the command line describes it. */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { got, HarnessError } from '../harness-errors.ts';
import type { Revision } from '../sandbox/revision.ts';

export interface TriedServer {
  name: string;
  /** Program and arguments; undefined for a server that runs already. */
  command?: string[] | undefined;
  /** Its streamable HTTP address; undefined for one over stdio. */
  url?: string | undefined;
  headers: Record<string, string>;
  /** Gets tokens for a server behind OAuth. */
  oauth?: OAuthClientProvider | undefined;
  env: Record<string, string>;
  /** Folder that the command runs in. */
  cwd: string;
  limits: ServerLimits;
  /** That a connection speaks; 2025-11-25 when left out. */
  revision?: Revision | undefined;
  /** Ends whatever is done with it. */
  signal?: AbortSignal | undefined;
}

export const untilEither = (one: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? one : AbortSignal.any([one, other]);

export interface ServerLimits {
  /** To the answer of `initialize`, from the start of the process. */
  startMs: number;
  /** Of each call. */
  callMs: number;
}

export const DEFAULT_LIMITS: ServerLimits = { startMs: 60_000, callMs: 20_000 };

/** Of a tool that takes one of them, the values with which it does what it is asked for and not only shows it. */
export const APPLY = { confirm: true, confirmed: true, dry_run: false, dryRun: false };

/** What a server is told about the API behind it, by placeholder and by variable. */
export const PLACEHOLDERS = {
  api: { variable: 'SVC_API_URL', about: 'address of the fake API, without a slash at the end' },
  document: { variable: 'SVC_API_DOCUMENT', about: 'file with the OpenAPI document, its only server the fake API' },
  token: { variable: 'SVC_API_TOKEN', about: 'a credential that the fake API takes' },
} as const;

export type ApiTarget = Record<keyof typeof PLACEHOLDERS, string>;

/** The server with `{{api}}`, `{{document}}` and `{{token}}` filled in, and the same as variables. */
export function pointedAt(server: TriedServer, place: ApiTarget | undefined): TriedServer {
  if (place === undefined) return server;
  const fill = (text: string) =>
    text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => (place as Record<string, string>)[name] ?? whole);
  const filled = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
  const told = Object.entries(PLACEHOLDERS).map(([name, { variable }]) => [variable, place[name as keyof ApiTarget]]);
  return {
    ...server,
    ...(server.command === undefined ? {} : { command: server.command.map(fill) }),
    headers: filled(server.headers),
    env: { ...Object.fromEntries(told), ...filled(server.env) },
  };
}

/** `{{api}}` as files of harness/subjects spell it, `{api}`. */
export const withSingleBraces = (text: string): string => text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, '{$1}');

/**
 * A command line as a shell would part it, without variables and without running a shell. A backslash stands for what follows
 * it where that is a space or a quotation mark alone, for it parts the paths of Windows.
 */
export function partsOf(command: string): string[] {
  const parts = [...command.matchAll(WORD)].map(([word]) =>
    word.replaceAll(
      /\\([\s"'])|"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
      (_, escaped?: string, double?: string, single?: string) =>
        escaped ?? double?.replaceAll(/\\(.)/g, '$1') ?? single ?? '',
    ),
  );
  if (parts.length === 0) throw new HarnessError('USAGE', `--command should name a program, got ${got(command)}`);
  // The text itself stays out of the message: it may hold a credential.
  if (/\S/.test(command.replaceAll(WORD, '')))
    throw new HarnessError('USAGE', '--command should close each of its quotation marks, got one that is open', {
      remedy: 'put a backslash before a quotation mark or an apostrophe that is part of a word',
    });
  return parts;
}

const WORD = /(?:\\[\s"']|[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g;
