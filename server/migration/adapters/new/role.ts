/** Role: only one that allows everything, as a flag. */
import { isAllowAll } from '../../candidates/role-candidate.ts';
import type { Adapter } from '../adapter.ts';
import { libraryObject, nameFits, nothingUnmapped, resolvedPersona, resolvedScope } from './shared.ts';

export default {
  rules: [
    resolvedScope,
    resolvedPersona,
    nothingUnmapped(),
    nameFits,
    {
      id: 'new.role-allow-all',
      refusal: 'error',
      keeps: 'Role: only a normalized ACL value allowall or sys_allow_all is accepted.',
      broken: (candidate) =>
        isAllowAll(candidate)
          ? undefined
          : `the access lists ${JSON.stringify(candidate.payload['acls'])} are not only allow-all`,
    },
    {
      id: 'new.role-vlan-number',
      refusal: 'error',
      keeps: 'A VLAN of a role that is no number is not resolved to another one.',
      broken: ({ payload: { vlan } }) =>
        vlan === null || /^[1-9]\d{0,3}$/.test(String(vlan))
          ? undefined
          : `the VLAN ${JSON.stringify(vlan)} is no number`,
    },
  ],
  inline: [],
  secretsOf: () => [],
  stepsOf: ({ payload }, context) => {
    const vlan = payload['vlan'] === null ? {} : { 'vlan-id': Number(payload['vlan']) };
    const body = { 'allow-all': true, ...vlan };
    // A role that is restricted at the target stays so.
    return libraryObject('roles', String(payload['name']), body, body, context, { kept: { 'allow-all': true } });
  },
} satisfies Adapter;
