/** Every coded error of the harness: which exit code it means and what the reader should do next. */
import { EXIT, type ExitCode } from './exit-codes.ts';

export const ERRORS = {
  USAGE: { exit: EXIT.usage, remedy: 'run the command with --help for its options' },
  SCENARIO_INVALID: {
    exit: EXIT.usage,
    remedy: 'correct the file; scenarios/scenario.schema.json of the checkout or package describes the fields',
  },
  SCENARIO_DEGENERATE: {
    exit: EXIT.usage,
    remedy:
      'ask for a fact that tells one object from the others, so that only an answer to the intent satisfies expect.facts',
  },
  CITATION_BROKEN: { exit: EXIT.usage, remedy: 'cite a line that exists at that commit: path:line@sha' },
  NOTHING_SELECTED: {
    exit: EXIT.usage,
    remedy: '`npm run harness -- list` shows scenarios, suites, agents and transports',
  },
  SLOT_EMPTY: {
    exit: EXIT.usage,
    remedy: 'correct the slot query; `GET /namespaces/{ns}/state` on the control port shows the fixture',
  },
  DOCUMENT_UNSERVED: {
    exit: EXIT.usage,
    remedy:
      'give an OpenAPI 3.0, 3.1 or Swagger 2.0 document, JSON or YAML, with at least one GET that answers with fields',
  },
  SUBJECT_INVALID: { exit: EXIT.usage, remedy: 'correct the file in harness/subjects' },
  MUTANT_INVALID: {
    exit: EXIT.usage,
    remedy: 'correct the file in harness/controls/mutants; each search text must match exactly once',
  },
  RECORDING_INVALID: { exit: EXIT.usage, remedy: 'name a run folder written by this version of the harness' },
  ENDPOINT_INVALID: { exit: EXIT.usage, remedy: 'set the variable; docs/llm-runs.md lists them all' },
  PUBLICATION_REFUSED: {
    exit: EXIT.usage,
    remedy: 'record again on a clean commit: npm run harness -- run --runs 5, whole and with the intents themselves',
  },
  REPLAY_MISS: {
    exit: EXIT.infrastructure,
    remedy: 'undo the changes since the run was stored, replay its decisions only, or record it again',
  },
  MERGE_REFUSED: {
    exit: EXIT.usage,
    remedy: 'give every shard of one campaign exactly once: --shard 1/n to n/n, same commit, seed and selection',
  },
  FOLDER_OCCUPIED: { exit: EXIT.usage, remedy: 'name a folder that is not there yet, or one that an earlier run made' },
  RESUME_REFUSED: { exit: EXIT.usage, remedy: 'start a new campaign: its plan has changed' },
  PLUGIN_INVALID: { exit: EXIT.infrastructure, remedy: 'the default export must carry an id equal to its file name' },
  PROCESS_START_FAILED: {
    exit: EXIT.infrastructure,
    remedy: 'read the last lines of its output above and start it by hand',
  },
  PROCESS_DIED: { exit: EXIT.infrastructure, remedy: 'read the last lines of its output above and start it by hand' },
  SUBJECT_UNREACHABLE: {
    exit: EXIT.infrastructure,
    remedy: 'start the subject by hand and connect any MCP client to it',
  },
  CONTROL_FAILED: { exit: EXIT.infrastructure, remedy: 'the fake platform did not obey; see its output' },
  SERVER_UNREACHABLE: {
    exit: EXIT.usage,
    remedy: 'start the server, or correct --command or --url; run the same command by hand to see what it prints',
  },
  SERVER_AUTH: {
    exit: EXIT.usage,
    remedy:
      'give a credential with --header "authorization: Bearer TOKEN", or a client of its OAuth server with --oauth-issuer, --oauth-client and --oauth-secret-env',
  },
  SERVER_REDIRECTS: { exit: EXIT.usage, remedy: 'give the address that the redirect names with --url' },
  SERVER_NOT_READY: {
    exit: EXIT.infrastructure,
    remedy: 'the server must answer `initialize`; give a slow one more time with --start-seconds',
  },
  SERVER_DIED: {
    exit: EXIT.infrastructure,
    remedy: 'read the last lines of its output above and run the same command by hand',
  },
  SERVER_PROTOCOL: {
    exit: EXIT.infrastructure,
    remedy: 'compare the answer with the MCP specification; `svc-mcp-bench conformance` runs the official suite',
  },
  SERVER_LIST_ENDLESS: {
    exit: EXIT.infrastructure,
    remedy: 'end tools/list with a page without nextCursor',
  },
  SERVER_STALLED: {
    exit: EXIT.infrastructure,
    remedy: 'find out why no call is answered; give a slow server more time with --call-seconds',
  },
  PORT_IN_USE: {
    exit: EXIT.infrastructure,
    remedy: 'end the process that holds the port, or choose others with --port and --fake-port',
  },
  DISK_UNUSABLE: {
    exit: EXIT.infrastructure,
    remedy: 'free space there, give this user the right to write there, or name another folder with --out',
  },
  BASELINE_MISSING: {
    exit: EXIT.baseline,
    remedy: 'npm run harness -- bless --reason "<why these numbers are right>"',
  },
  BASELINE_INVALID: { exit: EXIT.baseline, remedy: 'restore reports/baseline.json from git or bless again' },
  BLESS_REFUSED: {
    exit: EXIT.verdict,
    remedy: 'make the controls green first: oracle solves everything, noop nothing',
  },
} as const satisfies Record<string, { exit: ExitCode; remedy: string }>;

