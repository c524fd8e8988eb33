/**
 * The classic generation takes whole WLANs of one group: open, WPA3-SAE, and WPA3-Enterprise for show only. The group is the
 * operator's word; a group name of the source or a scope id of the other generation never stands in for it.
 */
import type { PlannedCandidate } from '../../plan.ts';
import type { Adapter, Rule, TargetContext } from '../adapter.ts';
import { nothingUnmapped } from '../new/shared.ts';
import {
  essidIsProfile,
  noAaaProfile,
  noHexKeyForSae,
  noTransition,
  notAmbiguous,
  vlanRequired,
} from '../wlan-rules.ts';

const isWpa3Enterprise = ({ row }: PlannedCandidate) => row === 'wlan_wpa3_enterprise';
/** Both generations call the encryption of WPA3-Enterprise alike. */
const ENTERPRISE_OPMODES = ['wpa3-aes-ccm-128', 'wpa3-aes-gcm-256', 'wpa3-cnsa'];
/** The encryption by the target's name; undefined where it has none of the kind. */
const enterpriseOpmode = ({ payload: { security } }: PlannedCandidate): string | undefined => {
  const name = (security?.opmode ?? '').trim().toLowerCase().replaceAll('_', '-');
  return ENTERPRISE_OPMODES.find((known) => known === name);
};
const LONGEST_NAME = 32;
/** Restrictions of a network of which the source knows nothing, where they are off. */
const UNRESTRICTED = {
  user_bridging: false,
  captive_profile_name: '',
  zone: '',
  disable_ssid: false,
  bandwidth_limit_up: 0,
  bandwidth_limit_down: 0,
};

/** The reference under which an operator names the auth server of a WPA3-Enterprise network. */
export const authServerReference = ({ identifier }: PlannedCandidate): string => `auth_server:${identifier}`;
const serverOf = (candidate: PlannedCandidate, { external_object_references: given }: TargetContext) =>
  given?.[authServerReference(candidate)];

const namedGroup: Rule = {
  id: 'classic.named-group',
  refusal: 'context',
  keeps: 'The classic group for a WLAN write must be named by the operator, never derived from an AP-group name.',
  broken: (_, { scope_name, scope_id }) => {
    if (scope_name === undefined || scope_name.trim() === '')
      return 'the context has no scope_name: name the classic group';
    return scope_name === scope_id ? 'scope_name should be a classic group, not a scope id' : undefined;
  },
};

const mappedMode: Rule = {
  id: 'classic.wlan-mode',
  refusal: 'compatibility',
  keeps: 'Classic: open and WPA3-SAE; WPA2 Personal and Enhanced Open are manual, the rest is unsupported.',
  broken: (candidate) => {
    const mode = candidate.payload.security?.mode ?? 'unknown';
    const mapped = ['open', 'wpa3_sae', 'wpa3_transition_personal'].includes(mode) || isWpa3Enterprise(candidate);
    return mapped ? undefined : `the mode ${mode} is not verified at a classic target`;
  },
};

const knownEnterpriseOpmode: Rule = {
  id: 'classic.enterprise-opmode',
  refusal: 'error',
  keeps: 'Any other combination gives unknown with a warning; nothing is guessed or defaulted.',
  broken: (candidate) =>
    isWpa3Enterprise(candidate) && enterpriseOpmode(candidate) === undefined
      ? `the encryption ${JSON.stringify(candidate.payload.security?.opmode)} should be ${ENTERPRISE_OPMODES.join(', ')}`
      : undefined,
};

const serverGiven: Rule = {
  id: 'classic.enterprise-server',
  refusal: 'context',
  keeps:
    'Classic WPA3-Enterprise is only mapped when an existing classic auth-server name arrives in external_object_references.',
  broken: (candidate, context) =>
    isWpa3Enterprise(candidate) && !serverOf(candidate, context)
      ? `external_object_references should hold ${JSON.stringify(authServerReference(candidate))}`
      : undefined,
};

const enterpriseShownOnly: Rule = {
  id: 'classic.enterprise-dry-run-only',
  refusal: 'blocker',
  keeps: 'Every such action is dry-run-only and can never reach applied or skipped.',
  broken: (candidate) => (isWpa3Enterprise(candidate) ? 'WPA3-Enterprise is shown and not written' : undefined),
};

