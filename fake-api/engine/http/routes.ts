/**
 * Path to operation. Literal segments win over templates; templates of one shape are told apart by their parameter
 * schema, then by declaration order. A trailing slash is part of the path.
 */

import type { Schema } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';

interface Branch {
  parameter: string;
  schema: Schema | null;
  node: Node;
}

interface Node {
  literals: Map<string, Node>;
  branches: Branch[];
  operations: Map<string, Operation>;
}

export interface Match {
  operations: Map<string, Operation>;
  /** Values in the order of the parameters in the path, decoded. */
  values: string[];
}

const newNode = (): Node => ({ literals: new Map(), branches: [], operations: new Map() });

export class Routes {
  readonly #root = newNode();

  add(operation: Operation): void {
    let node = this.#root;
    for (const segment of segmentsOf(operation.template)) {
      const parameter = /^\{([^}]+)\}$/.exec(segment)?.[1];
      if (parameter === undefined) {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      } else {
        const schema = operation.parameters.find((entry) => entry.in === 'path' && entry.name === parameter)?.schema;
        const branch = node.branches.find((entry) => entry.parameter === parameter) ?? {
          parameter,
          schema: schema ?? null,
          node: newNode(),
        };
        if (!node.branches.includes(branch)) node.branches.push(branch);
        node = branch.node;
      }
    }
    node.operations.set(operation.method, operation);
  }

  /** Null when no template fits; a template that fits without the method comes back with the methods it has. */
  find(path: string): Match | null {
    const segments = segmentsOf(path);
    const values: string[] = [];
    const node = walk(this.#root, segments, 0, values);
    return node === null ? null : { operations: node.operations, values };
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function walk(node: Node, segments: string[], at: number, values: string[]): Node | null {
  if (at === segments.length) return node.operations.size > 0 ? node : null;
  const segment = segments[at] as string;
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const found = walk(literal, segments, at + 1, values);
    if (found !== null) return found;
  }
  if (segment === '') return null;
  const value = decode(segment);
  if (value === null) return null;
  const fitting = node.branches.length < 2 ? node.branches : bestFirst(node.branches, value);
  for (const branch of fitting) {
    values.push(value);
    const found = walk(branch.node, segments, at + 1, values);
    if (found !== null) return found;
    values.pop();
  }
  return null;
}

function bestFirst(branches: Branch[], value: string): Branch[] {
  const fits = branches.filter((branch) => looksRight(branch.schema, value));
  return [...fits, ...branches.filter((branch) => !fits.includes(branch))];
}

function looksRight(schema: Schema | null, value: string): boolean {
  if (schema === null) return true;
  if (schema.type === 'integer' && !/^-?\d+$/.test(value)) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value);
}

function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
