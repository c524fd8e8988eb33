/** One resource of a document as the model states it, before paths and references are worked out. */

import { type PreviewRead, readPreviewReads } from '../operations/preview-read-operations.ts';
import { readFields } from './definitions.ts';
import { type Field, parseFieldLine } from './field-line.ts';
import type { Spot } from './model-file.ts';
import { pascal, pluralOf, singularOf } from './name-spelling.ts';
import { type OperationKind, operationKinds } from './platform-model.ts';
import {
  type Measure,
  readMeasures,
  readQuestions,
  readTasks,
  readWording,
  type Task,
  type Wording,
  wordingKeys,
} from './task-model.ts';

export type CrudLetter = 'L' | 'G' | 'C' | 'R' | 'P' | 'D' | 'S';

export interface Rule {
  readonly when?: Readonly<Record<string, readonly unknown[]>>;
  readonly require?: readonly string[];
  readonly field?: string;
  readonly deviceFunction?: Readonly<Record<string, readonly string[]>>;
}

export interface ResourceModel {
  readonly name: string;
  readonly spot: Spot;
  /** Resource of the same document whose shape, and so whose schemas, this one has; null for a shape of its own. */
  readonly like: ResourceModel | null;
  /** Where a small document of another resource hangs; null for a resource of its own. */
  readonly subDocument: 'item' | 'collection' | null;
  /** Pascal-case stems of operation ids and schema names. */
  readonly singular: string;
  readonly plural: string;
  readonly noun: readonly [one: string, many: string];
  readonly aliases: readonly string[];
  readonly questions: readonly string[];
  readonly distinguish: string;
  /** Scope phrase: "of one access point", "for the whole organisation". */
  readonly where: string;
  readonly impact: string | null;
  readonly key: readonly Field[];
  /** Further unique fields by which an item is reached. */
  readonly alsoBy: readonly string[];
  readonly within: string | null;
  readonly segment: string;
  readonly path: string | null;
  readonly collection: string | null;
  readonly parameters: readonly Field[];
  readonly ops: ReadonlySet<CrudLetter>;
  readonly singleton: boolean;
  readonly scope: 'shared' | 'local' | 'none';
  readonly audience: readonly string[];
  readonly use: readonly Spot[];
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  readonly arrayBody: boolean;
  readonly status: readonly Field[] | null;
  readonly stats: readonly Field[] | null;
  readonly trends: readonly Measure[];
  readonly top: readonly Measure[];
  readonly count: readonly string[];
  readonly search: readonly Field[] | null;
  readonly export: boolean;
  readonly bulk: ReadonlySet<(typeof bulkKinds)[number]>;
  readonly references: boolean;
  readonly history: boolean;
  /** What is counted before something irreversible is done to an item. */
  readonly previewReads: readonly PreviewRead[];
  /** Whether writes land in the platform's stage; null where the document says it. */
  readonly staged: boolean | null;
  readonly tasks: readonly Task[];
  readonly twin: { readonly of: string; readonly note: string } | null;
  /** Resources this one is alike on purpose. */
  readonly variantOf: readonly { readonly name: string; readonly reason: string }[];
  readonly query: ReadonlyMap<OperationKind, readonly Field[]>;
  readonly overrides: ReadonlyMap<OperationKind, Wording>;
  readonly style: string | null;
  /** Field names whose spelling is given from outside and may differ from the style. */
  readonly spelledOtherwise: ReadonlySet<string>;
  readonly derive: unknown;
}

export const bulkKinds = ['create', 'patch', 'delete'] as const;

/** What a resource with `like` has from the other one and may not say again. */
const shapeKeys = [
  'key',
  'singleton',
  'fields',
  'use',
  'rules',
  'status',
  'stats',
  'search',
  'style',
  'spelled-otherwise',
] as const;

const resourceKeys = [
  'like',
  'also-by',
  'views',
  'settings',
  'references',
  'history',
  'preview-reads',
  'staged',
  'id',
  'noun',
  'aliases',
  'questions',
  'distinguish',
  'where',
  'impact',
  'key',
  'within',
  'segment',
  'path',
  'collection',
  'parameters',
  'ops',
  'singleton',
  'scope',
  'audience',
  'use',
  'fields',
  'rules',
  'array-body',
  'status',
  'stats',
  'trends',
  'top',
  'count',
  'search',
  'export',
  'bulk',
  'actions',
  'diagnostics',
  'twin',
  'variant-of',
  'query',
  'overrides',
  'style',
  'derive',
  'spelled-otherwise',
] as const;

