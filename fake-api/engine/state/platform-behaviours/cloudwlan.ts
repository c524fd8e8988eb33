/** A device of the cloud WLAN has one name, under whichever path it is read, and the parts of its type. */
import {
  type KindPart,
  type Look,
  NO_PLATFORM_BEHAVIOUR,
  type PlatformBehaviour,
  type Values,
} from '../platform-behaviour.ts';
import { takeCareOfAlarms } from './cloudwlan-alarms.ts';
import { deedOnBans } from './cloudwlan-bans.ts';
import { COUNTS, clientsOf } from './cloudwlan-counts.ts';
import { deedOnSettings, planStats } from './cloudwlan-device-settings.ts';
import { deedOnDevices, profileCount, profileOf } from './cloudwlan-devices.ts';
import { deedOnInvitation, needlessInvitation } from './cloudwlan-invitations.ts';
import { deedOnLicences, licenceProblem } from './cloudwlan-licences.ts';
import { replaceDevice } from './cloudwlan-replacements.ts';
import { deedOnTicket } from './cloudwlan-tickets.ts';

const partOf = (type: string, name: string): KindPart => ({
  path: `/api/v1/sites/{site_id}/devices/{device_id}/${name}`,
  field: 'type',
  value: type,
});

interface Renamed {
  before: unknown;
  now: unknown;
}

/** Devices that were given another name since the start, by address. */
function renamed(look: Look): ReadonlyMap<unknown, Renamed> {
  return look.state.memo('renamed devices', () => {
    const devices = look.state.rows('cloudwlan', 'site-devices');
    const found = new Map<unknown, Renamed>();
    for (const [id, row] of devices.changes()) {
      const before = devices.original(id)?.value['name'];
      const now = row?.value['name'];
      if (before !== undefined && now !== undefined && now !== before) found.set(row?.value['mac'], { before, now });
    }
    return found;
  });
}

/** A name that was given to the view itself stays. */
function named(row: Values, look: Look): Values {
  const device = renamed(look).get(row['mac']);
  return device !== undefined && row['name'] === device.before ? { name: device.now } : {};
}

const RATES = ['rx_bps', 'tx_bps'];

/** What is not connected receives and sends nothing. */
function silent(row: Values): Values {
  if (row['status'] !== 'disconnected') return {};
  return Object.fromEntries(RATES.filter((name) => Number(row[name]) > 0).map((name) => [name, 0]));
}

const owned = (row: Values, look: Look): Values => ({ ...named(row, look), deviceprofile_id: profileOf(row, look) });

const measured = (row: Values, look: Look): Values => ({
  ...named(row, look),
  ...silent(row),
  ...clientsOf(row, look),
});

/** Open alarms of a site that nobody takes care of. */
function openAlarms({ site_id: site }: Values, look: Look): Values {
  const own = look.state.rows('cloudwlan', 'site-alarms').under([String(site)]);
  return {
    open_alarms: own.filter(({ value }) => value['status'] === 'open' && value['acked'] !== true).length,
  };
}

const cloudwlanBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  derive: {
    'org-device-last-configs': named,
    'device-last-configs': named,
    'org-devices': owned,
    inventory: owned,
    'site-devices': (row, look) => ({ deviceprofile_id: profileOf(row, look) }),
    'org-device-stats': measured,
    'site-device-stats': measured,
    'device-profiles': profileCount,
    ...COUNTS,
    'site-health': openAlarms,
    'site-maps-stats': planStats,
  },
  objects: (call) => licenceProblem(call) ?? needlessInvitation(call),
  effect: (of, subject) => ({
    ...takeCareOfAlarms(of),
    ...deedOnDevices(of, subject),
    ...deedOnBans(of),
    ...deedOnSettings(of),
    ...replaceDevice(of),
    ...deedOnTicket(of, subject),
    ...deedOnInvitation(of, subject),
    ...deedOnLicences(of),
  }),
  kindParts: [
    partOf('ap', 'wireless'),
    partOf('ap', 'rrm_considerations'),
    partOf('switch', 'lan'),
    partOf('switch', 'vc'),
    partOf('gateway', 'wan'),
    partOf('gateway', 'ha'),
  ],
};

export default cloudwlanBehaviour;
