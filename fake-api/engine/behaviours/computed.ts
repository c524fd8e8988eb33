/** Answers worked out from state: status and counters of one item, rankings, counts, searches, exports. */
import type { Call } from '../http/accepted-call.ts';
import { listAnswer, listStyleOf } from '../http/list-answer.ts';
import { parameterNamed } from '../http/list-page.ts';
import { type Answer, done } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { isNullable, plain, plainName, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { listProperty, type Operation } from '../openapi/served-operation.ts';
import { itemSchemaOf, type Resource } from '../openapi/stored-resource.ts';
import { synthesize } from '../openapi/synthesis.ts';
import { singularOf, wordsOf } from '../semantics/field-name-words.ts';
import { numberFor } from '../semantics/semantic-number.ts';
import { Dice } from '../state/determinism.ts';
import { isObject } from '../state/json-value.ts';
import { chosenEntries, containsText, type Entry } from '../state/list-selection.ts';
import { observedFacts, observedRanking } from '../state/observed-facts.ts';
import type { Values } from '../state/platform-behaviour.ts';
import { present, readRow, synthesisFor } from '../state/stored-rows.ts';
import { missing, missingParent, namedInQuery, subjectOf } from '../state/target-row.ts';

/** Status, stats and other single documents below an item. */
export function observed(call: Call): Answer {
  const success = successOf(call.operation);
  const subject = subjectOf(call, false);
  if (subject === 'missing') return missing(call);
  const named = namedInQuery(call);
  if (typeof named !== 'string') return named;
  if (success.schema === null) return done(success.status);
  const told = call.world.output(taskCall(call), subject);
  const key = `${subject?.id ?? 'tenant'}${named && ` ${named}`}`;
  const known = { ...subject?.values, ...observedFacts(call, subject, key), ...told };
  return done(success.status, filled(call, success.schema, known, key));
}

/** The values cut to the schema, with every field that they lack drawn for this operation and key. */
function filled(call: Call, schema: Schema, known: Values, key: string): Values {
  const { document } = call.operation;
  const { properties } = shapeOf(document, schema);
  // What a row leaves open may be something that a ranking always says.
  const said = Object.entries(known).filter(
    ([name, value]) =>
      value !== null || !Object.hasOwn(properties, name) || isNullable(plain(document, properties[name] as Schema)),
  );
  const cut = present(call, schema, Object.fromEntries(said), key);
  if (Object.keys(properties).length === 0) return cut;
  return synthesize(
    synthesisFor(call, [call.operation.resource ?? 'observed', 'observed', call.operation.id, key]),
    schema,
    cut,
  ) as Values;
}

export function taskCall(call: Call) {
  return {
    operationId: call.operation.id,
    template: call.operation.template,
    values: call.values,
    input: isObject(call.body) ? call.body : {},
    state: call.state,
    platform: call.platform,
  };
}

function derivedResource(call: Call): Resource | undefined {
  const named = call.operation.derive['resource'];
  return call.platform.resources.get(typeof named === 'string' ? named : (call.operation.resource ?? ''));
}

/** Ranking, highest first; the measured figure is the row's own where it has one. */
export function top(call: Call): Answer {
  const { operation, state, platform } = call;
  const missed = missingParent(call);
  const resource = derivedResource(call);
  const success = successOf(operation);
  const entry = itemSchemaOf(operation);
  const named = namedInQuery(call);
  if (missed !== null) return missed;
  if (typeof named !== 'string') return named;
  if (resource === undefined || success.schema === null || entry === null) return done(success.status, {});
  const chosen = chosenEntries(call, resource);
  if (!Array.isArray(chosen)) return chosen;
  const measured = measureOf(operation, entry);
  const ranked = groupedBy(
    operation.derive['group'],
    measured.name,
    measured.schema.maximum,
    candidatesOf(call, resource, chosen),
  ).map(({ row, values }) => {
    const own = values[measured.name] ?? values[measured.from];
    const told = call.world.measure(call, resource, values, measured.name);
    const amount =
      typeof own === 'number'
        ? own
        : (told ?? drawn(state.seed, platform.id, resource, `${row.id}${named && ` ${named}`}`, measured));
    return { id: row.id, amount, values: { ...values, [measured.name]: amount } as Values };
  });
  ranked.sort((left, right) => right.amount - left.amount || (left.id < right.id ? -1 : 1));
  const { list: style } = operation;
  const limitName = style === null ? 'limit' : parameterNamed(style, 'limit');
  const limit = Number(call.query[limitName] ?? style?.default ?? 10);
  const placed = Object.hasOwn(shapeOf(operation.document, entry).properties, 'rank');
  // What has none of it has no place in a ranking.
  const counted = ranked.filter(({ amount }) => amount !== 0);
  const rows = counted.slice(0, limit).map((rank, at) => {
    const values = { ...joined(call, rank.id), ...rank.values, ...(placed && { rank: at + 1 }) };
    return filled(
      call,
      entry,
      { ...values, ...countedLists(call, entry, values), ...mainPart(call, entry, values) },
      rank.id,
    );
  });
  const property = operation.list === null ? listProperty(operation.document, success.schema) : operation.list.property;
  if (property === null || property === undefined) return done(success.status, rows);
  return done(
    success.status,
    present(call, success.schema, { [property]: rows, count: rows.length, total: chosen.length }, 'top'),
  );
}

/** What is ranked: the rows of the resource, or entries that the bundle states for those of them that were chosen. */
function candidatesOf(call: Call, resource: Resource, chosen: readonly Entry[]): readonly Entry[] {
  const stated = observedRanking(call, String(call.operation.derive['metric'] ?? call.operation.derive['by']));
  const key = resource.keyNames[0] as string;
  return (
    stated?.flatMap((values, at) => {
      const row = chosen.find((entry) => entry.values[key] === values[key])?.row;
      return row === undefined ? [] : [{ row: { ...row, id: `${row.id} ${at}` }, values }];
    }) ?? chosen
  );
}

/**
 * One entry for all rows with the same value of the field `group`: the greatest of them, with the sum of the figure where it is an amount. A rating of
 * a hundred at most is no amount.
 */
function groupedBy(
  group: unknown,
  figure: string,
  most: number | undefined,
  entries: readonly Entry[],
): readonly Entry[] {
  if (typeof group !== 'string') return entries;
  const amount = ({ values }: Entry) => Number(values[figure] ?? 0);
  const groups = Map.groupBy(entries, ({ values }) => values[group] ?? null);
  return [...groups.values()].map((own) => {
    const greatest = own.reduce((most, each) => (amount(each) > amount(most) ? each : most));
    const sum = (most ?? Infinity) <= 100 ? amount(greatest) : own.reduce((total, each) => total + amount(each), 0);
    return { ...greatest, values: { ...greatest.values, [figure]: sum } };
  });
}

/** Values of the row with the same key of the resource `join`, which knows more of what is ranked. */
function joined(call: Call, id: string): Values {
  const { join } = call.operation.derive;
  const resource = typeof join === 'string' ? call.platform.resources.get(join) : undefined;
  const row = resource === undefined ? undefined : call.state.rows(call.platform.id, resource.name).get(id);
  return resource === undefined || row === undefined
    ? {}
    : readRow(call.platform, call.state, call.world, resource, row);
}

/** Numbers that count a list of the row: `advisories` beside `advisoryIds`. */
function countedLists(call: Call, entry: Schema, values: Values): Values {
  const counted = Object.entries(shapeOf(call.operation.document, entry).properties).flatMap(([name, schema]) => {
    if (values[name] !== undefined || !typesOf(plain(call.operation.document, schema)).includes('integer')) return [];
    const stem = singularOf(wordsOf(name)).join(' ');
    const list = Object.entries(values).find(
      ([field, value]) =>
        Array.isArray(value) &&
        wordsOf(field)
          .join(' ')
          .replace(/ ids?$/, '') === stem,
    )?.[1];
    return Array.isArray(list) ? [[name, list.length] as const] : [];
  });
  return Object.fromEntries(counted);
}

/** The word of an enum such as `mainReason` that names the lowest of the row's points: `COVERAGE` where `coverage` is. */
function mainPart(call: Call, entry: Schema, values: Values): Values {
  const found = Object.entries(shapeOf(call.operation.document, entry).properties).flatMap(([name, schema]) => {
    const words = plain(call.operation.document, schema).enum ?? [];
    const parts = words.flatMap((word) => {
      const figure = values[String(word).toLowerCase()];
      return Number.isInteger(figure) ? [{ word, figure: figure as number }] : [];
    });
    const lowest =
      parts.length < 2 ? undefined : parts.reduce((least, each) => (each.figure < least.figure ? each : least));
    return lowest === undefined || values[name] !== undefined ? [] : [[name, lowest.word] as const];
  });
  return Object.fromEntries(found);
}

interface Measured {
  name: string;
  /** Field of the ranked rows that holds the figure, where it goes by another name there. */
  from: string;
  schema: Schema;
}

function measureOf(operation: Operation, entry: Schema): Measured {
  const properties = shapeOf(operation.document, entry).properties;
  const numeric = Object.entries(properties).filter(([, schema]) =>
    typesOf(plain(operation.document, schema)).some((type) => type === 'integer' || type === 'number'),
  );
  const by = operation.derive['by'];
  const found = numeric.find(([name]) => name === by) ?? numeric.at(-1) ?? ['value', { type: 'integer' } as Schema];
  const { levels } = operation.derive;
  const from = isObject(levels) ? String(levels[found[0]] ?? found[0]) : found[0];
  return { name: found[0], from, schema: plain(operation.document, found[1]) };
}

function drawn(seed: number, platform: string, resource: Resource, id: string, measured: Measured): number {
  const dice = new Dice(seed, platform, resource.name, id, 'measure', measured.name);
  const amount = numberFor(wordsOf(measured.name), measured.schema, dice);
  return typesOf(measured.schema).includes('integer') ? Math.round(amount) : Math.round(amount * 10) / 10;
}

/** Totals and the distinct values of one field. */
export function count(call: Call): Answer {
  const resource = derivedResource(call);
  const success = successOf(call.operation);
  const missed = missingParent(call);
  if (missed !== null) return missed;
  if (resource === undefined || success.schema === null) return done(success.status, {});
  const byName = String(call.operation.derive['by'] ?? 'group-by');
  const { [byName]: asked, ...conditions } = call.query;
  const chosen = chosenEntries({ ...call, query: conditions }, resource);
  if (!Array.isArray(chosen)) return chosen;
  const by = asked ?? usualGroup(call, byName, resource, chosen);
  const counts = new Map<unknown, number>();
  if (typeof by === 'string') {
    for (const { values } of chosen) {
      const value = values[by] ?? null;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const property = String(call.operation.derive['property'] ?? 'groups');
  const groups = [...counts]
    .sort((left, right) => right[1] - left[1] || (String(left[0]) < String(right[0]) ? -1 : 1))
    .map(([value, number]) => ({ value, count: number }));
  return done(
    success.status,
    present(call, success.schema, { total: chosen.length, count: chosen.length, [property]: groups }, 'count'),
  );
}

/** What is counted where the caller does not say it: the default of the parameter, else the first kind that the rows have. */
function usualGroup(call: Call, byName: string, resource: Resource, chosen: readonly Entry[]): string | undefined {
  const { document, parameters } = call.operation;
  const { default: usual } = plain(document, parameters.find(({ name }) => name === byName)?.schema ?? {});
  if (typeof usual === 'string') return usual;
  if (resource.readSchema === null) return undefined;
  const fields = Object.entries(shapeOf(resource.document, resource.readSchema).properties)
    .map(([name, property]) => [name, plain(resource.document, property)] as const)
    .filter(
      ([name, schema]) =>
        typesOf(schema).includes('string') && schema.format === undefined && !/text|message|note/.test(name),
    );
  const named = fields.filter(([name]) => wordsOf(name).at(-1) === 'type');
  const listed = fields.filter(([, schema]) => schema.enum !== undefined);
  // Of a few rows each may be of another kind.
  const found =
    [...named, ...listed, ...fields].find(([name]) => isKind(name, chosen)) ?? named[0] ?? listed[0] ?? fields[0];
  return found?.[0];
}

/** Whether the rows share values of a field, as they do of a kind and not of a name. */
function isKind(name: string, chosen: readonly Entry[]): boolean {
  const values = chosen.flatMap((entry) => entry.values[name] ?? []);
  return values.length > chosen.length / 2 && new Set(values).size <= Math.max(1, chosen.length / 2);
}

/** A query sent as a body, or as parameters that the selection has judged already: free text over all texts, other fields as conditions on the property they are named after. */
export function search(call: Call): Answer {
  const resource = derivedResource(call);
  const success = successOf(call.operation);
  const item = itemSchemaOf(call.operation);
  const missed = missingParent(call);
  if (missed !== null) return missed;
  if (resource === undefined || success.schema === null || item === null) return done(success.status, {});
  const chosen = chosenEntries(call, resource);
  if (!Array.isArray(chosen)) return chosen;
  const asked = isObject(call.body) ? call.body : {};
  const found = chosen.filter((entry) =>
    Object.entries(asked).every(([name, wanted]) => answersTo(resource, entry.values, name, wanted)),
  );
  const style = call.operation.list ?? { ...listStyleOf(call.operation), property: 'items' };
  const listed = found.map(({ row, values }) => ({ id: row.id, values }));
  return listAnswer(call, listed, item, style, asked);
}

function answersTo(resource: Resource, values: Values, name: string, wanted: unknown): boolean {
  if (wanted === null || (Array.isArray(wanted) && wanted.length === 0)) return true;
  const field = Object.keys(values).find((each) =>
    [each, `${each}s`, `${each}es`].some((form) => plainName(form) === plainName(name)),
  );
  if (field !== undefined) {
    const value = values[field];
    return [wanted].flat().some((each) => [value].flat().includes(each as never) || isPartOf(value, each, resource));
  }
  return typeof wanted !== 'string' || containsText(values, wanted, null);
}

/** A text that names a field by part: `name: "ap-0"` finds every name that holds it. */
function isPartOf(value: unknown, wanted: unknown, resource: Resource): boolean {
  if (typeof value !== 'string' || typeof wanted !== 'string') return false;
  const schema = resource.readSchema === null ? undefined : shapeOf(resource.document, resource.readSchema);
  const property = Object.entries(schema?.properties ?? {}).find(([, each]) =>
    plain(resource.document, each).enum?.includes(value),
  );
  return property === undefined && value.toLowerCase().includes(wanted.toLowerCase());
}

/** One line per row, as a spreadsheet reads it. */
export function exported(call: Call): Answer {
  const resource = derivedResource(call);
  const success = successOf(call.operation);
  const missed = missingParent(call);
  if (missed !== null) return missed;
  if (resource === undefined) return done(success.status, '');
  const chosen = chosenEntries(call, resource);
  if (!Array.isArray(chosen)) return chosen;
  const named = call.operation.derive['columns'];
  const columns = Array.isArray(named) ? named.map(String) : resource.keyNames;
  const lines = [columns, ...chosen.map(({ values }) => columns.map((name) => cell(values[name])))];
  const text = `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
  return { kind: 'done', status: success.status, body: text, media: success.media ?? 'text/csv' };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
