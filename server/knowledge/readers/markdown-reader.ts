/** Markdown with an optional YAML head: cut at its headings. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { yaml } from '../../lazy-import.ts';
import type { ReadParts } from './reader.ts';

const HEAD = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

export function readMarkdown(content: Uint8Array, text: string): ReadParts {
  const head = HEAD.exec(text);
  const body = head ? text.slice(head[0].length) : text;
  const { children } = fromMarkdown(body);
  let title: string | undefined;
  const sections: { heading: string; text: string }[] = [];
  let heading = '';
  let from = 0;
  const close = (to: number) => {
    sections.push({ heading, text: body.slice(from, to) });
  };
  for (const node of children) {
    if (node.type !== 'heading') continue;
    const { start, end } = node.position as NonNullable<typeof node.position>;
    close(start.offset as number);
    const words = wordsOf(node);
    if (node.depth === 1 && title === undefined) title = words;
    heading = words;
    from = end.offset as number;
  }
  close(body.length);
  return { title, head: headOf(head?.[1]), sections, bytes: content.length };
}

interface Words {
  type: string;
  value?: string;
  children?: readonly Words[];
}

function wordsOf({ value = '', children = [] }: Words): string {
  return value + children.map(wordsOf).join('');
}

/** Undefined where it has an alias without an anchor (`title: *important*`), or too many of them. */
function fieldsOf(document: { toJS: (options: { maxAliasCount: number }) => unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    return undefined;
  }
}

/** Only plain values; a head that is not YAML says nothing. */
function headOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const document = yaml().parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) return {};
  const value = fieldsOf(document);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, own]) =>
      ['string', 'number'].includes(typeof own) ? [[key, String(own)]] : [],
    ),
  );
}
