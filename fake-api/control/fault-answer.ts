/** How a planned fault looks on the wire: the platform's answer, damaged, delayed, or a socket that breaks. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { EngineResponse } from '../engine/http/request-pipeline.ts';
import type { Fault } from './fault-plan.ts';
import { reflected } from './reflection.ts';

/** Long enough for the client to have read what came before the break. */
const BREATH_MS = 10;
const HANG_MS = 600_000;
const BLOCK = Buffer.alloc(65_536, 'x');

/** Answers on the raw socket. `heard` are the credentials that clients presented so far. */
export function answerFaulty(
  raw: ServerResponse,
  response: EngineResponse,
  fault: Fault,
  heard: Iterable<string>,
): void {
  const whole = Buffer.from(response.body, response.encoding);
  const send = (change: Partial<EngineResponse>): void => sendWhole(raw, { ...response, ...change });
  switch (fault.kind) {
    case 'status':
    case 'redirect':
      send(told(fault, response));
      return;
    case 'expire':
      send({});
      return;
    case 'delay':
      later(raw, fault.ms, () => send({}));
      return;
    case 'hang':
      later(raw, HANG_MS, () => raw.destroy());
      return;
    case 'reset':
      raw.socket?.resetAndDestroy();
      return;
    case 'cut':
      cut(raw, response, whole, fault.at);
      return;
    case 'length':
      raw.writeHead(response.status, { ...response.headers, 'content-length': Math.max(0, whole.length + fault.by) });
      raw.write(whole);
      later(raw, BREATH_MS, () => raw.socket?.end());
      return;
    case 'broken-json':
      send({ body: response.body.slice(0, Math.max(1, Math.floor(response.body.length / 2))) });
      return;
    case 'content-type':
      send({
        headers: { ...response.headers, 'content-type': fault.value },
        ...(fault.body === undefined ? {} : { body: fault.body }),
      });
      return;
    case 'huge':
      raw.writeHead(response.status, { ...response.headers, 'content-type': 'application/json' });
      pour(raw, fault.bytes);
      return;
    case 'gzip-bomb':
      raw.writeHead(response.status, { ...response.headers, 'content-encoding': 'gzip' });
      raw.end(bomb(fault.bytes));
      return;
    case 'drip':
      raw.writeHead(response.status, { ...response.headers, 'content-length': whole.length });
      drip(raw, whole, fault);
      return;
    case 'reflect':
      sendReflecting(raw, response, fault, heard);
      return;
  }
}

function told(
  fault: Extract<Fault, { kind: 'status' } | { kind: 'redirect' }>,
  response: EngineResponse,
): Partial<EngineResponse> {
  if (fault.kind === 'redirect')
    return { status: fault.status ?? 302, headers: { ...response.headers, location: fault.to }, body: '' };
  return {
    status: fault.status,
    headers: {
      ...response.headers,
      ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
    },
  };
}

function sendWhole(raw: ServerResponse, { status, headers, body, encoding }: EngineResponse): void {
  if (raw.destroyed) return;
  const whole = Buffer.from(body, encoding);
  raw.writeHead(status, { ...headers, 'content-length': whole.length });
  raw.end(whole);
}

function cut(raw: ServerResponse, { status, headers }: EngineResponse, whole: Buffer, at: string): void {
  // Without a length the end of the body is a chunk of its own, which then never comes.
  raw.writeHead(status, at === 'after' ? headers : { ...headers, 'content-length': whole.length + 1 });
  if (at === 'before') raw.flushHeaders();
  else raw.write(at === 'within' ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole);
  later(raw, BREATH_MS, () => raw.socket?.destroy());
}

function pour(raw: ServerResponse, bytes: number): void {
  let left = bytes;
  raw.write('{"filler":"');
  const more = (): void => {
    while (left > 0 && !raw.destroyed) {
      left -= BLOCK.length;
      if (!raw.write(BLOCK)) {
        raw.once('drain', more);
        return;
      }
    }
    raw.end('"}');
  };
  more();
}

function drip(raw: ServerResponse, whole: Buffer, pace: { bytes: number; everyMs: number }): void {
  let at = 0;
  const next = (): void => {
    raw.write(whole.subarray(at, at + pace.bytes));
    at += pace.bytes;
    if (at >= whole.length) raw.end();
    else later(raw, pace.everyMs, next);
  };
  next();
}

const bombs = new Map<number, Buffer>();

function bomb(bytes: number): Buffer {
  const made = bombs.get(bytes) ?? gzipSync(Buffer.concat([Buffer.from('{"filler":"'), Buffer.alloc(bytes, 'x')]));
  bombs.set(bytes, made);
  return made;
}

function sendReflecting(
  raw: ServerResponse,
  response: EngineResponse,
  fault: Extract<Fault, { kind: 'reflect' }>,
  heard: Iterable<string>,
): void {
  const { status, headers, body } = reflected(response, fault, [...heard]);
  if (!fault.encodings.includes('gzip')) {
    sendWhole(raw, { status, headers, body });
    return;
  }
  const packed = gzipSync(body);
  raw.writeHead(status, { ...headers, 'content-encoding': 'gzip', 'content-length': packed.length });
  raw.end(packed);
}

/** A client that went away needs nothing any more. */
function later(raw: ServerResponse, ms: number, act: () => void): void {
  const stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    raw.off('close', stop);
    if (!raw.destroyed) act();
  }, ms);
  raw.once('close', stop);
}
