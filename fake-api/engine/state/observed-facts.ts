/**
 * What a bundle says that devices observe: values of the status and the counters of an object, which no row holds. Numbers of one document belong
 * together there, and a document is the same whenever it is read.
 *
 * A value is itself, or `{between: [least, most]}` drawn for the object, `{ago: P3D}` before the present, `{field: name}` a field of the object (of a list
 * the first entry), `{same: resource/field}` a field of the row with the same key of another resource, `{less: [field, 12]}` a field without so many,
 * `{free: [total, percent]}` what a used share leaves of a total, `{serialOf: name}` a device of the network,
 * `{for: {name: value, others: value}}` the value for a name in the path.
 */
import type { Call } from '../http/accepted-call.ts';
import { isoSeconds, spanMs } from './clock.ts';
import { dayTimeMs } from './day-times.ts';
import { Dice } from './determinism.ts';
import { isObject } from './json-value.ts';
import type { Subject, Values } from './platform-behaviour.ts';
import { readRow } from './stored-rows.ts';

/** Facts by `platform/resource kind`, of series and rankings by `platform/resource kind metric`. */
export type ObservedFacts = Readonly<Record<string, unknown>>;

const HOUR_MS = 3_600_000;

/** The stated values of a status or counter document of one object; none where the bundle says nothing of it. */
export function observedFacts(call: Call, subject: Subject | null, key: string): Values {
  const stated = statedOf(call, call.operation.kind);
  if (!isObject(stated)) return {};
  const values = Object.entries(stated).map(
    ([name, value]) => [name, worked(call, subject, value, [call.operation.id, key, name])] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The stated level of a field of a series: a number, one for each object by its key, or `{product: [field, field]}`; undefined where the bundle says none. */
export function observedLevel(call: Call, subject: Subject | null, metric: string, name: string): number | undefined {
  const stated = statedOf(call, `trends ${metric}`);
  const level = isObject(stated) ? stated[name] : undefined;
  const own = isObject(level) && !('product' in level) ? level[subject?.id ?? ''] : level;
  if (!isObject(own)) return typeof own === 'number' ? own : undefined;
  const factors = [own['product']].flat().map((field) => subject?.values[String(field)]);
  return factors.every((factor) => typeof factor === 'number')
    ? factors.reduce<number>((product, factor) => product * Number(factor), 1)
    : undefined;
}

/** Entries of a ranking that no rows hold; undefined where the bundle states none. */
export function observedRanking(call: Call, metric: string): readonly Values[] | undefined {
  const stated = statedOf(call, `top ${metric}`);
  return Array.isArray(stated) ? stated.filter(isObject) : undefined;
}

function statedOf({ state, platform, operation }: Call, kind: string): unknown {
  return statedFacts({ state, platform }, operation.resource, kind);
}

/** What the bundle states, as it is written there. */
export function statedFacts(
  { state, platform }: Pick<Call, 'state' | 'platform'>,
  resource: string | null,
  kind: string,
): unknown {
  const { observed } = state.facts;
  return isObject(observed) ? observed[`${platform.id}/${resource} ${kind}`] : undefined;
}

function worked(call: Call, subject: Subject | null, stated: unknown, origin: readonly string[]): unknown {
  if (Array.isArray(stated)) return stated.map((entry, at) => worked(call, subject, entry, [...origin, String(at)]));
  if (!isObject(stated)) return stated;
  const [[verb, operand] = []] = Object.entries(stated);
  switch (verb) {
    case 'for':
      return forPath(call, subject, operand as Record<string, unknown>, origin);
    case 'between':
      return between(operand as [number, number], new Dice(call.state.seed, 'observed', ...origin));
    case 'ago': {
      const span = spanMs(String(operand)) ?? 0;
      const { ms, startMs } = call.state.clock;
      return isoSeconds((span < HOUR_MS ? ms : startMs) - span + dayTimeMs('ago', span));
    }
    case 'field':
      return [subject?.values[String(operand)]].flat()[0];
    case 'same': {
      const [of = '', field = ''] = String(operand).split('/');
      return sameKey(call, subject, of)?.[field];
    }
    case 'less': {
      const [field, taken] = operand as [string, number];
      return Number(subject?.values[field] ?? 0) - taken;
    }
    case 'free': {
      const [total, used] = (operand as string[]).map((field) => Number(subject?.values[field] ?? 0)) as [
        number,
        number,
      ];
      return Math.round(total * (1 - used / 100));
    }
    case 'serialOf':
      return [...call.state.rows(call.platform.id, 'devices').all()].find(
        ({ value }) => value['deviceName'] === operand,
      )?.value['serialNumber'];
    default:
      return Object.fromEntries(
        Object.entries(stated).map(([name, value]) => [name, worked(call, subject, value, [...origin, name])]),
      );
  }
}

/** The value for one of the names in the path, such as that of a metric; else the one for `others`. */
function forPath(call: Call, subject: Subject | null, stated: Record<string, unknown>, origin: readonly string[]) {
  const name = call.values.find((value) => Object.hasOwn(stated, value)) ?? 'others';
  return worked(call, subject, stated[name], origin);
}

function between([least, most]: [number, number], dice: Dice): number {
  const digits = [least, most].every(Number.isInteger) ? 0 : 1;
  return Number((least + dice.unit() * (most - least)).toFixed(digits));
}

function sameKey(call: Call, subject: Subject | null, of: string): Values | undefined {
  const resource = call.platform.resources.get(of);
  if (resource === undefined || subject === null) return undefined;
  const row = call.state.rows(call.platform.id, resource.name).get(subject.id);
  return row === undefined ? undefined : readRow(call.platform, call.state, call.world, resource, row);
}
