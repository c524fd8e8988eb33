/** GET of a time series of one item, or of the whole tenant. */
import type { Call } from '../http/accepted-call.ts';
import { type Answer, done, refuse } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { listProperty } from '../openapi/served-operation.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { repaired } from '../semantics/sense.ts';
import { rowId } from '../state/collection.ts';
import { rowAt } from '../state/derived-rows.ts';
import { isObject } from '../state/json-value.ts';
import { observedLevel } from '../state/observed-facts.ts';
import type { Subject, Values } from '../state/platform-behaviour.ts';
import { bucketsOf, isWindowName, sampleAt, timestampOf, windowOf } from '../state/series.ts';
import { present, readRow } from '../state/stored-rows.ts';
import { missing, namedInQuery, subjectOf } from '../state/target-row.ts';
import { isMeanOfNone, usualLevels } from '../state/usual-level.ts';
import { usualWindow } from '../state/usual-window.ts';

export function trend(call: Call): Answer {
  const { operation, state, platform } = call;
  const success = successOf(operation);
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const named = namedInQuery(call);
  if (typeof named !== 'string') return named;
  const narrowed = Object.entries(call.query).filter(([name]) => !isWindowName(name));
  if (success.schema === null) return done(success.status);
  const usual = usualWindow(operation);
  const window = windowOf(call.query, state.clock.ms, usual.interval, usual.lengthMs);
  if ('parameter' in window) {
    const message = `query parameter "${window.parameter}": expected a window that ends after it starts, got ${window.start} to ${window.end}`;
    return refuse(400, 'INVALID_PARAMETER', message);
  }
  const property = listProperty(operation.document, success.schema);
  const array =
    property === null || property === undefined
      ? success.schema
      : shapeOf(operation.document, success.schema).properties[property];
  const sample = plain(operation.document, array as Schema).items ?? {};
  const fields = Object.entries(shapeOf(operation.document, sample).properties).map(
    ([name, schema]) => [name, plain(operation.document, schema)] as const,
  );
  const metric = String(operation.derive['metric'] ?? operation.id);
  const trend = wordsOf(metric).filter((word) => !/^(trends?|daily|hourly|weekly|monthly)$/.test(word));
  const entity = subject === null ? 'tenant' : [subject.id, ...narrowed.map((pair) => pair.join('=')).sort()].join(' ');
  const row = entityOf(call, subject);
  const usualOf = usualLevels(call, subject, trend, narrowed);
  const about = [...trend, ...measuredOf(subject)];
  const habits = new Map(
    fields.map(([name]) => {
      const level = usualOf?.(name);
      return [name, { ...level, now: nowOf(call, subject, row, metric, name) ?? level?.now, stepMs: window.stepMs }];
    }),
  );
  const place = [state.seed, platform.id, operation.resource ?? operation.id, entity, metric];
  const isAboutNobody = usualOf === null || fields.some(([name]) => isMeanOfNone(name, usualOf(name)));
  const buckets = isAboutNobody ? [] : bucketsOf(window);
  const samples = buckets.map((bucket) => {
    const values: Values = {};
    const drawn = new Set<string>();
    for (const [name, schema] of fields) {
      if (schema.format === 'date-time') values[name] = timestampOf(bucket);
      else if (typesOf(schema).some((type) => type === 'integer' || type === 'number')) {
        const level = call.world.level(call, subject, name, bucket);
        const origin = [...place, sourceOf(name, fields)];
        if (level === undefined) drawn.add(name);
        values[name] = sampleAt(name, schema, origin, bucket, { level, ...habits.get(name), trend: about });
      }
    }
    // What rows say of a figure stays as long as another field can give way to it.
    const guessed = new Set([...drawn].filter((name) => habits.get(name)?.now === undefined));
    const likely = repaired(operation.document, sample, values, guessed, state.clock.ms);
    const sensible = repaired(operation.document, sample, likely, drawn, state.clock.ms);
    return present(call, sample, sensible, `${entity} ${bucket}`);
  });
  if (property === null || property === undefined) return done(success.status, samples);
  const around = { [property]: samples, interval: window.interval, count: samples.length };
  return done(success.status, present(call, success.schema, around, entity));
}

/** Words of what a row says that it measures, such as the clients of a baseline of `clients.count`. */
function measuredOf(subject: Subject | null): readonly string[] {
  const metric = subject?.resource.name === 'metrics' ? subject.id : subject?.values['metric'];
  return typeof metric === 'string' ? wordsOf(metric) : [];
}

/** A price moves with the quantity that it is for. */
function sourceOf(name: string, fields: readonly (readonly [string, Schema])[]): string {
  return name === 'cost' ? (fields.find(([each]) => each === 'quantity')?.[0] ?? name) : name;
}

/**
 * What a field of a series leads to: what the bundle states of it, else a value of the entity by the same name, or by what the model's `levels` say, a
 * field or a number.
 */
function nowOf(call: Call, subject: Subject | null, row: Values | undefined, metric: string, name: string) {
  const { levels } = call.operation.derive;
  const level = isObject(levels) ? (levels[name] ?? name) : name;
  const value = observedLevel(call, subject, metric, name) ?? (typeof level === 'string' ? row?.[level] : level);
  return typeof value === 'number' ? { value, ms: call.state.clock.ms } : undefined;
}

/** The row whose values a series leads to: that of the path, else the one of the resource `of` that the query names. */
function entityOf(call: Call, subject: { values: Values } | null): Values | undefined {
  const { of } = call.operation.derive;
  const resource = typeof of === 'string' ? call.platform.resources.get(of) : undefined;
  if (resource === undefined) return subject?.values;
  const keys = resource.keyNames.map((name) => call.query[name]);
  const row = keys.includes(undefined) ? undefined : rowAt(call, resource, rowId(keys.map(String)));
  return row === undefined ? undefined : readRow(call.platform, call.state, call.world, resource, row);
}
