/** The settings of the table: every profile with every gate value that does not contradict it, and the switches beside. */
import type { Cell } from './access-reference.ts';

export type Setting = Pick<Cell, 'profile' | 'readonly' | 'productAccess' | 'gate' | 'confirmation' | 'principal'>;

const PROFILES = ['safe-read-only', 'custom', 'full-read-write'] as const;
const GATES = [undefined, '0', '1'] as const;
const SWITCHES = [
  { readonly: false, productAccess: 'read-only' },
  { readonly: false, productAccess: 'read-write' },
  { readonly: true, productAccess: 'read-only' },
  { readonly: true, productAccess: 'read-write' },
] as const;

/** The nine gates of the shipped platforms, all at one value in a setting. */
export const GATE_VARIABLES = [
  'MGMT',
  'WORKSPACE',
  'NAC',
  'CLOUDWLAN',
  'SDWAN',
  'LEGACY',
  'FABRIC',
  'SSE',
  'SENSORS',
].map((platform) => `SVC_MCP_${platform}_WRITES`);

/** Settings a router starts with; what contradicts itself never comes to a call. */
export function settings(): Setting[] {
  return PROFILES.flatMap((profile) =>
    GATES.flatMap((gate) =>
      SWITCHES.flatMap((switches) =>
        (['elicit', 'token'] as const).map((confirmation) => ({ profile, gate, confirmation, ...switches })),
      ),
    ),
  ).filter((setting) => !contradictory(setting));
}

function contradictory({ profile, gate, readonly, productAccess }: Setting): boolean {
  if (profile === 'safe-read-only') return gate === '1' || productAccess === 'read-write';
  return profile === 'full-read-write' && (gate === '0' || readonly);
}

/**
 * Those under which whole calls are made: every profile × gate, each switch once, and confirmation by token where a gate
 * can be open. The other layers take all of them.
 */
export function callSettings(): Setting[] {
  return settings().filter(({ profile, gate, readonly, productAccess, confirmation }) => {
    const switched = readonly || productAccess === 'read-write';
    if (confirmation === 'token') return gate === '1' && !switched;
    if (!switched) return true;
    return (
      profile === 'custom' && readonly !== (productAccess === 'read-write') && (readonly ? gate === '1' : gate !== '1')
    );
  });
}

export function variablesOf({ profile, readonly, productAccess, gate, confirmation }: Setting): Record<string, string> {
  return {
    SVC_MCP_ACCESS_PROFILE: profile,
    SVC_MCP_CONFIRMATION: confirmation,
    ...(readonly ? { SVC_MCP_READONLY: '1' } : {}),
    // Left out where it is the default: a profile that opens everything contradicts it only when it is said.
    ...(productAccess === 'read-write' ? { SVC_MCP_PRODUCT_ACCESS: productAccess } : {}),
    ...(gate === undefined ? {} : Object.fromEntries(GATE_VARIABLES.map((name) => [name, gate]))),
  };
}

export const nameOf = ({ profile, readonly, productAccess, gate, confirmation, principal }: Setting) =>
  [
    profile,
    readonly ? 'READONLY' : '',
    `products ${productAccess}`,
    `gate ${gate ?? 'unset'}`,
    confirmation,
    principal ?? '',
  ]
    .filter(Boolean)
    .join(', ');
