/**
 * Classifies what an operation may do and gives the evidence. A wrong "read" would skip every safeguard. In a shipped,
 * reviewed and locked document, a word in verb position or `x-svc-capability` may lower a POST. A user's document may
 * only raise the class; the operator lowers it in the platform file. An operation that no rule classifies is
 * destructive.
 */
import { CAPABILITIES, type Capability, strictness } from '../access/access-policy.ts';
import { snake } from './name.ts';
import type { Evidence } from './tool.ts';
import { type Choice, changingVerb, DESTROYS, destroyingVerb, literalSegments, wordsOf } from './verbs.ts';

export interface Classified {
  capability: Capability;
  evidence: Evidence;
  /** Something a person should look at. */
  note?: string;
}

const READS = new Set(['search', 'query', 'list', 'count', 'lookup', 'export', 'diff', 'preview', 'render']);
const DIAGNOSTICS = new Set(['validate', 'test', 'ping', 'trace', 'traceroute', 'show', 'simulate']);
const BY_METHOD = new Map<string, Capability>([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['OPTIONS', 'read'],
  ['POST', 'write'],
  ['PUT', 'write'],
  ['PATCH', 'write'],
  ['DELETE', 'destructive'],
]);

export interface Classifiable {
  method: string;
  path: string;
  operationId: string | null;
  summary?: string;
  description?: string;
  /** Parameters of path and query with the values that are listed for them. */
  choices?: readonly Choice[];
  /** The document is a user's: nothing it says lowers a class. */
  foreign: boolean;
  /** `x-svc-capability` of the document. */
  declared?: unknown;
  /** A class that is set by hand in the platform file; `operator` where it came by `--read-operation`. */
  override?: { capability: Capability; why: string; operator?: boolean };
}

export function classify(operation: Classifiable): Classified {
  const { override, foreign } = operation;
  if (override)
    return {
      capability: override.capability,
      evidence: { by: override.operator ? 'operator' : 'override', detail: override.why },
    };
  return foreign ? classifyForeign(operation) : classifyReviewed(operation);
}

/** The strictest of what method, words and document say. */
function classifyForeign(operation: Classifiable): Classified {
  const { method, path } = operation;
  const declared = CAPABILITIES.find((capability) => capability === operation.declared);
  const raised = [
    raisedByWord(operation),
    ...(declared === undefined
      ? []
      : [{ capability: declared, evidence: { by: 'document', detail: `x-svc-capability: ${declared}` } } as const]),
  ].filter((claim) => claim !== undefined);
  const found = raised.reduce<Classified>(
    (strictest, claim) => (strictness(claim.capability) > strictness(strictest.capability) ? claim : strictest),
    byMethod(method),
  );
  const contradicted =
    declared !== undefined && strictness(declared) < strictness(found.capability)
      ? `${method} ${path} declares ${declared}, which a document cannot lower it to: treated as ${found.capability}; if it only reads, say so with --read-operation`
      : undefined;
  return withNotes(found, [contradicted, unclassified(operation, found)]);
}

function classifyReviewed(operation: Classifiable): Classified {
  const { method, path } = operation;
  const known = BY_METHOD.get(method);
  const declared = CAPABILITIES.find((capability) => capability === operation.declared);
  if (declared !== undefined) {
    // A document may raise any operation and lower a POST; a DELETE that calls itself a read is not believed.
    const believable = known !== undefined && (strictness(declared) >= strictness(known) || method === 'POST');
    if (believable)
      return { capability: declared, evidence: { by: 'document', detail: `x-svc-capability: ${declared}` } };
  }
  const found = byWords(operation) ?? byMethod(method);
  return withNotes(found, [
    declared === undefined
      ? undefined
      : `${method} ${path} declares ${declared}, which its method contradicts: treated as ${found.capability}`,
    unclassified(operation, found),
  ]);
}

function byMethod(method: string): Classified {
  const known = BY_METHOD.get(method);
  return known === undefined
    ? {
        capability: 'destructive',
        evidence: { by: 'unknown', detail: `${method} has no rule, so the strictest class applies` },
      }
    : { capability: known, evidence: { by: 'method', detail: method } };
}

const unclassified = ({ method, path }: Classifiable, { evidence }: Classified): string | undefined =>
  evidence.by === 'unknown' ? `${method} ${path} could not be classified: treated as destructive` : undefined;

function withNotes(found: Classified, notes: readonly (string | undefined)[]): Classified {
  const said = notes.filter((note) => note !== undefined);
  return said.length > 0 ? { ...found, note: said.join('; ') } : found;
}

/** Classifies a GET by its verb. For other methods, a destructive verb anywhere in the last literal segment counts. */
function raisedByWord(operation: Classifiable): Classified | undefined {
  const { method, path, operationId } = operation;
  if (BY_METHOD.get(method) === 'read') {
    const verb = changingVerb(operation);
    return verb && because(verb.capability, verb.word, verb.where);
  }
  const segment = wordsOf(literalSegments(path).at(-1) ?? '').find((word) => DESTROYS.has(word));
  if (segment) return because('destructive', segment, 'last path segment');
  const [verb = ''] = wordsOf(operationId ?? '');
  if (DESTROYS.has(verb)) return because('destructive', verb, 'operationId');
  // What a path parameter says is told by each call.
  const choices = operation.choices?.filter((choice) => choice.in === 'query');
  const sure = changingVerb({ ...operation, choices });
  if (sure?.capability === 'destructive') return because('destructive', sure.word, sure.where);
  const told = destroyingVerb(operation.description ?? '');
  return told === undefined ? undefined : because('destructive', told, 'description');
}

const because = (capability: Capability, word: string, where: string): Classified => ({
  capability,
  evidence: { by: 'word', detail: `"${word}" in the ${where}` },
});

/** Words of a reviewed document. */
function byWords(operation: Classifiable): Classified | undefined {
  const { method, path, operationId } = operation;
  if (method === 'GET' || method === 'HEAD') return raisedByWord(operation);
  if (method !== 'POST') return undefined;
  const literal = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const segment = literal.at(-1) ?? '';
  const endsThere = path.endsWith(segment);
  const words = snake(segment).split('_');
  const verb = operationId ? (snake(operationId).split('_')[0] ?? '') : undefined;
  const destroys = endsThere ? words.find((word) => DESTROYS.has(word)) : undefined;
  if (destroys) return because('destructive', destroys, 'last path segment');
  if (verb !== undefined && DESTROYS.has(verb)) return because('destructive', verb, 'operationId');
  return loweredByWord(words, endsThere, verb);
}

/** A POST that only reads or diagnoses, by the verb of its last literal segment or of its operationId. */
function loweredByWord(words: readonly string[], endsThere: boolean, verb: string | undefined): Classified | undefined {
  const first = words[0] ?? '';
  for (const [set, capability] of [
    [READS, 'read'],
    [DIAGNOSTICS, 'diagnostic'],
  ] as const) {
    if (endsThere && set.has(first) && isVerbOf(words, verb)) return because(capability, first, 'last path segment');
    if (verb !== undefined && set.has(verb) && words.includes(verb)) return because(capability, verb, 'operationId');
  }
  return undefined;
}

/** `/clients/search` is a search; `/search-rules` may create one unless its operationId says search too. */
function isVerbOf(segment: readonly string[], verb: string | undefined): boolean {
  if (segment.length > 1) return verb === segment[0];
  return verb === undefined || !/^(create|add|set|update|put|import)$/.test(verb);
}
