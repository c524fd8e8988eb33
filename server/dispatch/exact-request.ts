/**
 * A request exactly as it will be sent, and the text of it that a person approves. The text holds everything that is sent:
 * nothing is cut, and nothing is masked but credentials that the router adds and the `target_secrets` of a migration
 * (specification 3.4), which are shown by their length.
 */
import { createHmac } from 'node:crypto';
import type { ShownBody, ShownRequest } from '../approvals/approval.ts';
import { pointerPart } from '../catalog/platform-document.ts';
import type { Tool } from '../catalog/tool.ts';
import type { AccountBinding } from '../outbound/account-binding.ts';
import type { DescribedHeader, DescribedRequest } from '../outbound/wire-request.ts';
import { escapeInvisible, quoted } from '../telemetry/invisible.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Keys, keysFor } from './keyring.ts';
import type { Payload } from './payload.ts';

export interface ExactRequest {
  tool: Pick<Tool, 'name' | 'platform' | 'capability' | 'line' | 'method' | 'path'>;
  described: DescribedRequest;
  payload?: Payload;
  /** Path of the document with its values, without the base path of the account. */
  path: string;
  /** The object as its preview names it; a person types it to confirm a destructive request. */
  object: string;
  /** JSON pointers to the values of `target_secrets` in the body. */
  secretsAt?: readonly string[];
  /** What the preview read and what changes: one line each, in words of the router with quoted values. */
  notes?: readonly string[];
}

/** Set by the router as a precondition; it can only keep a request from being carried out. */
export const PRECONDITION = 'if-match';

/**
 * What a digest covers: all that is sent, except credentials, which it names by their account, and the precondition of the router.
 */
function covered({ tool, described, payload }: ExactRequest): unknown[] {
  const { account, method, target, headers } = described;
  const plain = headers.filter(({ value }) => typeof value === 'string');
  const sent = plain.map(({ name, value }) => [name, value]);
  return [account.identity, account.origin, tool.name, method, target, sent, payload?.contentType, payload?.text];
}

/** Makes digests of requests under the keys of the router, so that a short secret cannot be guessed from one. */
export class RequestDigests {
  readonly #keys: Keys;

  constructor(keys: Keys) {
    this.#keys = keysFor(keys, 'approval');
  }

  /** HMAC-SHA-256 over the requests in their order, 43 characters of base64url. */
  of(requests: readonly ExactRequest[]): string {
    return createHmac('sha256', this.#keys.current)
      .update(canonicalJson(requests.map(covered)))
      .digest('base64url');
  }
}

/** The request in the parts that an approver sees, each as it is shown. */
export function approvedParts(request: ExactRequest): ShownRequest {
  const { tool, described, payload, notes = [] } = request;
  const { account, method, target, headers } = described;
  return {
    tool: tool.name,
    platform: tool.platform,
    capability: tool.capability,
    documentText: tool.line === '' ? '' : quoted(tool.line),
    account: accountText(account),
    host: account.origin,
    method,
    target,
    headers: headers.map(({ name, value }) => ({ name, shown: headerText(value) })),
    body: bodyParts(payload, request.secretsAt ?? []),
    notes: [...notes],
    object: request.object,
    path: request.path,
    operation: `${tool.method} ${tool.path}`,
  };
}

/** Request line, headers and body, then what it changes; the last two lines are fixed so that a program can read them. */
export const requestText = (request: ExactRequest): string => partsText(approvedParts(request));

/** The same of parts that were kept. */
export function partsText(parts: ShownRequest): string {
  return [
    `Tool: ${parts.tool} (${parts.capability})`,
    ...(parts.documentText === '' ? [] : [`Document text: ${parts.documentText}`]),
    `Account: ${parts.account}`,
    `Host: ${parts.host}`,
    '',
    `${parts.method} ${parts.target}`,
    ...parts.headers.map(({ name, shown }) => `${name}: ${shown}`),
    ...bodyLines(parts.body),
    '',
    ...parts.notes,
    ...(parts.capability === 'destructive' ? [`confirm_object: ${quoted(parts.object)}`] : []),
    `object: ${parts.method} ${parts.path}`,
    `operation: ${parts.operation}`,
  ].join('\n');
}

function accountText({ section, client, workspace }: AccountBinding): string {
  const named = [
    ...(client === undefined ? [] : [`client ${quoted(client)}`]),
    ...(workspace === undefined ? [] : [`workspace ${quoted(workspace)}`]),
  ];
  return [section, ...named].join(', ');
}

function headerText(value: DescribedHeader['value']): string {
  if (typeof value === 'string') return escapeInvisible(value);
  return 'shown' in value ? `(${value.shown})` : '******** (added by the router)';
}

/** JSON and forms stand as they are sent, on one line; other text as a JSON string, because it may hold line breaks. */
function bodyParts(payload: Payload | undefined, secretsAt: readonly string[]): ShownBody | null {
  if (payload === undefined) return null;
  const { contentType, text } = payload;
  if (payload.bytes !== undefined)
    return { contentType, bytes: payload.bytes.byteLength, text, form: 'part by part', masked: false };
  const shown = maskedByLength(text, secretsAt);
  const isOneLine = /json|x-www-form-urlencoded/i.test(contentType) && escapeInvisible(shown) === shown;
  return {
    contentType,
    bytes: Buffer.byteLength(text),
    text: isOneLine ? shown : quoted(shown),
    form: isOneLine ? 'as sent' : 'json string',
    masked: shown !== text,
  };
}

function bodyLines(body: ShownBody | null): string[] {
  if (body === null) return ['Body: none'];
  if (body.form === 'part by part')
    return [`Body (${body.contentType}, ${body.bytes} bytes), part by part:`, ...body.text.split('\n')];
  const form = body.form === 'as sent' ? '' : ', written as a JSON string';
  const masked = body.masked ? ', secrets shown as asterisks of their length' : '';
  return [`Body (${body.contentType}, ${body.bytes} bytes${form}${masked}):`, body.text];
}

/** JSON whose secrets became asterisks, one for each character. By their place: an equal value elsewhere is to be seen. */
function maskedByLength(text: string, secretsAt: readonly string[]): string {
  if (secretsAt.length === 0) return text;
  const masked = (value: unknown, pointer: string): unknown => {
    if (typeof value === 'string') return secretsAt.includes(pointer) ? '*'.repeat(value.length) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((inner, i) => masked(inner, `${pointer}/${i}`));
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, masked(inner, `${pointer}/${pointerPart(name)}`)]),
    );
  };
  return escapeInvisible(JSON.stringify(masked(JSON.parse(text), '')));
}
