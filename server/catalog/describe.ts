/** Texts of a tool: the line a hit shows, the whole description, and which parameters to name first. */
import { isItemPath } from './item-path.ts';
import { snake } from './name.ts';
import type { Property } from './request-schema.ts';
import type { ToolParameter } from './tool.ts';

const MAX_LINE = 200;
const MAX_WORDS = 60;
/** More are found in the schema; the record of a tool only names the first. */
const PARAMS_KEPT = 8;

const VERB_OF: Record<string, string> = {
  GET: 'Get',
  HEAD: 'Check',
  POST: 'Create or run',
  PUT: 'Replace',
  PATCH: 'Change some fields of',
  DELETE: 'Delete',
};

/** What a document says of an operation. */
export interface StatedTexts {
  method: string;
  path: string;
  summary: string;
  description: string;
}

export function describe(operation: StatedTexts): { line: string; description: string } {
  const summary = plain(operation.summary);
  const long = plain(operation.description);
  const text = long || summary;
  const line = cut(sentences(text)[0] ?? fromPath(operation.method, operation.path), MAX_LINE);
  const whole = words(
    summary && long && !long.toLowerCase().includes(summary.toLowerCase().replace(/\.$/, ''))
      ? `${summary}. ${long}`
      : text,
  );
  return { line, description: whole || line };
}

/**
 * Sentences that can stand for an operation in a list, without repetition: the first one of the description, the
 * summary, then the further ones of the description; where a document says nothing,
 * the words of the operationId, else one made from method and path.
 */
export function linesOf({ method, path, summary, description }: StatedTexts, operationId: string | null): string[] {
  const [first, ...further] = statedSentences(description);
  const stated = [first ?? '', ...sentences(spelledOut(plain(summary), operationId)).slice(0, 1), ...further];
  const texts = stated.filter((text) => text !== '');
  return [
    ...new Set(
      (texts.length > 0 ? texts : [operationId ? fromWords(operationId) : fromPath(method, path)]).map((text) =>
        cut(text, MAX_LINE),
      ),
    ),
  ];
}

/** Required names first, then optional ones; path and query names, then dotted body names. */
export function paramNames(
  parameters: readonly ToolParameter[],
  body: { required: boolean; fields: readonly Property[] } | null,
): string[] {
  const own = parameters.map(({ argument, required }) => ({ name: argument, rank: required ? 0 : 2 }));
  const all = body === null ? own : [...own, ...bodyParams(body)];
  return all
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, PARAMS_KEPT)
    .map(({ name }) => name);
}

/** Many documents forget to say that a body is required: what it needs comes before what nobody needs. */
function bodyParams({ required, fields }: { required: boolean; fields: readonly Property[] }): {
  name: string;
  rank: number;
}[] {
  if (fields.length === 0) return [{ name: 'body', rank: required ? 0 : 2 }];
  return fields.map((field) => ({ name: `body.${field.name}`, rank: field.required ? (required ? 0 : 1) : 2 }));
}

export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|no)\.)\s+(?=[A-Z"'(])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** A paragraph ends a sentence, and what stands in a heading is none, unless nothing else is there. */
function statedSentences(description: string): string[] {
  const paragraphs = description.replace(/^#{1,6}[ \t].*$/gm, '\n').split(/\n[^\S\n]*\n/);
  const stated = paragraphs.flatMap((paragraph) => sentences(plain(paragraph).replace(/:$/, '')));
  return stated.length > 0 ? stated : sentences(plain(description));
}

/** Of a summary that only repeats the operationId, the words. */
const spelledOut = (summary: string, operationId: string | null): string =>
  repeatsId(summary, operationId) ? fromWords(summary) : summary;

export const repeatsId = (summary: string, operationId: string | null): boolean =>
  summary === operationId && !summary.includes(' ');

/** Markup and line breaks out: descriptions of foreign documents are often Markdown or HTML. */
function plain(text: string): string {
  return text
    .replace(/<[^>]{1,200}>/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*#>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function words(text: string): string {
  const all = text.split(' ');
  return all.length > MAX_WORDS ? `${all.slice(0, MAX_WORDS).join(' ')} …` : text;
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1).replace(/\s+\S*$/, '')}…` : text;
}

function fromWords(operationId: string): string {
  const text = snake(operationId).replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function fromPath(method: string, path: string): string {
  const nouns = path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment))
    .map((segment) => segment.replace(/[-_]+/g, ' '));
  const one = isItemPath(path);
  return `${VERB_OF[method] ?? method} ${one ? 'one ' : ''}${nouns.slice(-2).join(' ')}.`;
}
