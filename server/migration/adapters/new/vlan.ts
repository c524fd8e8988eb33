/** VLAN: one write that carries its scope map. The platform has no verified call that takes it back. */
import type { Adapter, ToolCall } from '../adapter.ts';
import { nothingUnmapped, resolvedPersona, resolvedScope } from './shared.ts';

const getVlan = (vlan_id: unknown): ToolCall => ({ tool: 'mgmt_get_layer2_vlan_v1', arguments: { vlan_id } });

/** The read of a VLAN by its reference, `vlan:10`; undefined for another object. */
export function vlanRead(ref: string): ToolCall | undefined {
  const [, vlan] = /^vlan:(\d+)$/.exec(ref) ?? [];
  return vlan === undefined ? undefined : getVlan(Number(vlan));
}

const LONGEST_NAME = 32;

export default {
  rules: [
    resolvedScope,
    resolvedPersona,
    nothingUnmapped(),
    {
      id: 'new.vlan-number',
      refusal: 'error',
      keeps: 'VLAN create/update/read: /network-config/v1/layer2-vlan/{vlan_id}.',
      broken: ({ payload: { vlan_id } }) =>
        typeof vlan_id === 'number' && vlan_id >= 1 && vlan_id <= 4094
          ? undefined
          : `the VLAN number should be 1 to 4094, got ${JSON.stringify(vlan_id)}`,
    },
  ],
  inline: [],
  secretsOf: () => [],
  stepsOf: ({ payload: { vlan_id, description } }, { scope_id, persona }) => {
    // By characters, so that the cut goes through none of them.
    const name = [...(typeof description === 'string' ? description : String(vlan_id))].slice(0, LONGEST_NAME).join('');
    const body = { name, 'description-text': description, 'scope-map': { 'scope-id': scope_id, persona } };
    return [
      {
        kind: 'object',
        what: `VLAN ${vlan_id}`,
        create: { tool: 'mgmt_create_layer2_vlan_v1', arguments: { vlan_id, body } },
        update: { tool: 'mgmt_replace_layer2_vlan_v1', arguments: { vlan_id, body } },
        read: getVlan(vlan_id),
        expect: { vlan_id, ...body },
        // A VLAN has one scope map: the other site would lose its own.
        kept: { 'scope-map': body['scope-map'] },
      },
    ];
  },
} satisfies Adapter;
