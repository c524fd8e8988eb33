/**
 * The expected result of each cell, from the sentences of the specification (1.2, 1.3) and its issue. It imports
 * nothing of the router.
 */
export interface Cell {
  layer: 'list' | 'find' | 'dispatch' | 'outbound';
  dispatcher: 'invoke_read_tool' | 'invoke_tool' | 'invoke_read_tool_batch' | 'invoke_tools_batch' | 'none';
  platform: string;
  method: string;
  capability: 'read' | 'diagnostic' | 'write' | 'destructive';
  profile: 'safe-read-only' | 'custom' | 'full-read-write';
  readonly: boolean;
  productAccess: 'read-only' | 'read-write';
  gate: '1' | '0' | undefined;
  confirmation: 'elicit' | 'token';
  state: string;
  /** Who calls, where the router knows its callers; each narrows the server in one way. */
  principal?: keyof typeof PRINCIPALS;
  /** The class before the arguments are known, where these raise it. */
  statedCapability?: Cell['capability'];
}

/** What each principal may use; what is not said narrows nothing (docs/principals.md). */
const PRINCIPALS = {
  'who changes nothing, by profile': { classes: ['read', 'diagnostic'] },
  'who reads': { classes: ['read'] },
  'who destroys nothing': { classes: ['read', 'diagnostic', 'write'] },
  'of one platform': { platforms: ['mgmt'] },
  'of one gate': { gatesOf: ['mgmt'] },
  'of no gate': { gatesOf: [] },
  'by scopes': { scopes: { everywhere: 'read', mgmt: 'write' } },
} as const;

interface Narrowed {
  classes?: readonly string[];
  platforms?: readonly string[];
  gatesOf?: readonly string[];
  scopes?: Readonly<Record<string, string>>;
}

const OFF_UNLESS_ITS_GATE_IS_SET = ['mgmt', 'workspace'];
const GATED_PRODUCTS = ['nac', 'cloudwlan', 'sdwan', 'legacy', 'fabric', 'sse', 'sensors'];

function gateIsOpen({ platform, profile, readonly, gate, productAccess }: Cell): boolean {
  if (readonly || profile === 'safe-read-only') return false; // "blocks every write"; the kill switch
  if (platform === 'router') return true; // a batch: each call inside has its own gate
  const own = OFF_UNLESS_ITS_GATE_IS_SET.includes(platform);
  if (!own && !GATED_PRODUCTS.includes(platform)) return false; // a platform without a gate is denied
  if (profile === 'full-read-write') return true; // "ordinary writes enabled on every loaded platform"
  return gate === undefined ? !own && productAccess === 'read-write' : gate === '1'; // "per-platform gates honored"
}

const changes = ({ capability }: Cell) => capability === 'write' || capability === 'destructive';
const silenced = ({ readonly, profile }: Cell) => readonly || profile === 'safe-read-only';

/** Tools of the router itself are everybody's: each call inside them is decided by itself. */
type Meant = Pick<Cell, 'platform' | 'capability' | 'principal'>;
const narrowed = ({ principal }: Meant): Narrowed => (principal === undefined ? {} : PRINCIPALS[principal]);

function isForbidden(cell: Meant): boolean {
  const { classes, platforms } = narrowed(cell);
  return (
    classes?.includes(cell.capability) === false ||
    (cell.platform !== 'router' && platforms?.includes(cell.platform) === false)
  );
}

/** A principal without the gate of a platform has no writes there; a batch has no gate of its own. */
const lacksGate = (cell: Cell): boolean =>
  changes(cell) && cell.platform !== 'router' && narrowed(cell).gatesOf?.includes(cell.platform) === false;

function lacksScope(cell: Meant): boolean {
  const { scopes } = narrowed(cell);
  if (scopes === undefined || cell.platform === 'router') return false;
  return scopes['everywhere'] !== cell.capability && scopes[cell.platform] !== cell.capability;
}

export function expected(cell: Cell): string {
  const stated = { ...cell, capability: cell.statedCapability ?? cell.capability };
  const may = !changes(cell) || (gateIsOpen(cell) && !lacksGate(cell));
  if (cell.layer !== 'outbound' && cell.layer !== 'dispatch' && isForbidden(stated)) return 'absent';
  if (cell.layer === 'dispatch') return refusedToPrincipal(cell, stated, may) ?? expectedOfCall(cell, may);
  if (cell.layer === 'list') return may ? 'listed' : 'absent'; // gated writes are left out of the list
  if (cell.layer === 'outbound') return expectedOutbound(cell, may);
  if (changes(cell) && silenced(cell)) return 'absent';
  return may ? 'found' : 'found, gate closed';
}

/** What the principal may not use is `forbidden` before anything else, where the server would show it; a scope is missing last. */
function refusedToPrincipal(cell: Cell, stated: Cell, may: boolean): string | undefined {
  const { dispatcher } = cell;
  const hidden = (one: Cell) => changes(one) && silenced(one);
  const reads = dispatcher === 'invoke_read_tool' || dispatcher === 'invoke_read_tool_batch';
  const batch = { ...cell, platform: 'router', capability: reads ? 'read' : 'destructive' } as const;
  if (dispatcher.endsWith('_batch') && isForbidden(batch) && !hidden(batch)) return 'forbidden';
  if (dispatcher.endsWith('_batch') && hidden(batch)) return undefined;
  if (isForbidden(stated) && !hidden(stated)) return 'forbidden';
  if (reads && stated.capability !== 'read') return undefined;
  if (!may) return undefined;
  if (lacksScope(stated)) return 'insufficient_scope';
  if (isForbidden(cell) && !hidden(cell)) return 'forbidden';
  return lacksScope(cell) ? 'insufficient_scope' : undefined;
}

function expectedOutbound({ capability, method, state }: Cell, may: boolean): string {
  if (capability === 'read' && (method === 'GET' || method === 'HEAD')) return 'sent';
  return may && state === 'its own grant' ? 'sent' : 'blocked'; // any other request needs its own, unspent grant
}

function expectedOfCall(cell: Cell, may: boolean): string {
  const { dispatcher, capability, state } = cell;
  if (dispatcher === 'invoke_tools_batch' && silenced(cell)) return 'blocked'; // it can reach writes, so it is one
  const reads = dispatcher === 'invoke_read_tool' || dispatcher === 'invoke_read_tool_batch';
  if (reads && capability !== 'read') return 'blocked'; // "dispatches read-only tools"; diagnostics go the other way
  if (!may) return 'blocked'; // also as a dry run
  if (capability === 'diagnostic' && state === 'dry run') return 'preview';
  return !changes(cell) || cell.platform === 'router' ? 'sent' : expectedOfWrite(cell);
}

function expectedOfWrite({ capability, confirmation, state }: Cell): string {
  if (state === 'nothing said' || state === 'dry run') return 'preview'; // "dry-run by default"
  if (/^token (of an?other|of other|from other) /.test(state)) return 'plan_stale'; // something is not as it was previewed
  const confirmable = ['nobody to ask', 'declined', 'cancelled', 'agreed', 'agreed, object named'].includes(state);
  if (!confirmable) return 'confirmation_required'; // a confirm, and the unused token of this very preview
  if (confirmation === 'token') {
    const named = state === 'agreed, object named';
    return capability === 'write' || named ? 'sent' : 'confirmation_required';
  }
  if (state === 'nobody to ask') return 'confirmation_unavailable';
  return state === 'declined' || state === 'cancelled' ? state : 'sent';
}
