/**
 * How the resources of one platform hang together, where the documents cannot say it: which values of a row follow
 * from other rows, what an action changes, what a diagnostic prints. The engine works without one.
 */
import type { AcceptedRequest } from '../http/accepted-request.ts';
import type { Answer } from '../http/platform-answer.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import type { Row } from './collection.ts';
import type { State } from './state.ts';

export type Values = Record<string, unknown>;

/** The thing an operation below an item is about, such as the device a ping starts from. */
export interface Subject {
  resource: Resource;
  id: string;
  values: Values;
}

/** A part that items of one kind have, such as the ports of a switch: below `path` an item has `value` in `field`. */
export interface KindPart {
  path: string;
  field: string;
  value: string;
}

export interface PlatformBehaviour {
  /** Values of a row that follow from other rows; computed on every read, never stored. */
  derive: Record<string, (row: Values, look: Look) => Values>;
  /** Rows of a resource that exist only as a consequence of other rows are hidden when this says so. */
  hides: Record<string, (row: Values, look: Look) => boolean>;
  /** Rows of a resource that lie nowhere but follow from state, such as the list of started tasks. */
  rows: (call: AcceptedRequest, resource: Resource) => Row[] | null;
  /** Which row an operation is about, when its path is not below an item path. `missing` answers 404. */
  subject: (call: AcceptedRequest) => Subject | 'missing' | null;
  /** Parts that other items do not have: 404 there. */
  kindParts: readonly KindPart[];
  /** A refusal that depends on more than the schema, before a write, an action or a diagnostic takes place. */
  objects: (call: AcceptedRequest, subject: Subject | null) => Answer | null;
  /** What an action or a finished task changes, by operation id of the start. Returns values for its result. */
  effect: (call: TaskCall, subject: Subject | null) => Values;
  /** Values of a diagnostic's or action's result, by operation id of the start. */
  output: (call: TaskCall, subject: Subject | null) => Values;
  /** Figure by which a row is ranked, when the row does not carry it; undefined leaves it to the hash. */
  measure: (call: AcceptedRequest, resource: Resource, values: Values, name: string) => number | undefined;
  /** Habit of a metric in a bucket, 0 to 1; undefined leaves it to the hash. */
  level: (call: AcceptedRequest, subject: Subject | null, name: string, bucketMs: number) => number | undefined;
  /** After a write was stored: consequences in other rows. */
  wrote: (call: AcceptedRequest, resource: Resource, row: Values | null) => void;
}

/** What an effect sees, whether it runs at once or when a task completes. */
export interface TaskCall {
  operationId: string;
  template: string;
  values: string[];
  input: Values;
  state: State;
  platform: AcceptedRequest['platform'];
}

/** Reads other rows, with their derived values. */
export interface Look {
  readonly state: State;
  all(resource: string): Values[];
  one(resource: string, key: string): Values | undefined;
  now(): number;
}

/** The part that a path names; undefined for one that every item has. */
export const kindPartOf = ({ kindParts }: PlatformBehaviour, template: string): KindPart | undefined =>
  kindParts.find(({ path }) => template === path || template.startsWith(`${path}/`));

export const NO_PLATFORM_BEHAVIOUR: PlatformBehaviour = {
  derive: {},
  hides: {},
  rows: () => null,
  subject: () => null,
  kindParts: [],
  objects: () => null,
  effect: () => ({}),
  output: () => ({}),
  measure: () => undefined,
  level: () => undefined,
  wrote: () => {},
};
