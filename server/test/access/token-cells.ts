/**
 * The cells of the authorization matrix and what each must come to, from RFC 6750, RFC 8707, RFC 9068 and the specification. It imports
 * nothing of the router.
 */
export const STATES = [
  'no token',
  'valid',
  'valid, of another type name',
  'valid, at the edge of the skew',
  'of the key that came by rotation',
  'expired',
  'without an expiry',
  'not valid yet',
  'issued in the future',
  'of another issuer',
  'unsigned (alg none)',
  'signed with the public key as a secret (HS256)',
  'with a changed payload',
  'of a stranger under a known key id',
  'of an unknown key',
  'replayed after its key was withdrawn',
  'bound to a key that nobody proves',
  'of a wrong type',
] as const;
export const AUDIENCES = ['this router', 'a list with this router', 'another resource', 'none'] as const;
export const SCOPES = {
  none: '',
  'read everywhere': 'mcp:read',
  'read and write here': 'openid mgmt:read mgmt:write',
  'destroy here': 'mgmt:destructive',
  'another toolset': 'rag:read rag:diagnostic rag:write rag:destructive nac:read',
  everything: 'mcp:read mcp:diagnostic mcp:write mcp:destructive',
} as const;
/** Entries of the file, by the value of their claim; `unlisted` has none. */
export const PRINCIPALS = ['unlisted', 'full', 'reader', 'elsewhere', 'ungated'] as const;
export const CLASSES = ['read', 'diagnostic', 'write', 'destructive', 'batch of reads'] as const;
export const TRANSPORTS = ['2026-07-28', '2025-11-25 without a session', '2025-11-25 in a session'] as const;

export interface TokenCell {
  state: (typeof STATES)[number];
  audience: (typeof AUDIENCES)[number];
  scope: keyof typeof SCOPES;
  principal: (typeof PRINCIPALS)[number];
  tool: (typeof CLASSES)[number];
  transport: (typeof TRANSPORTS)[number];
}

/** Every combination with the parts of each of the cells before it. */
const by = <A extends object, K extends string, V>(cells: readonly A[], name: K, values: readonly V[]) =>
  cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }) as A & Record<K, V>));

export function tokenCells(transports: readonly TokenCell['transport'][] = TRANSPORTS): TokenCell[] {
  const states = STATES.map((state) => ({ state }));
  const tokens = by(by(states, 'audience', AUDIENCES), 'scope', Object.keys(SCOPES) as TokenCell['scope'][]);
  return by(by(by(tokens, 'principal', PRINCIPALS), 'tool', CLASSES), 'transport', transports);
}

const isTrusted = ({ state, audience }: TokenCell): boolean =>
  (state.startsWith('valid') || state === 'of the key that came by rotation') &&
  (audience === 'this router' || audience === 'a list with this router');

const GIVES: Record<TokenCell['scope'], readonly string[]> = {
  none: [],
  'read everywhere': ['read'],
  'read and write here': ['read', 'write'],
  'destroy here': ['destructive'],
  'another toolset': [],
  everything: ['read', 'diagnostic', 'write', 'destructive'],
};

/** `401`; `403` with the scope that is missing; the code of a refused call; `sent` for a read, `preview` for a change. */
export function expectedOf(cell: TokenCell): string {
  if (!isTrusted(cell)) return '401';
  const { tool, principal, scope } = cell;
  const capability = tool === 'batch of reads' ? 'read' : tool;
  const changes = capability === 'write' || capability === 'destructive';
  if (principal === 'elsewhere') return 'forbidden'; // no platform is his
  if (principal === 'reader' && capability !== 'read') return 'forbidden'; // reads are all he has
  if (principal === 'ungated' && changes) return 'blocked'; // no gate is open to him
  if (!GIVES[scope].includes(capability)) return `403 mgmt:${capability}`; // step-up
  return changes ? 'preview' : 'sent';
}
