/** An operation before its use: its name, its text, its schema if known, and its probable effect. */
import type { Descriptor, Json } from '../retrieval/operation.ts';

export interface Hit {
  name: string;
  description: string;
  method?: string;
  path?: string;
  schema?: Json;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

const METHOD = /\b(GET|PUT|POST|PATCH|DELETE)\s+(\/[^\s\])]*)/;
const READS =
  /^(get|list|search|find|read|show|count|export|fetch|retrieve|query|describe|download|lookup|look|compare|preview)$/;
const TESTS = /^(test|ping|trace|run|probe|diagnose|check|validate|verify|simulate)$/;
const DELETES = /^(delete|del|remove|drop|erase|wipe|clear|purge)$/;

/** An entry of a tool list or of a subject's own search answer. */
export function hitOf(value: Json): Hit | undefined {
  const texts = ['summary', 'description'].map((field) => value[field]).filter((text) => typeof text === 'string');
  const stated = METHOD.exec(texts.join(' ')) ?? METHOD.exec(Object.values(value).find(isOperation) ?? '');
  const method = textOf(value['method'])?.toUpperCase() ?? stated?.[1];
  const path = textOf(value['path']) ?? stated?.[2];
  const name = textOf(value['name']) ?? (method === undefined || path === undefined ? undefined : `${method} ${path}`);
  if (name === undefined) return undefined;
  const schema = (value['inputSchema'] ?? value['parameters']) as Json | undefined;
  return {
    name,
    description: [...new Set(texts)].join('. '),
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(schema === undefined || Array.isArray(schema) ? {} : { schema }),
    ...(value['annotations'] === undefined
      ? {}
      : { annotations: value['annotations'] as NonNullable<Hit['annotations']> }),
  };
}

/**
 * The hit in the form of a discovery answer. Its effect comes from the annotation, else from the stated method, else
 * from the verb at the start of its description or name. Without any of these it counts as a change.
 */
export function descriptorOf(hit: Hit): Descriptor {
  const verb = verbOf(hit);
  const reads = hit.annotations?.readOnlyHint ?? (hit.method === undefined ? READS.test(verb) : hit.method === 'GET');
  const destructive = hit.annotations?.destructiveHint ?? (hit.method === 'DELETE' || DELETES.test(verb));
  const capability = reads ? 'read' : TESTS.test(verb) ? 'diagnostic' : 'write';
  const { name, description, schema } = hit;
  return { name, description, read_only: reads, destructive, capability, ...(schema === undefined ? {} : { schema }) };
}

function verbOf({ name, description }: Hit): string {
  const first = /^[a-z]+/.exec(description.toLowerCase())?.[0] ?? '';
  if ([READS, TESTS, DELETES].some((verbs) => verbs.test(first))) return first;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.slice(0, 3).find((word) => [READS, TESTS, DELETES].some((verbs) => verbs.test(word))) ?? first;
}

/** A field that says METHOD /path and nothing else. */
const isOperation = (value: unknown): value is string => typeof value === 'string' && /^[A-Z]+ \/\S*$/.test(value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
