/** Which writes the operator permits: the profile, the kill switch and the gate of each platform. */
import { RouterError } from '../errors.ts';
import type { Environment } from './environment.ts';
import type { PlatformDefinition } from './platform-file.ts';

export type AccessProfile = 'safe-read-only' | 'custom' | 'full-read-write';

/** Everything that `access/` decides by. */
export interface AccessSettings {
  profile: AccessProfile;
  readonly: boolean;
  productAccess: 'read-only' | 'read-write';
  /** Gate variables that were set by hand. */
  gates: Readonly<Record<string, boolean>>;
  /**
   * The address accepts calls of anyone (`HttpBinding.open`). Then all gates stay closed, whatever the settings say.
   */
  openBinding?: boolean;
}

/** Throws CONFIG_INVALID, and CONFIG_CONTRADICTION where a setting says the opposite of the profile. */
export function readAccess(environment: Environment, known: readonly PlatformDefinition[]): AccessSettings {
  const profile = environment.choice<AccessProfile>('SVC_MCP_ACCESS_PROFILE');
  const productAccess = environment.choice<AccessSettings['productAccess']>('SVC_MCP_PRODUCT_ACCESS');
  const productAccessSet = environment.set('SVC_MCP_PRODUCT_ACCESS') !== undefined;
  const readonly = environment.flag('SVC_MCP_READONLY');
  const gates: Record<string, boolean> = {};
  for (const platform of known) {
    if (platform.gate === null) continue;
    const value = environment.explicitFlag(platform.gate.variable);
    if (value !== undefined) gates[platform.gate.variable] = value;
  }
  const settings: AccessSettings = { profile, readonly, productAccess, gates };
  const contradiction = contradictionOf(settings, productAccessSet);
  if (contradiction)
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      `SVC_MCP_ACCESS_PROFILE=${profile} contradicts ${contradiction.setting}: ${contradiction.reason}`,
    );
  return settings;
}

/** The first setting that says the opposite of the profile. */
function contradictionOf(
  { profile, readonly, productAccess, gates }: AccessSettings,
  productAccessSet: boolean,
): { setting: string; reason: string } | undefined {
  if (profile !== 'safe-read-only' && profile !== 'full-read-write') return undefined;
  const writes = profile === 'full-read-write';
  const reason = writes ? 'the profile enables writes' : 'the profile blocks every write';
  if (writes && readonly) return { setting: 'SVC_MCP_READONLY=1', reason };
  const opposite = writes ? 'read-only' : 'read-write';
  if (productAccessSet && productAccess === opposite) return { setting: `SVC_MCP_PRODUCT_ACCESS=${opposite}`, reason };
  const gate = Object.entries(gates).find(([, open]) => open !== writes);
  if (gate === undefined) return undefined;
  return writes
    ? { setting: `${gate[0]}=0`, reason: 'the profile enables every write gate' }
    : { setting: `${gate[0]}=1`, reason };
}
