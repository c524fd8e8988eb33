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

export function expected(cell: Cell): string {
  const may = !changes(cell) || gateIsOpen(cell);
  if (cell.layer === 'list') return may ? 'listed' : 'absent'; // gated writes are left out of the list
  if (cell.layer === 'outbound') return expectedOutbound(cell, may);
  if (cell.layer !== 'find') return expectedOfCall(cell, may);
  if (changes(cell) && silenced(cell)) return 'absent';
  return may ? 'found' : 'found, gate closed';
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
