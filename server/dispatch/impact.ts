/** What a write would change, from a read of the same object. A small picture for a person, with secrets masked. */
import type { Tool } from '../catalog/tool.ts';
import { MASK, redact } from '../telemetry/redact.ts';

export interface Impact {
  source: string;
  would_add?: Entry[];
  would_change?: Entry[];
  would_remove?: Entry[];
  unchanged?: true;
  warning?: string;
}

interface Entry {
  field: string;
  from?: unknown;
  to?: unknown;
}

const MAX_ENTRIES = 50;
const MAX_VALUE = 160;

/** `current` is undefined when the object does not exist yet. */
export function impactOf(tool: Tool, source: string, current: unknown, body: unknown): Impact {
  const secrets = new Set(tool.secrets);
  const before = flat(redact(current, secrets));
  const after = flat(redact(body, secrets));
  if (tool.method === 'DELETE') {
    if (current === undefined) return { source, warning: 'the object does not exist' };
    return bounded({ source, would_remove: [...before].map(([field, from]) => ({ field, from })) });
  }
  if (current === undefined && tool.method === 'PATCH') return { source, warning: 'the object does not exist' };
  if (current === undefined) return bounded({ source, would_add: [...after].map(([field, to]) => ({ field, to })) });
  const impact: Impact = { source, would_add: [], would_change: [], would_remove: [] };
  for (const [field, to] of after) {
    if (!before.has(field)) impact.would_add?.push({ field, to });
    // A masked value cannot be compared: whoever sends a secret means to set it.
    else if (to === MASK || JSON.stringify(before.get(field)) !== JSON.stringify(to))
      impact.would_change?.push({ field, from: before.get(field), to });
  }
  if (tool.method === 'PUT') {
    for (const [field, from] of before) if (!after.has(field)) impact.would_remove?.push({ field, from });
    if (impact.would_remove?.length)
      impact.warning = 'fields that only the platform writes may be listed under would_remove';
  }
  if (tool.method === 'POST' && !tool.path.endsWith('}'))
    return bounded({ ...impact, warning: 'an action on the object: its effect is more than its body' });
  if (tool.method === 'POST') impact.warning = 'the object already exists';
  return bounded(impact);
}

/** Top level and one nested level by dotted name; deeper values as a whole. */
function flat(value: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) return new Map(value.map((entry, i) => [`[${i}]`, entry]));
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      for (const [deep, leaf] of Object.entries(inner)) found.set(`${name}.${deep}`, leaf);
    } else found.set(name, inner);
  }
  return found;
}

function bounded(impact: Impact): Impact {
  const out: Impact = { source: impact.source };
  let left = MAX_ENTRIES;
  for (const kind of ['would_add', 'would_change', 'would_remove'] as const) {
    const entries = impact[kind];
    if (!entries || entries.length === 0) continue;
    out[kind] = entries.slice(0, left).map(({ field, from, to }) => ({
      field,
      ...(from === undefined ? {} : { from: short(from) }),
      ...(to === undefined ? {} : { to: short(to) }),
    }));
    left = Math.max(0, left - entries.length);
  }
  if (!out.would_add && !out.would_change && !out.would_remove && !impact.warning) out.unchanged = true;
  if (impact.warning) out.warning = impact.warning;
  return out;
}

function short(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : value;
}