/** `like` is the resource named by the key of that name, already read. */
export function readResource(name: string, spot: Spot, like: ResourceModel | null = null): ResourceModel {
  const at = spot.mapping(like ? resourceKeys.filter((key) => !shapeKeys.some((each) => each === key)) : resourceKeys);
  const need = (key: string): Spot => at.get(key) ?? spot.fail(`the key ${key}`, 'none');
  const noun = need('noun').texts();
  if (noun.length !== 2) need('noun').fail('a pair [singular, plural]');
  const [singular, plural] = readIds(name, at.get('id'));
  const singleton = like?.singleton ?? at.get('singleton')?.flag() ?? false;
  const fieldsOf = (key: string): Field[] | null => (at.has(key) ? readFields(need(key)) : null);
  const twin = at.get('twin')?.mapping(['of', 'note']);
  const kinds = <T>(key: string, read: (value: Spot) => T): Map<OperationKind, T> =>
    new Map(
      [...(at.get(key)?.mapping(operationKinds) ?? [])].map(([kind, value]) => [kind as OperationKind, read(value)]),
    );
  return {
    name,
    spot,
    like: like?.like ?? like,
    subDocument: null,
    singular,
    plural,
    noun: [noun[0]!, noun[1]!],
    aliases: at.get('aliases')?.texts() ?? [],
    questions: readQuestions(at.get('questions')) ?? [],
    distinguish: need('distinguish').text(),
    where: at.get('where')?.text() ?? '',
    impact: at.get('impact')?.text() ?? null,
    key: like?.key ?? (singleton ? [] : readKey(need('key'))),
    alsoBy: at.get('also-by')?.texts() ?? [],
    within: at.get('within')?.text() ?? null,
    segment: at.get('segment')?.text() ?? name,
    path: at.get('path')?.text() ?? null,
    collection: at.get('collection')?.text() ?? null,
    parameters: fieldsOf('parameters') ?? [],
    ops: readOps(need('ops'), singleton),
    singleton,
    scope: at.get('scope')?.oneOf(['shared', 'local', 'none'] as const) ?? 'none',
    audience: at.get('audience')?.texts() ?? [],
    use: like?.use ?? at.get('use')?.list() ?? [],
    fields: like?.fields ?? fieldsOf('fields') ?? [],
    rules: like?.rules ?? at.get('rules')?.list().map(readRule) ?? [],
    arrayBody: at.get('array-body')?.flag() ?? false,
    status: like?.status ?? fieldsOf('status'),
    stats: like?.stats ?? fieldsOf('stats'),
    trends: readMeasures(at.get('trends')),
    top: readMeasures(at.get('top')),
    count: at.get('count')?.texts() ?? [],
    search: like?.search ?? fieldsOf('search'),
    export: at.get('export')?.flag() ?? false,
    bulk: new Set(
      at
        .get('bulk')
        ?.list()
        .map((item) => item.oneOf(bulkKinds)) ?? [],
    ),
    references: at.get('references')?.flag() ?? false,
    history: at.get('history')?.flag() ?? false,
    previewReads: readPreviewReads(at.get('preview-reads')),
    staged: at.get('staged')?.flag() ?? null,
    tasks: [...readTasks('action', at.get('actions')), ...readTasks('diagnostic', at.get('diagnostics'))],
    twin:
      twin && at.has('twin')
        ? {
            of: (twin.get('of') ?? need('twin').fail('the key of', 'none')).text(),
            note: twin.get('note')?.text() ?? 'older form, not interchangeable',
          }
        : null,
    variantOf: readVariants(at.get('variant-of')),
    query: kinds('query', readFields),
    overrides: kinds('overrides', (value) => readWording(value.mapping(wordingKeys))),
    style: like?.style ?? at.get('style')?.text() ?? null,
    spelledOtherwise: like?.spelledOtherwise ?? new Set(at.get('spelled-otherwise')?.texts() ?? []),
    derive: at.get('derive')?.value ?? null,
  };
}

function readVariants(spot: Spot | undefined): { name: string; reason: string }[] {
  if (!spot) return [];
  const lines = Array.isArray(spot.value) ? spot.list() : [spot];
  return lines.map((line) => {
    const [name, ...reason] = line.text().split(': ');
    if (!name || reason.length === 0) line.fail('`resource: reason`');
    return { name: name!, reason: reason.join(': ') };
  });
}

/** `key: name str(1..63) -- Meaning`, or a list of such lines for a composite key. */
function readKey(spot: Spot): Field[] {
  const lines = Array.isArray(spot.value) ? spot.list() : [spot];
  return lines.map((line) => {
    const text = line.text();
    const blank = text.indexOf(' ');
    if (blank < 0) line.fail('`parameter-name type -- description`');
    return parseFieldLine(text.slice(0, blank), text.slice(blank + 1).trim(), line.place);
  });
}

function readIds(name: string, spot: Spot | undefined): [string, string] {
  if (!spot) return [pascal(singularOf(name)), pascal(pluralOf(singularOf(name)))];
  const ids = spot.texts();
  if (ids.length !== 2 || !ids.every((id) => /^[A-Z][A-Za-z0-9]*$/.test(id)) || ids[0] === ids[1]) {
    spot.fail('a pair of different PascalCase stems [Singular, Plural]');
  }
  return [ids[0]!, ids[1]!];
}

const namedOps: Readonly<Record<string, string>> = { crud: 'LGCRPD', list: 'L', read: 'LG', none: '' };

export function readOps(spot: Spot, singleton: boolean): Set<CrudLetter> {
  const text = spot.text();
  const letters = namedOps[text] ?? text;
  const allowed = singleton ? /^[GRPS]+$/ : /^[LGCRPDS]*$/;
  if (!allowed.test(letters) || new Set(letters).size !== letters.length) {
    spot.fail(
      singleton ? 'letters of GRPS for a singleton' : `letters of LGCRPDS, or ${Object.keys(namedOps).join(', ')}`,
    );
  }
  return new Set(letters as unknown as Iterable<CrudLetter>);
}

function readRule(spot: Spot): Rule {
  const at = spot.mapping(['when', 'require', 'field', 'device-function']);
  const lists = (key: string): Record<string, readonly unknown[]> | undefined => {
    const map = at.get(key)?.mapping();
    if (!map) return undefined;
    return Object.fromEntries(
      [...map].map(([name, value]) => [name, Array.isArray(value.value) ? value.value : [value.value]]),
    );
  };
  const when = lists('when');
  const deviceFunction = lists('device-function') as Record<string, readonly string[]> | undefined;
  if (Boolean(when) === Boolean(deviceFunction)) spot.fail('either when + require, or field + device-function');
  if (when) return { when, require: (at.get('require') ?? spot.fail('the key require', 'none')).texts() };
  return {
    field: (at.get('field') ?? spot.fail('the key field', 'none')).text(),
    deviceFunction: deviceFunction ?? {},
  };
}
