/** Why a server could not be tried, as a coded error: what was expected of it, what came, and its last words. */
import { HarnessError, type HarnessErrorCode } from '../harness-errors.ts';

const TIMEOUT = -32_001;

/** What a failure of the connection means. Errors that are coded for the reader already stay as they are. */
export function serverFault(error: unknown, doing: string): HarnessError {
  if (error instanceof HarnessError && error.code !== 'SUBJECT_UNREACHABLE') return error;
  const cause = (error as { cause?: unknown }).cause ?? error;
  const message = (error as Error).message;
  const { code } = cause as { code?: unknown };
  return new HarnessError(codeFor(code, `${message} ${String((cause as Error).message)}`), `${message} (${doing})`, {
    cause: error,
  });
}

function codeFor(code: unknown, text: string): HarnessErrorCode {
  if (['ENOENT', 'EACCES', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(code)))
    return 'SERVER_UNREACHABLE';
  if (/\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|spawn \S+ E)/.test(text) || /fetch failed/.test(text))
    return 'SERVER_UNREACHABLE';
  if (/\b(401|403)\b|unauthori[sz]ed/i.test(text)) return 'SERVER_AUTH';
  if (code === TIMEOUT || /timed out/i.test(text)) return 'SERVER_NOT_READY';
  if (/connection closed|EPIPE|ECONNRESET|buffer exceeded/i.test(text)) return 'SERVER_DIED';
  return 'SERVER_PROTOCOL';
}
