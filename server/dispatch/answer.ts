/** A platform's answer → what the caller gets: a bounded result, or a refusal that keeps the platform's reason. */
import type { ListLayout } from '../catalog/list-layout.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import type { ErrorCode } from '../errors.ts';
import type { PlatformResponse } from '../outbound/client.ts';
import type { Logger } from '../telemetry/logger.ts';
import { redact } from '../telemetry/redact.ts';
import { PagedItems } from './call.ts';
import type { ExecutionContract } from './contract.ts';
import type { Cursors } from './cursor.ts';
import { refuse, type Settled } from './envelope.ts';
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

const DATA_SHOWN_BYTES = 4_000;

/** The same for a tool of this router. Its texts are ours, so there is nothing of a platform's to mask. */
export function answerLocal(source: Omit<AnswerSource, 'response' | 'contract'>, value: unknown): Settled {
  if (!(value instanceof PagedItems)) return settledWith(pageOf(source, value));
  const list: ListLayout = { property: 'items', limit: value.limit };
  return settledWith(pageOf({ ...source, tool: { ...source.tool, list } }, value.answer));
}

function settledWith({ result, text }: Pick<Shaped, 'result' | 'text'>): Settled {
  return { kind: 'done', result, outcome: 'success', ...(text === undefined ? {} : { text }) };
}

function pageOf(
  { tool, values, principal, from, options }: Omit<AnswerSource, 'response' | 'contract'>,
  value: unknown,
  headers?: Headers,
): Pick<Shaped, 'result' | 'text'> {
  const { config, cursors, logger } = options;
  const resumable = tool.capability === 'read';
  const scrub = (text: string) => logger.secrets.scrub(text);
  const shaped = shape({ tool, answer: value, values, bounds: config.response, from, resumable, headers, scrub });
  if (shaped.nextOffset === undefined) return shaped;
  return {
    result: {
      ...(shaped.result as object),
      next_cursor: cursors.issue({ tool: tool.name, arguments: values, principal }, shaped.nextOffset),
      cursor_expires_in_seconds: cursors.ttlSeconds,
    },
  };
}

export function answerOf(source: AnswerSource): Settled {
  const { tool, response, contract } = source;
  if (response.status < 200 || response.status >= 300) return refusalOf(source);
  const inner = innerRefusal(source);
  if (inner) return inner;
  const page = pageOf(source, redact(response.body), response.headers);
  const poll = tool.poll ? pollOf(tool.poll, source) : undefined;
  const more = { ...(poll ? { poll } : {}), ...(contract ? { execution_contract: contract } : {}) };
  if (page.result !== undefined && Object.keys(more).length === 0) return settledWith(page);
  const { result = { ok: true, status: response.status } } = page;
  const plain = typeof result === 'object' && result !== null && !Array.isArray(result);
  return settledWith({ result: plain ? { ...(result as object), ...more } : { result, ...more } });
}

function refusalOf({ tool, response, contract, options }: AnswerSource): Settled {
  const scrub = (text: string) => options.logger.secrets.scrub(text);
  const { status } = response;
  const code: ErrorCode =
    status === 401 || status === 403
      ? 'UPSTREAM_FORBIDDEN'
      : status === 404
        ? 'UPSTREAM_NOT_FOUND'
        : status === 429
          ? 'RATE_LIMITED'
          : status === 504
            ? 'UPSTREAM_TIMEOUT'
            : status >= 500
              ? 'UPSTREAM_FAILED'
              : 'UPSTREAM_REJECTED';
  const data = redact(response.body);
  const said = sentenceOf(data, scrub);
  const mayHaveRun = tool.capability !== 'read' && status >= 500;
  return refuse(
    code,
    { tool: tool.name, platform: tool.platform },
    `${tool.platform} answered ${status}${said ? `: ${said}` : ''}`,
    {
      // The platform's own status is worth more than the table's general one.
      status: code === 'UPSTREAM_FORBIDDEN' ? 403 : status,
      ...(data === undefined ? {} : { data: cut(data, scrub) }),
      ...(response.retryAfterMs === undefined ? {} : { retry_after_seconds: Math.ceil(response.retryAfterMs / 1000) }),
      ...(mayHaveRun
        ? {
            hint: 'the platform failed on a request that was not repeated: read the object back before doing anything else',
          }
        : {}),
      ...(contract ? { execution_contract: contract } : {}),
    },
  );
}

/** A refusal that the platform told inside a success. Without the code at its place nothing is known to have gone wrong. */
function innerRefusal({ tool, response, contract, options }: AnswerSource): Settled | undefined {
  const scrub = (text: string) => options.logger.secrets.scrub(text);
  const where = tool.innerOutcome;
  if (!where) return undefined;
  const data = redact(response.body);
  const code = at(data, where.status);
  if (code === undefined || String(code) === String(where.ok)) return undefined;
  const said = at(data, where.message);
  return refuse(
    'UPSTREAM_REJECTED',
    { tool: tool.name, platform: tool.platform },
    `${tool.platform} answered ${response.status} and refused inside it with code ${String(code)}${typeof said === 'string' ? `: ${scrub(said).slice(0, 300)}` : ''}`,
    { data: cut(data, scrub), ...(contract ? { execution_contract: contract } : {}) },
  );
}

function at(data: unknown, path: string): unknown {
  let found = data;
  for (const step of path.split('.'))
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
  return found;
}

function sentenceOf(data: unknown, scrub: (text: string) => string): string {
  if (typeof data === 'string') return scrub(data).replace(/\s+/g, ' ').slice(0, 300);
  if (typeof data !== 'object' || data === null) return '';
  for (const name of ['message', 'detail', 'error_description', 'title', 'error', 'description']) {
    const value = (data as Record<string, unknown>)[name];
    if (typeof value === 'string' && value !== '') return scrub(value).slice(0, 300);
  }
  return '';
}

function cut(data: unknown, scrub: (text: string) => string): unknown {
  const text = JSON.stringify(data);
  return text.length > DATA_SHOWN_BYTES ? `${scrub(text).slice(0, DATA_SHOWN_BYTES)}…` : data;
}

/** The call that reads how a started job ended: its path filled from the location the platform gave, or by name. */
function pollOf(
  poll: NonNullable<Tool['poll']>,
  { values, response }: AnswerSource,
): { tool: string; arguments: Record<string, unknown> } {
  const names = [...poll.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
  const body =
    typeof response.body === 'object' && response.body !== null ? (response.body as Record<string, unknown>) : {};
  const pattern = new RegExp(
    `${poll.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/?]+)')}(?:[?].*)?$`,
  );
  const places = [response.location, ...Object.values(body)].filter((place) => typeof place === 'string');
  for (const place of places) {
    const match = pattern.exec(place);
    if (match)
      return {
        tool: poll.tool,
        arguments: Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1] as string)])),
      };
  }
  const plain = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase();
  const known = { ...body, ...values };
  const args: Record<string, unknown> = {};
  for (const name of names) {
    const key =
      Object.keys(known).find((candidate) => plain(candidate) === plain(name)) ??
      (names.at(-1) === name && 'id' in body ? 'id' : undefined);
    if (key !== undefined) args[name] = key === 'id' ? body['id'] : (known as Record<string, unknown>)[key];
  }
  return { tool: poll.tool, arguments: args };
}
