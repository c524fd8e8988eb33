/** The tools of `tools/list`, in pages where one answer would be longer than a client of stdio takes. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { PublicTool } from '../tools/public/public-tool.ts';

type Definition = PublicTool['definition'];

export interface ToolPage {
  tools: Definition[];
  nextCursor?: string;
}

/** The official clients close a stdio connection that holds 10 MiB of one message; a page stays far below. */
export const STDIO_PAGE_BYTES = 4 << 20;

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

export class ListedTools {
  #definitions: readonly Definition[] = [];
  #byName: ReadonlyMap<string, PublicTool> = new Map();
  readonly #pageBytes: number;
  /** Whether clients are told to expect `notifications/tools/list_changed`. */
  readonly canChange: boolean;
  readonly #listeners = new Set<() => void>();

  /** `pageBytes` bounds the tools of one page, as JSON; a longer tool is a page of its own. */
  constructor(tools: readonly PublicTool[], pageBytes = Number.POSITIVE_INFINITY, canChange = false) {
    this.#pageBytes = pageBytes;
    this.canChange = canChange;
    this.replace(tools);
  }

  named(name: string): PublicTool | undefined {
    return this.#byName.get(name);
  }

  /** Other tools from now on; a list that is still the same is not told to anybody. */
  replace(tools: readonly PublicTool[]): void {
    const before = this.#definitions;
    this.#byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
    this.#definitions = tools.map((tool) => tool.definition).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (this.#listeners.size === 0 || JSON.stringify(before) === JSON.stringify(this.#definitions)) return;
    for (const tell of this.#listeners) tell();
  }

  /** `listener` is called after each change of the list, until the answered function is. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws InvalidParams for a cursor that no page gave. Without pages there is no cursor, and one is not looked at. */
  page(cursor: string | undefined): ToolPage {
    const all = this.#definitions;
    if (this.#pageBytes === Number.POSITIVE_INFINITY) return { tools: [...all] };
    const from = cursor === undefined ? 0 : this.#placeAfter(nameIn(cursor));
    let end = from;
    let bytes = 0;
    for (; end < all.length; end++) {
      bytes += Buffer.byteLength(JSON.stringify(all[end])) + 1;
      if (bytes > this.#pageBytes && end > from) break;
    }
    const last = all[end - 1];
    return {
      tools: all.slice(from, end),
      ...(last !== undefined && end < all.length ? { nextCursor: cursorAfter(last.name) } : {}),
    };
  }

  #placeAfter(name: string): number {
    const at = this.#definitions.findIndex((definition) => definition.name > name);
    return at < 0 ? this.#definitions.length : at;
  }
}

/** By name and not by number, so that a page stays right when tools came or went in between. */
const cursorAfter = (name: string): string => Buffer.from(name).toString('base64url');

function nameIn(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (NAME.test(name) && cursorAfter(name) === cursor) return name;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor should be the nextCursor of an earlier tools/list');
}
