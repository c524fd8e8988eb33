/**
 * The eight stages of a switch, each a list of things that have to hold. One that holds already is left alone; one that does not
 * is brought about by one write and then waited for, so a stage can be begun again at any time.
 */
import type { Step } from '../../migration/adapters/adapter.ts';
import { libraryObject } from '../../migration/adapters/new/shared.ts';
import vlanAdapter from '../../migration/adapters/new/vlan.ts';
import type { PlannedCandidate } from '../../migration/plan.ts';
import { look, mismatchedFields, type TargetPort } from '../../migration/target-port.ts';
import type { Goal, Site } from './goal.ts';
import { type Fields, listed, one, ownedDevice, Unread } from './pipeline-target.ts';
import type { Switch } from './switch-rows.ts';

export const STAGES = [
  'discover',
  'validate',
  'offboard',
  'transfer',
  'onboard',
  'configure',
  'firmware',
  'verify',
] as const;
export type Stage = (typeof STAGES)[number];

type Goals = (device: Switch, site: Site) => Goal[];

const check = (what: string, port: TargetPort, holds: Goal['holds']): Goal => ({ what, port, holds });
const says = (good: boolean, otherwise: string): true | string => good || otherwise;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The digits of a MAC address, whatever stands between them. */
const hexOf = (mac: string): string => mac.toLowerCase().replaceAll(/[^0-9a-f]/g, '');

const discover: Goals = ({ serial, source }, { source: port, service, learn }) => [
  check('in the inventory', port, async () => {
    const record = await ownedDevice(port, serial);
    if (record === undefined) return 'the inventory of the account does not hold it';
    const { id, serviceId, serviceRegion, deviceType, macAddress } = record;
    learn({
      record: textOf(id),
      type: textOf(deviceType),
      mac: textOf(macAddress),
      service: service?.id ?? textOf(serviceId),
      region: service?.region ?? textOf(serviceRegion),
    });
    return true;
  }),
  ...(source === 'classic'
    ? [
        check('in a group of the classic generation', port, async () => {
          const row = await one(port, 'mgmt_get_classic_device_group', { device_serial: serial });
          learn({ classic_group: textOf(row?.['group']) });
          return says(row !== undefined, 'the classic generation does not know it');
        }),
      ]
    : []),
];

const validate: Goals = (device, { source: port, target, facts, isOpen, targetWorkspace }) => [
  check('its row is right', port, async () => says(device.problems.length === 0, device.problems.join('; '))),
  check('its MAC address is that of the row', port, async () => {
    if (device.mac === '') return true;
    const known = textOf(facts['mac']);
    return says(hexOf(known) === hexOf(device.mac), `the inventory says ${known || 'none'}, the row ${device.mac}`);
  }),
  check('it is a switch', port, async () => says(facts['type'] === 'SWITCH', `the inventory says ${facts['type']}`)),
  check('a service is known', port, async () =>
    says(
      Boolean(facts['service'] && facts['region']),
      'nothing manages it yet: name --service-id and --service-region',
    ),
  ),
  check('the target site is there', target, async () => {
    const found = await one(target, 'mgmt_get_site', { 'scope-id': device.site });
    return says(found !== undefined, `there is no site ${device.site}`);
  }),
  check('the target group is there', target, async () => {
    if (device.group === '') return true;
    const found = await one(target, 'mgmt_get_device_group', { 'scope-id': device.group });
    return says(found !== undefined, `there is no group ${device.group}`);
  }),
  check('the release is there', target, async () => {
    if (device.firmware === '') return true;
    const known = await listed(target, 'mgmt_list_firmware_versions', { filter: "deviceType eq 'SWITCH'" });
    const versions = known.map(({ version }) => version);
    return says(versions.includes(device.firmware), `there is no release ${device.firmware} for switches`);
  }),
  check('the target takes its VLANs and interfaces', target, async () => {
    const faults = configurationOf(device).flatMap(({ what, create }) => {
      const fault = target.faultOf?.(create);
      return fault === undefined ? [] : [`${what}: ${fault}`];
    });
    return says(faults.length === 0, faults.join('; '));
  }),
  check('the second account is known', port, async () =>
    says(!device.moves || targetWorkspace !== '', 'TARGET_GLP_WORKSPACE or target.workspace_id names none'),
  ),
  check('the write gates are open', port, async () => {
    const closed = ['workspace', 'mgmt'].filter((platform) => !isOpen(platform));
    return says(closed.length === 0, `closed: ${closed.map((id) => `SVC_MCP_${id.toUpperCase()}_WRITES`).join(', ')}`);
  }),
];

const offboard: Goals = ({ serial, source, moves }, { source: port, facts }) => {
  if (source === 'unmanaged' && !moves) return [];
  return [
    {
      what: 'free of its service',
      port,
      holds: async () => {
        const { serviceId } = (await ownedDevice(port, serial)) ?? {};
        return says(serviceId === null, `service ${textOf(serviceId)} manages it`);
      },
      call: async () => ({
        tool: 'workspace_start_unassign_device_service',
        arguments: { id: facts['record'], body: { keepConfiguration: true } },
      }),
      starts: true,
    },
  ];
};