/** The AAA profile is what makes a network enterprise, so the rule about it would hide the one that says more. */
const noAaaProfileHere: Rule = {
  ...noAaaProfile,
  broken: (candidate, context) => (isWpa3Enterprise(candidate) ? undefined : noAaaProfile.broken(candidate, context)),
};

const bridged: Rule = {
  id: 'classic.bridged',
  refusal: 'error',
  keeps: 'Bridged WLANs only.',
  broken: ({ payload }) =>
    payload['forward_mode'] === 'bridge'
      ? undefined
      : `forwarding ${JSON.stringify(payload['forward_mode'])} is not written`,
};

const isolationUnmapped: Rule = {
  id: 'classic.client-isolation',
  refusal: 'error',
  keeps: "An unmapped field makes an adapter refuse it unless the field is on that object type's narrow allow-list.",
  broken: ({ payload }) =>
    payload['client_isolation'] === true ? 'client isolation has no verified field' : undefined,
};

const nameFits: Rule = {
  id: 'classic.name',
  refusal: 'error',
  keeps: 'A name the target does not take is not changed silently.',
  broken: ({ identifier }) =>
    identifier.length <= LONGEST_NAME ? undefined : `the name should have at most ${LONGEST_NAME} characters`,
};

export default {
  rules: [
    namedGroup,
    nothingUnmapped(),
    noAaaProfileHere,
    notAmbiguous,
    noTransition,
    mappedMode,
    noHexKeyForSae,
    knownEnterpriseOpmode,
    serverGiven,
    enterpriseShownOnly,
    essidIsProfile,
    vlanRequired,
    bridged,
    isolationUnmapped,
    nameFits,
  ],
  inline: ['vlan'],
  secretsOf: ({ payload }) => (payload.security?.mode === 'wpa3_sae' ? ['wpa_passphrase'] : []),
  stepsOf: (candidate, context, { wpa_passphrase }) => {
    const { identifier, payload } = candidate;
    const target = context.scope_name ?? '';
    const isSae = payload.security?.mode === 'wpa3_sae';
    const shown: Record<string, unknown> = { ...wlanOf(candidate), ...securityOf(candidate, context) };
    const access_rule = { name: identifier, action: [{ destination: 'any', service: 'any', action: 'permit' }] };
    const body = {
      wlan: { ...shown, wpa_passphrase: isSae ? wpa_passphrase : '' },
      access_rule,
    };
    const at = { target, wlan: identifier };
    return [
      {
        kind: 'object',
        what: `classic WLAN ${identifier} of ${target}`,
        create: { tool: 'mgmt_create_classic_full_wlan', arguments: { ...at, body } },
        update: { tool: 'mgmt_replace_classic_full_wlan', arguments: { ...at, body } },
        read: { tool: 'mgmt_get_classic_full_wlan', arguments: at },
        expect: { wlan: shown, access_rule },
        // A replacement resets what it does not send, and nothing of the source says that a network may be opened up.
        kept: { access_rule, wlan: { ...UNRESTRICTED, ...(isSae ? {} : { opmode: shown['opmode'] }) } },
        ...(isSae ? { hidden: ['wpa_passphrase'] } : {}),
        undo: { tool: 'mgmt_delete_classic_full_wlan', arguments: at },
      },
    ];
  },
} satisfies Adapter;

function wlanOf({ identifier, payload }: PlannedCandidate): Record<string, unknown> {
  const optional = (name: string, value: unknown) => (value === null ? {} : { [name]: value });
  return {
    essid: identifier,
    type: payload.security?.mode === 'open' ? 'guest' : 'employee',
    vlan: (payload['vlan_ids'] as readonly string[]).join(','),
    hide_ssid: payload['hide_ssid'],
    rf_band: 'all',
    broadcast_filter: 'arp',
    ...optional('dtim_period', payload['dtim_period']),
    ...optional('max_clients_threshold', payload['max_clients']),
    ...optional('inactivity_timeout', payload['inactivity_timeout']),
  };
}

function securityOf(candidate: PlannedCandidate, context: TargetContext): Record<string, unknown> {
  if (isWpa3Enterprise(candidate))
    return {
      opmode: enterpriseOpmode(candidate),
      opmode_transition_disable: true,
      auth_server1: serverOf(candidate, context),
    };
  return candidate.payload.security?.mode === 'open'
    ? { opmode: 'opensystem' }
    : { opmode: 'wpa3-sae-aes', opmode_transition_disable: true };
}
