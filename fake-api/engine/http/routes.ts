/**
 * Path to operations. A segment is a literal, a parameter, or both (`{base}...{head}`, `{id}:move`). Literal segments
 * win over parameters, from left to right; templates that fit alike are all found. A trailing slash is part of the path.
 */
import type { Operation } from '../openapi/served-operation.ts';

export interface Route {
  /** By method, in the order of the document. */
  operations: Map<string, Operation>;
  segments: Segment[];
}

interface Segment {
  /** 0 literal, 1 literal and parameters, 2 one parameter. */
  rank: number;
  literal: string;
  expression: RegExp | null;
}

export interface Match {
  route: Route;
  /** Values in the order of the parameters in the path, decoded. */
  values: string[];
}

export class Routes {
  readonly #byTemplate = new Map<string, Route>();
  readonly #byLength = new Map<number, Route[]>();

  add(operation: Operation): void {
    const { template, method } = operation;
    const route = this.#byTemplate.get(template) ?? this.#newRoute(template);
    route.operations.set(method, operation);
  }

  #newRoute(template: string): Route {
    const segments = template.split('/').slice(1).map(segmentOf);
    const route = { operations: new Map<string, Operation>(), segments };
    this.#byTemplate.set(template, route);
    const alike = this.#byLength.get(segments.length) ?? [];
    alike.push(route);
    alike.sort(compare);
    this.#byLength.set(segments.length, alike);
    return route;
  }

  /** Every route that fits, the most literal ones only; null when the path itself cannot be decoded. */
  find(path: string): Match[] | null {
    const parts = decodedParts(path);
    if (parts === null) return null;
    const found: Match[] = [];
    for (const route of this.#byLength.get(parts.length) ?? []) {
      const values = valuesIn(route.segments, parts);
      if (values === null) continue;
      if (found.length > 0 && compare((found[0] as Match).route, route) !== 0) break;
      found.push({ route, values });
    }
    return found;
  }
}

function decodedParts(path: string): string[] | null {
  const parts = path.split('/').slice(1);
  try {
    return path.includes('%') ? parts.map(decodeURIComponent) : parts;
  } catch {
    return null;
  }
}

function segmentOf(text: string): Segment {
  if (!text.includes('{')) return { rank: 0, literal: text, expression: null };
  if (/^\{[^{}]+\}$/.test(text)) return { rank: 2, literal: '', expression: null };
  const parts = text.split(/\{[^{}]+\}/).map(RegExp.escape);
  return { rank: 1, literal: '', expression: new RegExp(`^${parts.join('(.+?)')}$`, 'su') };
}

function valuesIn(segments: readonly Segment[], parts: readonly string[]): string[] | null {
  const values: string[] = [];
  for (const [at, { rank, literal, expression }] of segments.entries()) {
    const part = parts[at] as string;
    if (rank === 0) {
      if (part !== literal) return null;
    } else if (expression === null) {
      if (part === '') return null;
      values.push(part);
    } else {
      const fitting = expression.exec(part);
      if (fitting === null) return null;
      values.push(...fitting.slice(1));
    }
  }
  return values;
}

/** Routes of one length: the one with the first segment that is more literal comes first. */
function compare(left: Route, right: Route): number {
  const at = left.segments.findIndex(({ rank }, position) => rank !== right.segments[position]?.rank);
  return at < 0 ? 0 : (left.segments[at] as Segment).rank - (right.segments[at]?.rank ?? 0);
}
