/** Server groups: the members in their order, how they are asked, and the rules that derive role and VLAN. */
import { type Candidate, candidateOf } from '../candidate.ts';
import { type Warning, warning } from '../plan-warning.ts';
import type { SourceItem } from '../read-export.ts';
import type { Source } from '../source.ts';
import { isNothing, type Neutral, unmodelledOf } from '../source-fields.ts';
import { flagOf, numberOf, textOf } from '../unwrap.ts';

export interface ServerEntry {
  name: string;
  position: number;
  match_rules: readonly { match: 'fqdn' | 'authstring'; operator: 'equals' | 'contains'; value: string }[];
  trim_fqdn: boolean;
}

const MODELLED = ['sg_name', 'name', 'auth_server', 'fail_through', 'load_balance', 'set_role', 'set_vlan'];
const NEUTRAL: Neutral = { dead_time: 10 };

export function serverGroupCandidate({ name, fields }: SourceItem, source: Source): Candidate {
  const object = `server_group:${name}`;
  const entries = entriesOf(fields['auth_server']);
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
  const rules = [...listOf(fields['set_role']), ...listOf(fields['set_vlan'])];
  const { unsupported, assumed } = unmodelledOf(fields, MODELLED, NEUTRAL);
  return candidateOf({
    object_type: 'server_group',
    identifier: name,
    payload: {
      name,
      auth_servers: entries.map((entry) => entry.name),
      auth_server_entries: entries,
      fail_through: flagOf(fields['fail_through']) ?? false,
      load_balance: flagOf(fields['load_balance']) ?? false,
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

/** In the order they are asked; members without a position stand behind those that have one, as listed. */
function entriesOf(value: unknown): ServerEntry[] {
  return listOf(value)
    .flatMap((entry) => {
      const fields = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : { name: entry };
      const name = textOf(fields['name']) ?? textOf(fields['server_name']);
      if (name === undefined) return [];
      const fqdn = textOf(fields['match_fqdn']);
      const text = textOf(fields['match_authstring']);
      const match_rules: ServerEntry['match_rules'] = [
        ...(fqdn === undefined ? [] : [{ match: 'fqdn' as const, operator: 'equals' as const, value: fqdn }]),
        ...(text === undefined ? [] : [{ match: 'authstring' as const, operator: 'contains' as const, value: text }]),
      ];
      const position = numberOf(fields['position']) ?? Number.MAX_SAFE_INTEGER;
      return [{ name, position, match_rules, trim_fqdn: flagOf(fields['trim_fqdn']) ?? false }];
    })
    .sort((a, b) => a.position - b.position)
    .map((entry, index) => ({ ...entry, position: index + 1 }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isNothing(value) ? [] : [value]);

const sorted = (fields: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
