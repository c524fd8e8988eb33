/** The overlay builder: a WLAN whose traffic is tunnelled to a gateway cluster. */
import type { Adapter } from '../adapter.ts';
import { libraryObject } from './shared.ts';
import { isPersonal, personalSecurity, protectionOf, WLAN_RULES, wlanBody } from './wlan-body.ts';

const TUNNELLED = { 'forward-mode': 'FORWARD_MODE_L2', 'out-of-service': 'TUNNEL_DOWN' } as const;

export default {
  rules: [
    ...WLAN_RULES,
    {
      id: 'new.overlay-cluster',
      refusal: 'context',
      keeps: 'Target context: for overlay (tunneled) WLANs also cluster_name and cluster_scope_id.',
      broken: (_, { cluster_name, cluster_scope_id }) =>
        cluster_name && cluster_scope_id ? undefined : 'a tunnelled network needs cluster_name and cluster_scope_id',
    },
  ],
  inline: [],
  secretsOf: (candidate) => (isPersonal(candidate) ? ['wpa_passphrase'] : []),
  stepsOf: (candidate, context, { wpa_passphrase }) => {
    const { identifier } = candidate;
    const shown = wlanBody(candidate, TUNNELLED);
    const cluster = { cluster: context.cluster_name, 'cluster-scope-id': context.cluster_scope_id };
    const tunnels = {
      'essid-name': identifier,
      'overlay-profile-type': 'WIRELESS',
      'gw-cluster-list': [{ ...cluster, 'tunnel-type': 'GRE', 'cluster-type': 'PRIMARY' }],
    };
    const body = { ...shown, ...personalSecurity(candidate, wpa_passphrase) };
    const kept = protectionOf(candidate);
    const [made, assigned] = libraryObject('wlan-ssids', identifier, body, shown, context, { kept });
    const fixed = ['overlay-profile-type'];
    const [tunnelled, placed] = libraryObject('overlay-wlan', identifier, tunnels, tunnels, context, { fixed });
    // A network is on air from its assignment on, so its tunnels stand before.
    return [made, tunnelled, placed, assigned].filter((step) => step !== undefined);
  },
} satisfies Adapter;
