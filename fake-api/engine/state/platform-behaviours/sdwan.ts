/** Counts of alarms of an appliance follow from its alarms, those of an overlay from its memberships. */
import { unknownReference } from '../action-references.ts';
import { type Look, NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour, type Values } from '../platform-behaviour.ts';
import { discoverAt } from './sdwan-discovery.ts';
import { deedOnFirewall } from './sdwan-firewall.ts';
import { resetFlows } from './sdwan-flows.ts';
import { deedOnOverlays, reorder, siteCount } from './sdwan-overlays.ts';
import { deedOnTemplates } from './sdwan-templates.ts';
import { attachToTicket } from './sdwan-tickets.ts';

interface Counted {
  critical: number;
  major: number;
  minor: number;
  warning: number;
  unacknowledged: number;
  all: number;
}

/** Open alarms by appliance. */
function openAlarms(look: Look): ReadonlyMap<unknown, Values[]> {
  return look.state.memo('open alarms of appliances', () => {
    const rows = [...look.state.rows('sdwan', 'appliance-alarms').all()].map(({ value }) => value);
    return Map.groupBy(
      rows.filter(({ status }) => status === 'OPEN'),
      ({ applianceId }): unknown => applianceId,
    );
  });
}

function counted(appliance: unknown, look: Look): Counted {
  const own = openAlarms(look).get(appliance) ?? [];
  const of = (severity: string): number => own.filter((alarm) => alarm['severity'] === severity).length;
  return {
    critical: of('CRITICAL'),
    major: of('MAJOR'),
    minor: of('MINOR'),
    warning: of('WARNING'),
    unacknowledged: own.filter(({ acked }) => acked !== true).length,
    all: own.length,
  };
}

const sdwanBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  derive: {
    'alarm-summary': ({ summaryApplianceId }, look) => {
      const { critical, major, minor, warning } = counted(summaryApplianceId, look);
      return { critical, major, minor, warning };
    },
    'appliances-alarms-summary': ({ applianceId }, look) => {
      const { critical, major, minor, warning, unacknowledged } = counted(applianceId, look);
      return {
        criticalAlarms: critical,
        majorAlarms: major,
        minorAlarms: minor,
        warnings: warning,
        unacknowledged,
      };
    },
    overlays: siteCount,
    'appliance-health': ({ healthApplianceId }, look) => ({ alarms: counted(healthApplianceId, look).all }),
  },
  objects: unknownReference,
  effect: (of, subject) => ({
    ...deedOnOverlays(of, subject),
    ...deedOnTemplates(of, subject),
    ...deedOnFirewall(of, subject),
    ...attachToTicket(of, subject),
    ...resetFlows(of),
    ...discoverAt(of),
  }),
  wrote: (call, resource, row) => {
    if (resource.name === 'overlay-priority' && row !== null) reorder(call, row['order']);
  },
};

export default sdwanBehaviour;
