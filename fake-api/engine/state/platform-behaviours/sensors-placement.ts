/** Where sensors are: a group has those that are attached to it, and a floor plan counts those that were put on it. */
import { changeRow } from '../changed-row.ts';
import { textList } from '../json-value.ts';
import type { Look, Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'sensors';
const PLANS = 'floor-plans';

const placeNote = (serial: string): string => `floor plan of ${serial}`;

/** At the start a sensor is on the one plan of its group that has sensors. */
function planOf(of: TaskCall, serial: string): string | undefined {
  const noted = of.state.notes.get(placeNote(serial));
  if (typeof noted === 'string') return noted;
  const group = of.state.rows(PLATFORM, 'sensors').original(serial)?.value['groupId'];
  const plans = [...of.state.rows(PLATFORM, PLANS).all()].map(({ id }) => of.state.rows(PLATFORM, PLANS).original(id));
  return plans.find((plan) => plan?.value['groupId'] === group && Number(plan?.value['placedSensors']) > 0)?.id;
}

function placed(of: TaskCall, plan: Subject | null): Values {
  if (plan === null) return {};
  const serial = String(of.input['sensorSerial']);
  const before = planOf(of, serial);
  of.state.notes.set(placeNote(serial), plan.id);
  if (before !== plan.id) {
    if (before !== undefined) count(of, before, -1);
    count(of, plan.id, 1);
  }
  return { placedSensors: of.state.rows(PLATFORM, PLANS).get(plan.id)?.value['placedSensors'] };
}

function count(of: TaskCall, plan: string, by: number): void {
  const before = Number(of.state.rows(PLATFORM, PLANS).get(plan)?.value['placedSensors'] ?? 0);
  changeRow(of, PLANS, plan, { placedSensors: Math.max(0, before + by) });
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, (of: TaskCall, subject: Subject | null) => Values> = new Map([
  ['placeFloorPlanSensor', placed],
  [
    'reassignSensor',
    (_of: TaskCall, sensor: Subject | null) => ({ previousGroupId: sensor?.values['groupId'] ?? null }),
  ],
]);

export function deedOnSensors(of: TaskCall, subject: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, subject) ?? {};
}

/** Those that are attached now, in the order in which the group had them. */
export function sensorsOf({ id, sensorSerials }: Values, look: Look): Values {
  const all = look.state.memo('sensors by group', () =>
    Map.groupBy(look.state.rows(PLATFORM, 'sensors').all(), ({ value }): unknown => value['groupId']),
  );
  const attached = (all.get(id) ?? []).map((sensor) => sensor.id);
  const kept = textList(sensorSerials).filter((serial) => attached.includes(serial));
  const serials = [...kept, ...attached.filter((serial) => !kept.includes(serial))];
  return { sensorSerials: serials, sensorCount: serials.length };
}
