/** A list read to its end, page by page, by the means that its platform offers: cursor, links, page or offset. */
import { firstOf, parameterNamed } from '../engine/http/list-page.ts';
import type { ListStyle, Operation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { Answered, PlatformClient } from './platform-client.ts';

export type Entry = Record<string, unknown>;

export interface WholeList {
  entries: Entry[];
  pages: Answered[];
  /** The page that was refused. */
  refused: Answered | null;
}

const MOST_PAGES = 200;

export interface ListQuestion {
  path: string;
  query?: string;
  /** Entries asked for per page; as many as the platform gives when left out. */
  limit?: number;
}

export function wholeList(client: PlatformClient, operation: Operation, question: ListQuestion): WholeList {
  const style = operation.list ?? { property: null, paging: 'none', default: 0, max: 0, extras: [] };
  const { path, query = '', limit = style.max } = question;
  const asked = [...query.split('&'), style.paging === 'none' ? '' : `${parameterNamed(style, 'limit')}=${limit}`];
  const whole: WholeList = { entries: [], pages: [], refused: null };
  let target: string | null = `${path}?${asked.filter((pair) => pair !== '').join('&')}`;
  while (target !== null && whole.pages.length < MOST_PAGES) {
    const page: Answered = client.get(target);
    if (page.status >= 300) return { ...whole, refused: page };
    whole.pages.push(page);
    const entries = entriesIn(style, page.json);
    whole.entries.push(...entries);
    target = entries.length === 0 ? null : following(style, page, target, whole.entries.length, entries.length, limit);
  }
  return whole;
}

/** What a page lists, wherever the platform puts it. */
export function entriesIn(style: Pick<ListStyle, 'property' | 'shape'>, body: unknown): Entry[] {
  const steps = style.property === null ? [] : style.property.split('.');
  const held = steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), body);
  if (style.shape === 'map' && isObject(held)) return Object.values(held) as Entry[];
  return Array.isArray(held) ? held : [];
}

function following(
  style: ListStyle,
  page: Answered,
  target: string,
  seen: number,
  onPage: number,
  limit: number,
): string | null {
  const body = isObject(page.json) ? page.json : {};
  if (style.links !== undefined) {
    const links = body[style.links] as { next?: { href: string } };
    return links.next?.href ?? null;
  }
  if (style.paging === 'cursor') {
    const name = Object.entries(style.meanings ?? {}).find(([, meaning]) => meaning === 'next')?.[0] ?? 'next';
    const next = body[name];
    return typeof next === 'string' ? withPair(target, parameterNamed(style, 'cursor'), next) : null;
  }
  if (style.paging === 'none' || onPage < limit) return null;
  if (style.paging === 'page')
    return withPair(target, parameterNamed(style, 'page'), String(Math.ceil(seen / limit) + firstOf(style)));
  return withPair(target, parameterNamed(style, 'offset'), String(seen + firstOf(style)));
}

function withPair(target: string, name: string, value: string): string {
  const [path, query = ''] = target.split('?');
  const kept = query.split('&').filter((pair) => !pair.startsWith(`${encodeURIComponent(name)}=`));
  return `${path}?${[...kept, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')}`;
}
