/**
 * Path to operations. A segment is a literal, a parameter, or both (`{base}...{head}`, `{id}:move`). Literal segments
 * win over parameters, from left to right; templates that fit alike are all found. A trailing slash is part of the path.
 */
import type { Operation } from '../openapi/served-operation.ts';

export interface Route {
  /** By method, in the order of the document; several of one method are told apart by what they require of a request. */
  operations: Map<string, Operation[]>;
  segments: Segment[];
  /** In the order of the document. */
  position: number;
}

interface Segment {
  /** 0 literal, 1 literal and parameters, 2 one parameter. */
  rank: number;
  text: string;
  expression: RegExp | null;
}

export interface Match {
  route: Route;
  /** Values in the order of the parameters in the path, decoded. */
  values: string[];
}

/** Templates that begin alike share nodes: a platform may have a thousand of one length. */
interface Node {
  literals: Map<string, Node>;
  /** By the text of the segment. */
  patterns: Map<string, { segment: Segment; node: Node }>;
  route: Route | null;
}

const newNode = (): Node => ({ literals: new Map(), patterns: new Map(), route: null });

export class Routes {
  readonly #root = newNode();
  #added = 0;

  add(operation: Operation): void {
    const segments = operation.template
      .split('/')
      .slice(1)
      .map((text) => segmentOf(text, operation));
    const node = segments.reduce(childOf, this.#root);
    if (node.route === null) {
      node.route = { operations: new Map(), segments, position: this.#added };
      this.#added += 1;
    }
    const known = node.route.operations.get(operation.method) ?? [];
    node.route.operations.set(operation.method, [...known, operation]);
  }

  /**
   * Every route that fits, the most literal ones only; null when the path itself cannot be decoded. With a method, a less literal
   * route that has it comes before one that does not.
   */
  find(path: string, method?: string): Match[] | null {
    const parts = decodedParts(path);
    if (parts === null) return null;
    const found: Match[] = [];
    collect(this.#root, parts, 0, [], found);
    if (found.length < 2) return found;
    found.sort((left, right) => compare(left.route, right.route) || left.route.position - right.route.position);
    const able = method === undefined ? [] : found.filter(({ route }) => route.operations.has(method));
    const fitting = able.length > 0 ? able : found;
    return fitting.filter(({ route }) => compare((fitting[0] as Match).route, route) === 0);
  }
}

function childOf(node: Node, segment: Segment): Node {
  if (segment.rank === 0) {
    const child = node.literals.get(segment.text) ?? newNode();
    node.literals.set(segment.text, child);
    return child;
  }
  const pattern = node.patterns.get(segment.text) ?? { segment, node: newNode() };
  node.patterns.set(segment.text, pattern);
  return pattern.node;
}

function collect(node: Node, parts: readonly string[], at: number, values: readonly string[], found: Match[]): void {
  if (at === parts.length) {
    if (node.route !== null) found.push({ route: node.route, values: [...values] });
    return;
  }
  const part = parts[at] as string;
  const literal = node.literals.get(part);
  if (literal !== undefined) collect(literal, parts, at + 1, values, found);
  for (const { segment, node: next } of node.patterns.values()) {
    const own = valuesIn(segment, part);
    if (own !== null) collect(next, parts, at + 1, [...values, ...own], found);
  }
}

function valuesIn({ expression, text }: Segment, part: string): string[] | null {
  if (expression === null) return part === '' ? null : [part];
  const values = expression.exec(part)?.slice(1) ?? null;
  // A quote in a key that is quoted is written twice (OData).
  return text.includes("'{") && values !== null ? values.map((value) => value.replaceAll("''", "'")) : values;
}

function decodedParts(path: string): string[] | null {
  const parts = path.split('/').slice(1);
  try {
    return path.includes('%') ? parts.map(decodeURIComponent) : parts;
  } catch {
    return null;
  }
}

/** Between two parameters without a word, the listed values of one tell where it begins. */
function segmentOf(text: string, { parameters }: Operation): Segment {
  if (!text.includes('{')) return { rank: 0, text, expression: null };
  if (/^\{[^{}]+\}$/.test(text)) return { rank: 2, text, expression: null };
  const source = text.replace(/\{([^{}]+)\}|[^{}]+|[{}]/g, (part, name?: string) => {
    if (name === undefined) return RegExp.escape(part);
    const listed = parameters.find((entry) => entry.in === 'path' && entry.name === name)?.schema?.enum ?? [];
    return listed.length > 0 ? `(${listed.map((value) => RegExp.escape(String(value))).join('|')})` : '(.+?)';
  });
  return { rank: 1, text, expression: new RegExp(`^${source}$`, 'su') };
}

/** Routes of one length: the one with the first segment that is more literal comes first. */
function compare(left: Route, right: Route): number {
  const at = left.segments.findIndex(({ rank }, position) => rank !== right.segments[position]?.rank);
  return at < 0 ? 0 : (left.segments[at] as Segment).rank - (right.segments[at]?.rank ?? 0);
}
