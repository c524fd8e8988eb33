/** One JSON line per event on stderr. stdout belongs to the protocol. Everything passes the redaction first. */
import { KnownSecrets } from './known-secrets.ts';
import { redact, redactText } from './redact.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

export interface Logger {
  /** Values that no log line may hold. Code that learns a secret adds it here. */
  readonly secrets: KnownSecrets;
  debug: (event: string, fields?: Record<string, unknown>) => void;
  info: (event: string, fields?: Record<string, unknown>) => void;
  warn: (event: string, fields?: Record<string, unknown>) => void;
  error: (event: string, fields?: Record<string, unknown>) => void;
}

export function createLogger(
  threshold: Level | 'silent',
  write: (line: string) => void = linesTo(process.stderr),
  secrets = new KnownSecrets(),
): Logger {
  const from = threshold === 'silent' ? LEVELS.length : LEVELS.indexOf(threshold);
  const at =
    (level: Level) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (LEVELS.indexOf(level) < from) return;
      const shown = redact(fields) as Record<string, unknown>;
      const line = JSON.stringify({ at: new Date().toISOString(), level, event, ...shown });
      write(`${secrets.scrubJson(line)}\n`);
    };
  return { secrets, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

interface LineStream {
  write: (line: string, done: (error?: Error | null) => void) => unknown;
}

/** Lines that a full disk or a reader that left did not take are counted, and the log says so with the first line that it takes again. */
export function linesTo(stream: LineStream): (line: string) => void {
  let lost = 0;
  const count = (error?: Error | null) => {
    if (error) lost += 1;
    if (error || lost === 0) return;
    const line = { at: new Date().toISOString(), level: 'warn', event: 'log.lost', lines: lost };
    lost = 0;
    stream.write(`${JSON.stringify(line)}\n`, count);
  };
  return (line) => void stream.write(line, count);
}

/** An error as fields of a log line: name, message and code, never its payload. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: redactText(String(error)) };
  const cause = error.cause instanceof Error ? { cause: redactText(error.cause.message) } : {};
  return {
    error: error.name,
    message: redactText(error.message),
    ...('code' in error ? { code: error.code } : {}),
    ...cause,
  };
}