export type HarnessErrorCode = keyof typeof ERRORS;

export class HarnessError extends Error {
  readonly code: HarnessErrorCode;
  readonly exit: ExitCode;
  readonly remedy: string;

  constructor(code: HarnessErrorCode, message: string, options?: ErrorOptions & { remedy?: string }) {
    super(message, options);
    this.name = 'HarnessError';
    this.code = code;
    this.exit = ERRORS[code].exit;
    this.remedy = options?.remedy ?? ERRORS[code].remedy;
  }
}

/** What a command prints on stderr when it gives up. */
export function describeError(error: unknown): { text: string; exit: ExitCode } {
  if (error instanceof HarnessError) {
    return { text: `${error.code}: ${error.message}\n  remedy: ${error.remedy}`, exit: error.exit };
  }
  const disk = diskProblem(error);
  if (disk !== undefined) return describeError(new HarnessError('DISK_UNUSABLE', disk));
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `UNEXPECTED: ${text}`, exit: EXIT.infrastructure };
}

const DISK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'this user may not',
  EISDIR: 'it is a folder',
  EEXIST: 'a file is where a folder has to be',
};

/** Why nothing can be written, in words; undefined where an error is about something else. */
function diskProblem(error: unknown): string | undefined {
  const { code, path, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // An address may be refused as well, which is not about a disk.
  if (/^(listen|bind|connect|spawn)/.test(syscall ?? '')) return undefined;
  // Below a read-only disk Node finds no folder to make another in.
  const why = code === 'ENOENT' && syscall === 'mkdir' ? 'the folder cannot be made' : DISK_PROBLEMS[code ?? ''];
  return why && `${path ?? 'a file'} cannot be used (${code}): ${why}`;
}

/** How a wrong value is shown: its JSON and its type. */
export function got(value: unknown): string {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  const shown = text.length > 120 ? `${text.slice(0, 117)}…` : text;
  return value === undefined ? shown : `${shown} (${type})`;
}

/**
 * `; did you mean "alerts"?` for a misspelt name: the known one with the fewest edits, or nothing where all are far. `spelling` is what of
 * a name is compared.
 */
export function didYouMean(name: string, known: readonly string[], spelling = (each: string) => each): string {
  const typed = spelling(name).toLowerCase();
  const most = Math.max(1, Math.floor(typed.length / 3));
  const ranked = known
    .map((other) => ({ other, edits: editsBetween(typed, spelling(other).toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const [nearest] = ranked;
  return nearest === undefined || nearest.edits > most ? '' : `; did you mean ${JSON.stringify(nearest.other)}?`;
}

/** Letters to add, drop, change, or swap with their neighbour (optimal string alignment), row by row. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const [left = 0, above = 0, corner = 0] = [next[column - 1], row[column], row[column - 1]];
      const change = corner + (from[at - 1] === to[column - 1] ? 0 : 1);
      const swapped = at > 1 && from[at - 1] === to[column - 2] && from[at - 2] === to[column - 1];
      next.push(Math.min(left + 1, above + 1, change, swapped ? (before[column - 2] ?? 0) + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
