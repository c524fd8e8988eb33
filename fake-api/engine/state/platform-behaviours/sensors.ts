/** The experience sensors: which sensors a group has follows from the sensors, and a floor plan counts those on it. */
import { unknownReference } from '../action-references.ts';
import { NO_PLATFORM_BEHAVIOUR, type PlatformBehaviour } from '../platform-behaviour.ts';
import { deedOnSensors, sensorsOf } from './sensors-placement.ts';

const sensorsBehaviour: PlatformBehaviour = {
  ...NO_PLATFORM_BEHAVIOUR,
  derive: { groups: sensorsOf },
  objects: unknownReference,
  effect: deedOnSensors,
};

export default sensorsBehaviour;
