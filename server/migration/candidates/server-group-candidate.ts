/** Server groups: the members in their order, how they are asked, and the rules that derive role and VLAN. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import type { Source } from '../source.ts';
import { listOf, type Neutral, SourceFields } from '../source-fields.ts';

export interface ServerEntry {
  name: string;
  position: number;
  match_rules: readonly { match: 'fqdn' | 'authstring'; operator: 'equals' | 'contains'; value: string }[];
  trim_fqdn: boolean;
}

const NEUTRAL: Neutral = { dead_time: 10 };

export function serverGroupCandidate({ name, fields: own }: SourceItem, source: Source): Candidate {
  const object = `server_group:${name}`;
  const fields = new SourceFields(own, NEUTRAL);
  fields.text('sg_name', 'name');
  const entries = inOrder(fields.entries(entryOf, 'auth_server'));
  const warnings: Warning[] = [];
  const dependencies: string[] = [];
  const collisions: Record<string, string[]> = {};
  for (const server of new Set(entries.map((entry) => entry.name))) {
    const types = source.serverTypes(server);
    const [only] = types;
    if (types.length > 1) {
      collisions[server] = [...types];
      const detail = `${JSON.stringify(server)} is ${types.join(' and ')}`;
      warnings.push(warning('server_type_collision', { object, field: 'auth_servers' }, detail));
    } else if (only === undefined)
      warnings.push(warning('dependency_missing', { object, field: 'auth_servers' }, JSON.stringify(server)));
    else dependencies.push(`auth_server:${only}:${server}`);
  }
  const rules = ['set_role', 'set_vlan'].flatMap((field) => fields.read(listOf, field) ?? []);
  const fail_through = fields.flag('fail_through') ?? false;
  const load_balance = fields.flag('load_balance') ?? false;
  const { unsupported, assumed } = fields.left();
  return candidateOf({
    object_type: 'server_group',
    identifier: name,
    payload: {
      name,
      auth_servers: entries.map((entry) => entry.name),
      auth_server_entries: entries,
      fail_through,
      load_balance,
      derivation_rules: rules,
    },
    dependencies,
    warnings,
    assumed,
    unsupported: {
      ...unsupported,
      ...(Object.keys(collisions).length > 0 ? { auth_server_type_collisions: sorted(collisions) } : {}),
    },
  });
}

function entryOf(entry: SourceFields): ServerEntry | undefined {
  const name = entry.text('name', 'server_name');
  const fqdn = entry.text('match_fqdn');
  const text = entry.text('match_authstring');
  const match_rules: ServerEntry['match_rules'] = [
    ...(fqdn === undefined ? [] : [{ match: 'fqdn' as const, operator: 'equals' as const, value: fqdn }]),
    ...(text === undefined ? [] : [{ match: 'authstring' as const, operator: 'contains' as const, value: text }]),
  ];
  const position = entry.number('position') ?? Number.MAX_SAFE_INTEGER;
  const trim_fqdn = entry.flag('trim_fqdn') ?? false;
  return name === undefined ? undefined : { name, position, match_rules, trim_fqdn };
}

/** In the order they are asked; members without a position stand behind those that have one, as listed. */
const inOrder = (entries: readonly ServerEntry[]): ServerEntry[] =>
  entries.toSorted((a, b) => a.position - b.position).map((entry, index) => ({ ...entry, position: index + 1 }));

const sorted = (fields: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
