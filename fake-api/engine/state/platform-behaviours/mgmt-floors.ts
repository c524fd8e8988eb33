/** A floor plan that is scaled has the scale that the known distance gives. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuseAt } from '../../http/platform-answer.ts';
import { changeRow } from '../changed-row.ts';
import type { JsonObject } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const LEAST = 0.1;
const MOST = 1000;

interface Measure {
  from: { x: number; y: number };
  to: { x: number; y: number };
  meters: number;
}

/** Pixels per metre, to a hundredth. */
function scaleOf(input: Values): number {
  const { from, to, meters } = input as unknown as Measure;
  return Math.round((100 * Math.hypot(to.x - from.x, to.y - from.y)) / meters) / 100;
}

function scaled(of: TaskCall, floor: Subject | null): Values {
  if (floor === null) return {};
  const pixelsPerMeter = scaleOf(of.input);
  const before = (floor.values['scale'] ?? {}) as JsonObject;
  const scale = { rotationDegrees: 0, ...before, pixelsPerMeter };
  changeRow(of, floor.resource.name, floor.id, { scale });
  return { pixelsPerMeter };
}

function impossibleScale({ body }: AcceptedRequest): Answer | null {
  const scale = scaleOf((body ?? {}) as Values);
  if (scale >= LEAST && scale <= MOST) return null;
  const message = `field "meters": expected a distance that gives ${LEAST} to ${MOST} pixels per metre, got ${scale}`;
  return refuseAt('meters', 400, 'IMPOSSIBLE_SCALE', message);
}

/** By operation id in small letters. */
export const FLOOR_DEEDS: ReadonlyMap<string, typeof scaled> = new Map([['setfloorscale', scaled]]);
export const FLOOR_PROBLEMS: ReadonlyMap<string, (call: AcceptedRequest, floor: Subject | null) => Answer | null> =
  new Map([['setfloorscale', impossibleScale]]);
