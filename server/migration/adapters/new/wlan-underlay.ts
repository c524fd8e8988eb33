/** The underlay builder: a bridged WLAN. */
import type { Adapter } from '../adapter.ts';
import { libraryObject } from './shared.ts';
import { isPersonal, personalSecurity, protectionOf, WLAN_RULES, wlanBody } from './wlan-body.ts';

const BRIDGED = { 'forward-mode': 'FORWARD_MODE_BRIDGE', 'out-of-service': 'NONE' } as const;

export default {
  rules: [
    ...WLAN_RULES,
    {
      id: 'new.underlay-bridged',
      refusal: 'error',
      keeps: 'Underlay WLANs use the underlay builder, overlay WLANs the overlay builder.',
      broken: ({ payload }) =>
        payload['forward_mode'] === 'bridge'
          ? undefined
          : `forwarding ${JSON.stringify(payload['forward_mode'])} is not written`,
    },
  ],
  inline: [],
  secretsOf: (candidate) => (isPersonal(candidate) ? ['wpa_passphrase'] : []),
  stepsOf: (candidate, context, { wpa_passphrase }) => {
    const shown = wlanBody(candidate, BRIDGED);
    const body = { ...shown, ...personalSecurity(candidate, wpa_passphrase) };
    return libraryObject('wlan-ssids', candidate.identifier, body, shown, context, { kept: protectionOf(candidate) });
  },
} satisfies Adapter;
