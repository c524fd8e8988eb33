/** What every adapter of the new generation keeps, and the assignment that makes a library object take effect. */
import {
  deleteNetworkProfile,
  getNetworkProfile,
  type NetworkProfileType,
  profileKey,
  setNetworkProfile,
} from '../../network-profile.ts';
import type { Rule, Step, TargetContext } from '../adapter.ts';

/** The device functions of specification 2.7, in the spelling of the platform's documents. */
export const PERSONAS = [
  'ALL',
  'CAMPUS_AP',
  'MICROBRANCH_AP',
  'ACCESS_SWITCH',
  'CORE_SWITCH',
  'AGG_SWITCH',
  'MOBILITY_GW',
  'BRANCH_GW',
  'VPNC',
  'BRIDGE',
  'IOT',
  'HYBRID_NAC',
  'SERVICE_PERSONA',
  'LEGACY_ACCESS_SWITCH',
  'LEGACY_CORE_SWITCH',
  'LEGACY_AGG_SWITCH',
  'EDGE_CONNECTOR',
  'EDGE_CONNECTOR_HUB',
] as const;

const AP_PERSONAS = ['CAMPUS_AP', 'MICROBRANCH_AP'];
export const isPersona = (persona: string | undefined): boolean =>
  (PERSONAS as readonly string[]).includes(persona ?? '');
export const isApPersona = (persona: string | undefined): boolean => AP_PERSONAS.includes(persona ?? '');

export const resolvedScope: Rule = {
  id: 'new.resolved-scope',
  refusal: 'context',
  keeps: 'An adapter refuses a context lacking a resolved scope or persona.',
  broken: (_, { scope_id }) =>
    scope_id === undefined || scope_id.trim() === '' ? 'the context has no scope_id' : undefined,
};

export const resolvedPersona: Rule = {
  id: 'new.resolved-persona',
  refusal: 'context',
  keeps: 'An adapter refuses a context lacking a resolved scope or persona.',
  broken: (_, { persona }) =>
    isPersona(persona) ? undefined : `persona should be a device function, got ${JSON.stringify(persona ?? null)}`,
};

/** `allowed`: fields whose loss the mapping accounts for. */
export const nothingUnmapped = (allowed: readonly string[] = []): Rule => ({
  id: 'unmapped-field',
  refusal: 'error',
  keeps:
    "An unmapped field on any candidate makes an adapter refuse it unless the field is on that object type's narrow allow-list.",
  broken: ({ unsupported_fields }) => {
    const left = Object.keys(unsupported_fields).filter((field) => !allowed.includes(field));
    return left.length === 0
      ? undefined
      : `these fields cannot be read or have no place at the target: ${left.join(', ')}`;
  },
});

export const notForAccessPoints: Rule = {
  id: 'new.no-ap-persona',
  refusal: 'error',
  keeps: 'AAA, 802.1X and MAC-auth profiles are gateway or switch concepts only; an AP persona is rejected.',
  broken: (_, { persona }) =>
    isApPersona(persona) ? `${persona} is an access point; the object is for gateways and switches` : undefined,
};

const NAME = /^[A-Za-z0-9_.-]{1,63}$/;
export const nameFits: Rule = {
  id: 'new.name',
  refusal: 'error',
  keeps: 'A name the target does not take is not changed silently.',
  broken: ({ payload }) =>
    NAME.test(String(payload['name']))
      ? undefined
      : 'the name should have 1 to 63 letters, digits, "_", "." or "-" at the target',
};

/** Written as an array, read back by listing, and every tuple compared here. */
export function assignment(
  profileType: string,
  instance: string,
  { scope_id = '', persona = '' }: Pick<TargetContext, 'scope_id' | 'persona'>,
): Step {
  const tuple = {
    'scope-id': scope_id,
    'device-function': persona,
    'profile-type': profileType,
    'profile-instance': instance,
  };
  const { 'profile-instance': _, ...filter } = tuple;
  return {
    kind: 'assignment',
    what: `${profileType} ${instance} assigned to ${scope_id} for ${persona}`,
    create: { tool: 'mgmt_create_config_assignments', arguments: { body: [tuple] } },
    read: { tool: 'mgmt_list_config_assignments', arguments: { ...filter, limit: 1000 } },
    expect: tuple,
    undo: { tool: 'mgmt_delete_config_assignment', arguments: tuple },
  };
}

/** `fixed`: fields that only a create takes. `kept`: what no update may change besides them. */
interface Updating {
  fixed?: readonly string[];
  kept?: Step['kept'];
}

/**
 * A shared object of the library: created under its name, read back under it, and assigned. A read shows no more than `expect`; an
 * update leaves an object that differs in what it cannot or may not change.
 */
export function libraryObject(
  type: NetworkProfileType,
  name: string,
  body: Readonly<Record<string, unknown>>,
  expect: Readonly<Record<string, unknown>>,
  context: TargetContext,
  { fixed = [], kept = {} }: Updating = {},
): Step[] {
  const isFixed = ([field]: [string, unknown]) => fixed.includes(field);
  const changes = Object.fromEntries(Object.entries(body).filter((entry) => !isFixed(entry)));
  const unchanged = { ...kept, ...Object.fromEntries(Object.entries(body).filter(isFixed)) };
  const hidden = Object.keys(body).filter((field) => !Object.hasOwn(expect, field));
  return [
    {
      kind: 'object',
      what: `${type} ${name}`,
      create: setNetworkProfile('create', type, name, body),
      ...(Object.keys(changes).length > 0 ? { update: setNetworkProfile('update', type, name, changes) } : {}),
      read: getNetworkProfile(type, name),
      expect: { ...profileKey(type, name), ...expect },
      ...(Object.keys(unchanged).length > 0 ? { kept: unchanged } : {}),
      ...(hidden.length > 0 ? { hidden } : {}),
      undo: deleteNetworkProfile(type, name),
    },
    assignment(type, name, context),
  ];
}
