/** A platform's answer → what the caller gets: a bounded result, or a refusal that keeps the platform's reason. */
import { percentDecoded } from '../catalog/platform-document.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import type { ErrorCode } from '../errors.ts';
import type { LargeBody } from '../outbound/body.ts';
import type { PlatformResponse } from '../outbound/platform-response.ts';
import { escapeInvisible } from '../telemetry/invisible.ts';
import type { Logger } from '../telemetry/logger.ts';
import { blobOf } from './binary-answer.ts';
import type { ExecutionContract } from './contract.ts';
import type { Cursors } from './cursor.ts';
import { PagedItems } from './dispatch-call.ts';
import { type CallEnd, refuse } from './envelope.ts';
import type { LargeAnswers } from './large-answers.ts';
import { mayHaveWritten } from './outcome-resolution.ts';
import { linksToNext } from './page-notes.ts';
import { type AnswerReading, type ReadAnswer, readAnswer } from './read-answer.ts';
import { type Shaped, shape } from './shape.ts';

export interface AnswerSource {
  tool: Tool;
  values: Readonly<Record<string, unknown>>;
  /** Who asked. */
  principal: string;
  response: PlatformResponse;
  /** Where in this page to go on, from a cursor. */
  from: number;
  options: { config: Pick<Config, 'response'>; cursors: Cursors; logger: Pick<Logger, 'secrets'> };
  contract?: ExecutionContract;
}

/** The same for a tool of this router. Its texts are ours, so there is nothing of a platform's to mask. */
export function answerLocal(source: Omit<AnswerSource, 'response' | 'contract'>, value: unknown): CallEnd {
  const { tool, values, from, options } = source;
  const paged = value instanceof PagedItems;
  const shaped = shape({
    tool: paged ? { list: { property: 'items', limit: value.limit }, parameters: tool.parameters } : tool,
    answer: paged ? value.answer : value,
    values,
    bounds: options.config.response,
    from,
    resumable: tool.capability === 'read',
    scrub: (text) => options.logger.secrets.scrub(text),
  });
  return settledWith(withCursor(source, shaped));
}

/** With its JSON in a form that hides nothing of what a caller or an export wrote: the value stays the same (RFC 8259 §7). */
export function withNothingHidden<End extends CallEnd>(end: End): End {
  return end.kind === 'done' ? { ...end, text: escapeInvisible(end.text ?? JSON.stringify(end.result)) } : end;
}

function settledWith({ result, text }: Pick<Shaped, 'result' | 'text'>): CallEnd {
  return { kind: 'done', result, outcome: 'success', ...(text === undefined ? {} : { text }) };
}

function withCursor(
  { tool, values, principal, options: { cursors } }: Omit<AnswerSource, 'response' | 'contract'>,
  shaped: Pick<Shaped, 'result' | 'text' | 'nextOffset'>,
): Pick<Shaped, 'result' | 'text'> {
  if (shaped.nextOffset === undefined) return shaped;
  return {
    result: {
      ...(shaped.result as object),
      next_cursor: cursors.issue({ tool: tool.name, arguments: values, principal }, shaped.nextOffset),
      cursor_expires_in_seconds: cursors.ttlSeconds,
    },
  };
}

/** The answer to a platform call. Throws where a long body cannot be compared; those go through `answerOfLarge`. */
export function answerOf(source: AnswerSource): CallEnd {
  const scrub = (text: string) => source.options.logger.secrets.scrub(text);
  const settled = settledOf(source, readAnswer(readingOf(source), source.response.body, scrub));
  return settled.kind === 'done' ? withBytes(settled, source, scrub) : settled;
}

/** A binary answer brings its bytes, or says why it does not. */
function withBytes(
  end: Extract<CallEnd, { kind: 'done' }>,
  { response: { binary }, options }: AnswerSource,
  scrub: (text: string) => string,
): CallEnd {
  if (binary === undefined) return end;
  const blob = blobOf(binary, options.config.response.maxBytes, scrub);
  const { text: _, ...rest } = end;
  const told = 'blob' in blob ? { resource: blob.uri } : blob;
  return { ...rest, result: { ...(end.result as object), ...told }, ...('blob' in blob ? { blob } : {}) };
}

/** The same for a body that a worker reads. */
export async function answerOfLarge(source: AnswerSource, body: LargeBody, large: LargeAnswers): Promise<CallEnd> {
  return settledOf(source, await large.read(readingOf(source), body));
}

