/**
 * What an operation may do, with the evidence. A wrong "read" would skip every safeguard, so a rule may lower a method
 * only where the word stands in verb position; raising needs less. What cannot be derived is destructive.
 */
import { CAPABILITIES, type Capability } from '../access/access.ts';
import { isObject } from './document.ts';
import { snake } from './name.ts';
import type { Evidence, Tool } from './tool.ts';

export interface Classified {
  capability: Capability;
  evidence: Evidence;
  /** Something a person should look at. */
  note?: string;
}

const READS = new Set(['search', 'query', 'list', 'count', 'lookup', 'export', 'diff', 'preview', 'render']);
const DIAGNOSTICS = new Set(['validate', 'test', 'ping', 'trace', 'traceroute', 'show', 'simulate']);
/** What takes away, and what interrupts service: a raised class costs one more question, a missed one an outage. */
const DESTROYS = new Set(
  (
    'delete remove destroy erase wipe zeroize purge truncate flush drop discard drain clear forget ' +
    'reboot restart reload reset shutdown halt stop suspend bounce upgrade downgrade factory terminate kill ' +
    'disconnect deauthenticate deauth unauthorize contain block blacklist revoke release disable ' +
    'unassign unassociate dissociate unregister deregister undeploy uninstall uninvite decommission rollback revert'
  ).split(' '),
);
const GET_WRITES = new Set([
  'logout',
  'clear',
  'refresh',
  'cancel',
  'increment',
  'reboot',
  'restart',
  'erase',
  'wipe',
  'reset',
  'delete',
]);
const BY_METHOD: Record<string, Capability> = {
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'destructive',
};

const rank = (capability: Capability) => CAPABILITIES.indexOf(capability);

export interface Classifiable {
  method: string;
  path: string;
  operationId: string | null;
  /** `x-svc-capability` of the document. */
  declared?: unknown;
  override?: { capability: Capability; why: string };
}

export function classify(operation: Classifiable): Classified {
  const { method, path, override } = operation;
  if (override) return { capability: override.capability, evidence: { by: 'override', detail: override.why } };
  const byMethod = BY_METHOD[method];
  const declared = CAPABILITIES.find((capability) => capability === operation.declared);
  if (declared !== undefined) {
    // A document may raise any operation and lower a POST; a DELETE that calls itself a read is not believed.
    const believable = byMethod !== undefined && (rank(declared) >= rank(byMethod) || method === 'POST');
    if (believable)
      return { capability: declared, evidence: { by: 'document', detail: `x-svc-capability: ${declared}` } };
  }
  const found = byWords(operation) ?? {
    capability: byMethod ?? 'destructive',
    evidence: byMethod
      ? ({ by: 'method', detail: method } as const)
      : ({ by: 'unknown', detail: `${method} has no rule, so the strictest class applies` } as const),
  };
  const notes = [
    declared !== undefined &&
      `${method} ${path} declares ${declared}, which its method contradicts: treated as ${found.capability}`,
    found.evidence.by === 'unknown' && `${method} ${path} could not be classified: treated as destructive`,
  ].filter((note) => note !== false);
  return notes.length > 0 ? { ...found, note: notes.join('; ') } : found;
}

/** `x-svc-escalates`: a class that this router does not know counts as the strictest. */
export function readEscalation(stated: unknown): Pick<Tool, 'escalates'> {
  if (!isObject(stated) || typeof stated['field'] !== 'string' || !isObject(stated['values'])) return {};
  const values = Object.entries(stated['values']).map(([word, to]): [string, Capability] => [
    word,
    CAPABILITIES.find((capability) => capability === to) ?? 'destructive',
  ]);
  return { escalates: { field: stated['field'], values: Object.fromEntries(values) } };
}

function byWords({ method, path, operationId }: Classifiable): Classified | undefined {
  const segment =
    path
      .split('/')
      .filter((part) => part !== '' && !part.startsWith('{'))
      .at(-1) ?? '';
  const endsThere = path.endsWith(segment);
  const words = snake(segment).split('_');
  const verb = operationId ? (snake(operationId).split('_')[0] ?? '') : undefined;
  const because = (capability: Capability, word: string, where: string): Classified => ({
    capability,
    evidence: { by: 'word', detail: `"${word}" in the ${where}` },
  });
  if (method === 'GET' || method === 'HEAD') {
    if (endsThere && GET_WRITES.has(segment)) return because('write', segment, 'last path segment');
    if (verb !== undefined && GET_WRITES.has(verb)) return because('write', verb, 'operationId');
    return undefined;
  }
  if (method !== 'POST') return undefined;
  const destroys = endsThere ? words.find((word) => DESTROYS.has(word)) : undefined;
  if (destroys) return because('destructive', destroys, 'last path segment');
  if (verb !== undefined && DESTROYS.has(verb)) return because('destructive', verb, 'operationId');
  for (const [set, capability] of [
    [READS, 'read'],
    [DIAGNOSTICS, 'diagnostic'],
  ] as const) {
    const first = words[0] ?? '';
    // `/clients/search` is a search; `/search-rules` may create one unless its operationId says search too.
    if (
      endsThere &&
      set.has(first) &&
      (words.length === 1 ? verb === undefined || !/^(create|add|set|update|put|import)$/.test(verb) : verb === first)
    ) {
      return because(capability, first, 'last path segment');
    }
    if (verb !== undefined && set.has(verb) && words.includes(verb)) return because(capability, verb, 'operationId');
  }
  return undefined;
}
