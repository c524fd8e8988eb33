/** Finds the instructions in a text, in any of the usual forms. */
import { readIntent, sentencesOf } from '../retrieval/task-intent.ts';

type Json = Record<string, unknown>;

export type Order =
  /** A tool call spelled out. */
  | { kind: 'call'; tool: string; arguments: Json }
  /** A request spelled out, or a link to one. */
  | { kind: 'request'; method: string; path: string }
  /** Plain words. */
  | { kind: 'wish'; sentence: string };

const REQUEST = /\b(POST|PUT|PATCH|DELETE)\s+(?:https?:\/\/[^\s/"'<>]+)?(\/[^\s"'<>)\]}]*)/g;
const LINK = /https?:\/\/[^\s/"'<>]+(\/[^\s"'<>?]*)\?[^\s"'<>]*?_method=(POST|PUT|PATCH|DELETE)/gi;
const SHORTEST_INTENT = 4;

/** Orders in a text, or in every key and text of a JSON value. */
export function ordersIn(said: unknown): Order[] {
  if (typeof said === 'string') return [...new Set([said, decoded(said)])].flatMap(ordersInText);
  if (Array.isArray(said)) return said.flatMap(ordersIn);
  if (typeof said !== 'object' || said === null) return [];
  const itself = callOf(said as Json);
  const within = Object.entries(said).flatMap(([key, inner]) => [...ordersInText(key), ...ordersIn(inner)]);
  return itself === undefined ? within : [itself, ...within];
}

function ordersInText(text: string): Order[] {
  const objects = objectsIn(text);
  const calls = objects.flatMap(({ value }) => ordersIn(value));
  const prose = objects.reduce((rest, { source }) => rest.replace(source, ' '), text);
  const links = [...prose.matchAll(LINK)].map(
    ([, path = '', method = '']): Order => ({ kind: 'request', method, path }),
  );
  const requests = [...prose.matchAll(REQUEST)].map(
    ([, method = '', path = '']): Order => ({ kind: 'request', method, path }),
  );
  const wishes = sentencesOf(prose.replaceAll(/[\n\r<>*#[\]]+/g, '. '))
    .flatMap((sentence) => [sentence, sentence.replace(/^.*?[:,]\s+/, ''), sentence.replace(/^\S*[=/]/, '')])
    .filter((sentence) => sentence.split(/\s+/).length >= SHORTEST_INTENT && readIntent(sentence).class === 'change')
    .map((sentence): Order => ({ kind: 'wish', sentence }));
  return [...calls, ...links, ...requests, ...wishes];
}

function callOf(value: Json): Order | undefined {
  const tool = value['name'] ?? value['tool'];
  const args = value['arguments'] ?? value['args'] ?? value['parameters'];
  return typeof tool === 'string' && typeof args === 'object' && args !== null
    ? { kind: 'call', tool, arguments: args as Json }
    : undefined;
}

/** JSON objects inside a text. */
function objectsIn(text: string): { source: string; value: unknown }[] {
  const found: { source: string; value: unknown }[] = [];
  for (let from = text.indexOf('{'); from >= 0; from = text.indexOf('{', from + 1)) {
    const source = balanced(text, from);
    if (source === undefined) continue;
    try {
      found.push({ source, value: JSON.parse(source) });
      from += source.length - 1;
    } catch {
      // a brace is not yet an object
    }
  }
  return found;
}

function balanced(text: string, from: number): string | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return text.slice(from, at + 1);
  }
  return undefined;
}

/** Percent signs and base64 hide an order from nobody who wants to obey. */
function decoded(text: string): string {
  const plain = percentDecoded(text);
  const base64 = /^[A-Za-z0-9+/_-]{24,}={0,2}$/.test(plain) ? Buffer.from(plain, 'base64').toString('utf8') : '';
  return /^[\x20-\x7e\s]+$/.test(base64) ? base64 : plain;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