function readingOf({ tool, values, response, from, options }: AnswerSource): AnswerReading {
  const { capability, list, parameters, innerOutcome, poll, answerSecrets, redirects } = tool;
  const { status, location, headers } = response;
  return {
    tool: {
      capability,
      parameters,
      ...(list ? { list } : {}),
      ...(innerOutcome ? { innerOutcome } : {}),
      ...(poll ? { poll } : {}),
      ...(answerSecrets ? { answerSecrets } : {}),
      ...(redirects ? { redirects } : {}),
    },
    values,
    status,
    location,
    totalHeader: list?.totalHeader === undefined ? null : headers.get(list.totalHeader),
    ...(list && linksToNext(headers.get('link')) ? { linksToNext: true } : {}),
    bounds: { maxItems: options.config.response.maxItems, maxBytes: options.config.response.maxBytes },
    from,
  };
}

function settledOf(source: AnswerSource, read: ReadAnswer): CallEnd {
  if (read.kind === 'refused') return refusalOf(source, read);
  const { response, contract } = source;
  const page = withCursor(source, read);
  const beside = { ...(read.poll ? { poll: read.poll } : {}), ...(contract ? { contract } : {}) };
  if (page.result !== undefined && Object.keys(beside).length === 0) return settledWith(page);
  if (contract === undefined)
    return settledWith({ result: { ...answerBody(page.result, response.status, false), ...beside } });
  const parts = read.failedParts && { failed_parts: { ...read.failedParts, hint: PARTS } };
  const made = placeOf(source, page.result);
  const end = settledWith({
    result: { ...answerBody(page.result, response.status, true), ...made, ...parts, ...beside },
  });
  return parts ? { ...end, outcome: 'error' } : end;
}

const PARTS = 'do not repeat the whole call: `object` says what became of each part';

/** The longest place that is told. */
const PLACE_LENGTH = 2_048;

/**
 * Where a write says that what it made stands, if its answer does not name it. Only the path: a query may hold a signature.
 */
function placeOf({ response, options }: AnswerSource, result: unknown): { location?: string } {
  const { location } = response;
  if (location === null || location.length > PLACE_LENGTH || !URL.canParse(location, ANY_BASE)) return {};
  const { pathname } = new URL(location, ANY_BASE);
  const [, last] = /\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (last === undefined || JSON.stringify(result ?? null).includes(percentDecoded(last))) return {};
  return { location: options.logger.secrets.scrub(pathname) };
}

const ANY_BASE = 'https://any.example';

/** What a write answered stands in `object`, apart from its contract; what a diagnostic answered stays as it is. */
function answerBody(result: unknown, status: number, isWrite: boolean): Record<string, unknown> {
  if (result === undefined) return { ok: true, status };
  if (isWrite) return { object: result };
  return typeof result === 'object' && result !== null && !Array.isArray(result)
    ? (result as Record<string, unknown>)
    : { result };
}

/** The words of the platform stand in fields of their own: `platform_message` and `data`. */
function refusalOf(
  { tool, response, contract }: AnswerSource,
  { code: inner, message: said, data }: Extract<ReadAnswer, { kind: 'refused' }>,
): CallEnd {
  const { status } = response;
  const code = inner === undefined ? codeOf(status) : 'UPSTREAM_REJECTED';
  const mayHaveRun = tool.capability !== 'read' && mayHaveWritten(status);
  return refuse(
    code,
    { tool: tool.name, platform: tool.platform },
    `${tool.platform} answered ${status}${inner === undefined ? '' : ' and refused inside it'}`,
    {
      // The platform's own status is worth more than the table's general one.
      ...(inner === undefined ? { status: code === 'UPSTREAM_FORBIDDEN' ? 403 : status } : { platform_code: inner }),
      ...(said === undefined ? {} : { platform_message: said }),
      ...(data === undefined ? {} : { data }),
      ...(response.retryAfterMs === undefined ? {} : { retry_after_seconds: Math.ceil(response.retryAfterMs / 1000) }),
      ...(mayHaveRun
        ? {
            hint: 'the platform failed on a request that was not repeated: read the object back before doing anything else',
          }
        : {}),
      ...(contract ? { contract } : {}),
    },
  );
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'UPSTREAM_FORBIDDEN';
  if (status === 404) return 'UPSTREAM_NOT_FOUND';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 504 || status === 408) return 'UPSTREAM_TIMEOUT';
  return status >= 500 ? 'UPSTREAM_FAILED' : 'UPSTREAM_REJECTED';
}
