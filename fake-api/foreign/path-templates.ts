/**
 * Path to operations of a foreign document. A segment may be a literal, a parameter, or both (`{base}...{head}`,
 * `{id}:move`). Literal segments win; templates that fit alike are told apart by what their parameters accept.
 */
import type { Operation } from '../engine/openapi/served-operation.ts';

export interface Template {
  text: string;
  operations: Map<string, Operation>;
  segments: Segment[];
}

interface Segment {
  /** 0 literal, 1 literal and parameters, 2 one parameter. */
  rank: number;
  literal: string;
  expression: RegExp | null;
}

export interface Found {
  template: Template;
  /** Decoded, in path order. */
  values: string[];
}

export class Templates {
  readonly all: Template[] = [];
  readonly #byLength = new Map<number, Template[]>();

  add(text: string, operations: Map<string, Operation>): Template {
    const segments = text.split('/').slice(1).map(segmentOf);
    const template = { text, operations, segments };
    this.all.push(template);
    const alike = this.#byLength.get(segments.length) ?? [];
    alike.push(template);
    alike.sort(compare);
    this.#byLength.set(segments.length, alike);
    return template;
  }

  /** Every template that fits, the most literal first; null when the path itself cannot be decoded. */
  find(path: string): Found[] | null {
    const parts: string[] = [];
    for (const part of path.split('/').slice(1)) {
      try {
        parts.push(part.includes('%') ? decodeURIComponent(part) : part);
      } catch {
        return null;
      }
    }
    const found: Found[] = [];
    for (const template of this.#byLength.get(parts.length) ?? []) {
      const values = match(template.segments, parts);
      if (values === null) continue;
      if (found.length > 0 && compare(found[0]?.template as Template, template) !== 0) break;
      found.push({ template, values });
    }
    return found;
  }
}

function segmentOf(text: string): Segment {
  if (!text.includes('{')) return { rank: 0, literal: text, expression: null };
  if (/^\{[^{}]+\}$/.test(text)) return { rank: 2, literal: '', expression: null };
  const parts = text.split(/\{[^{}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { rank: 1, literal: '', expression: new RegExp(`^${parts.join('(.+?)')}$`, 'su') };
}

function match(segments: Segment[], parts: string[]): string[] | null {
  const values: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] as string;
    if (segment.rank === 0) {
      if (part !== segment.literal) return null;
    } else if (segment.expression === null) {
      if (part === '') return null;
      values.push(part);
    } else {
      const fitting = segment.expression.exec(part);
      if (fitting === null) return null;
      values.push(...fitting.slice(1));
    }
  }
  return values;
}

function compare(left: Template, right: Template): number {
  for (const [at, segment] of left.segments.entries()) {
    const other = right.segments[at];
    if (other === undefined) return 0;
    if (segment.rank !== other.rank) return segment.rank - other.rank;
  }
  return 0;
}

/** The concrete path without its place: what a template says when its parameters have these values. */
export function fill(template: string, values: readonly string[]): string {
  let at = 0;
  return template.replace(/\{[^{}]+\}/g, () => encodeURIComponent(values[at++] ?? ''));
}
