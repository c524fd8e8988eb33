/** Principals of the table: one for each way in which an entry or a token narrows what the server permits. */
import type { PrincipalAccess } from '../../access/access-policy.ts';
import { callSettings, type Setting, settings } from './table-settings.ts';

export const TABLE_PRINCIPALS = {
  'who changes nothing, by profile': { profile: 'safe-read-only' },
  'who reads': { capabilities: new Set(['read'] as const) },
  'who destroys nothing': { capabilities: new Set(['read', 'diagnostic', 'write'] as const) },
  'of one platform': { platforms: new Set(['mgmt']) },
  'of one gate': { gates: new Set(['SVC_MCP_MGMT_WRITES']) },
  'of no gate': { gates: new Set() },
  'by scopes': {
    scopes: {
      everywhere: new Set(['read'] as const),
      on: new Map([['mgmt', new Set(['write'] as const)]]),
      granted: ['mcp:read', 'mgmt:write'],
    },
  },
} as const satisfies Record<string, PrincipalAccess>;

export type TablePrincipal = keyof typeof TABLE_PRINCIPALS;

/** Settings under which the server opens as much as it can by each of its ways, and one that opens nothing; each with every principal. */
function principalSettings(): Setting[] {
  const few = settings().filter(({ profile, gate, readonly, productAccess, confirmation }) => {
    if (readonly) return false;
    if (confirmation === 'token') return profile === 'custom' && gate === '1' && productAccess === 'read-only';
    if (profile === 'custom') return (gate === '1') !== (productAccess === 'read-write') && gate !== '0';
    return gate === undefined && productAccess === 'read-only';
  });
  const names = Object.keys(TABLE_PRINCIPALS) as TablePrincipal[];
  return few.flatMap((setting) => names.map((principal) => ({ ...setting, principal })));
}

/** The settings of the server, those of principals on top of a few of these, or both. */
export type TableCallers = 'all' | 'server' | 'principals';

/** Settings under which tools are listed and found, and those under which whole calls are made. */
export function tableSettings({ callers, brief }: { callers: TableCallers; brief: boolean }): {
  shown: Setting[];
  called: Setting[];
} {
  const own = callers === 'server' ? [] : principalSettings();
  const called = callers === 'principals' ? own : [...callSettings(), ...own];
  const plain = callers === 'principals' ? [] : brief ? callSettings() : settings();
  return { shown: [...plain, ...own].filter(({ confirmation }) => confirmation === 'elicit'), called };
}