const transfer: Goals = ({ serial, moves }, { source: port, target, targetWorkspace }) => {
  if (!moves) return [];
  const isOpen = ({ status }: Fields) => ['WAITING', 'ACCEPTED', 'DONE'].includes(String(status));
  const offers = async (from: TargetPort) => {
    const filter = `targetWorkspaceId eq '${targetWorkspace}'`;
    const found: Fields[] = [];
    // A list does not say which hardware an offer is about.
    for (const { id } of (await listed(from, 'workspace_list_device_transfers', { filter })).filter(isOpen)) {
      const whole = await one(from, 'workspace_get_device_transfer', { id });
      if (whole && Array.isArray(whole['serials']) && whole['serials'].includes(serial)) found.push(whole);
    }
    return found;
  };
  return [
    {
      what: 'offered to the second account',
      port,
      holds: async () => says((await offers(port)).length > 0, 'no offer is open'),
      call: async () => ({
        tool: 'workspace_create_device_transfer',
        arguments: { body: { serials: [serial], targetWorkspaceId: targetWorkspace } },
      }),
    },
    {
      what: 'accepted by the second account',
      port: target,
      holds: async () =>
        says(
          (await offers(target)).some(({ status }) => status !== 'WAITING'),
          'the offer was not accepted',
        ),
      call: async () => ({
        tool: 'workspace_start_accept_transfer',
        arguments: { id: (await offers(target))[0]?.['id'] },
      }),
      starts: true,
    },
  ];
};

const onboard: Goals = ({ serial, site, group }, { target: port, facts }) => [
  {
    what: 'managed by the service',
    port,
    holds: async () => {
      const { serviceId } = (await ownedDevice(port, serial)) ?? {};
      return says(serviceId === facts['service'], `its service is ${textOf(serviceId) || 'none'}`);
    },
    call: async () => ({
      tool: 'workspace_start_assign_device_service',
      arguments: {
        id: (await ownedDevice(port, serial))?.['id'],
        body: { serviceId: facts['service'], serviceRegion: facts['region'] },
      },
    }),
    starts: true,
  },
  {
    what: `at the site ${site}`,
    port,
    holds: async () => {
      const { siteId } = (await one(port, 'mgmt_get_device', { serialNumber: serial })) ?? {};
      return says(siteId === site, `it is at ${textOf(siteId) || 'no site'}`);
    },
    call: async () => ({
      tool: 'mgmt_add_site_devices',
      arguments: { 'scope-id': site, body: { 'serial-numbers': [serial] } },
    }),
  },
  ...(group === ''
    ? []
    : [
        {
          what: `in the group ${group}`,
          port,
          holds: async () => {
            const members = (await one(port, 'mgmt_get_device_group', { 'scope-id': group }))?.['serial-numbers'];
            return says(Array.isArray(members) && members.includes(serial), 'the group does not hold it');
          },
          call: async () => ({
            tool: 'mgmt_add_device_group_devices',
            arguments: { 'scope-id': group, body: { 'serial-numbers': [serial] } },
          }),
        },
      ]),
];

function configurationOf({ site, deviceFunction, vlans, interfaces }: Switch): Step[] {
  const context = { target: 'new', scope_id: site, persona: deviceFunction } as const;
  const vlanSteps = vlans.flatMap(({ id, name }) =>
    vlanAdapter.stepsOf({ payload: { vlan_id: id, description: name } } as unknown as PlannedCandidate, context),
  );
  const interfaceSteps = interfaces.flatMap(({ vlan, address }) => {
    const body = { vlan, 'ipv4-mode': 'static', 'ipv4-address': address };
    return libraryObject('vlan-interfaces', `vlan${vlan}`, body, body, context);
  });
  return [...vlanSteps, ...interfaceSteps];
}

const configure: Goals = (device, { target: port }) => {
  const { serial, deviceFunction } = device;
  return [
    {
      what: `works as ${deviceFunction}`,
      port,
      holds: async () => {
        const { 'device-function': now } =
          (await one(port, 'mgmt_get_device_persona', { 'serial-number': serial })) ?? {};
        return says(now === deviceFunction, `it works as ${textOf(now) || 'nothing'}`);
      },
      call: async () => ({
        tool: 'mgmt_assign_device_personas',
        arguments: { body: { 'serial-numbers': [serial], 'device-function': deviceFunction } },
      }),
      starts: true,
      slow: true,
    },
    ...configurationOf(device).map((step) => goalOf(step, port)),
  ];
};

/** An object that is there and differs is not overwritten: other devices may use it. */
function goalOf(step: Step, port: TargetPort): Goal {
  return {
    what: step.what,
    port,
    holds: async () => {
      const seen = await look(step, port);
      if (seen.kind === 'other') throw new Error(`${step.what} exists and differs in ${mismatchedFields(seen.fields)}`);
      if (seen.kind === 'unknown') throw new Unread(`${step.what}: ${seen.message}`);
      return seen.kind === 'same' || 'it is not there';
    },
    call: async () => step.create,
  };
}

const runs =
  (serial: string, port: TargetPort, version: string): Goal['holds'] =>
  async () => {
    const { runningVersion } = (await one(port, 'mgmt_get_firmware_detail', { serialNumber: serial })) ?? {};
    return says(runningVersion === version, `it runs ${textOf(runningVersion) || 'nothing known'}`);
  };

const firmware: Goals = ({ serial, firmware: version }, { target: port }) => {
  if (version === '') return [];
  return [
    {
      what: `runs ${version}`,
      port,
      holds: runs(serial, port, version),
      call: async () => ({
        tool: 'mgmt_start_device_firmware_upgrade',
        arguments: { serialNumber: serial, body: { version } },
      }),
      starts: true,
      slow: true,
    },
  ];
};

/** Everything that the stages before brought about, read once more; nothing is written. */
const verify: Goals = (device, site) =>
  [onboard, configure, firmware]
    .flatMap((goals) => goals(device, site))
    .map(({ what, port, holds }) => ({ what, port, holds }));

export const GOALS: Readonly<Record<Stage, Goals>> = {
  discover,
  validate,
  offboard,
  transfer,
  onboard,
  configure,
  firmware,
  verify,
};

export const isWriting = (stage: Stage): boolean => !['discover', 'validate', 'verify'].includes(stage);
