/** One resource of a document as the model states it, before paths and references are worked out. */
import { readFields } from './definitions.ts';
import { type Field, parseFieldLine } from './field-line.ts';
import type { Spot } from './model-file.ts';
import { pascal, pluralOf, singularOf } from './name-spelling.ts';
import { byOperationKind, type OperationKind } from './operation-kinds.ts';
import { type PreviewRead, readPreviewReads } from './preview-read-model.ts';
import { type Rule, readRule } from './rule-model.ts';
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
  const singleton = like?.singleton ?? flag(at, 'singleton');
  const shape = like ?? readShape(spot, at, singleton);
  return {
    name,
    spot,
    like: like?.like ?? like,
    subDocument: null,
    singular,
    plural,
    noun: [noun[0]!, noun[1]!],
    aliases: texts(at, 'aliases'),
    questions: readQuestions(at.get('questions')) ?? [],
    distinguish: need('distinguish').text(),
    where: at.get('where')?.text() ?? '',
    impact: text(at, 'impact'),
    key: shape.key,
    alsoBy: texts(at, 'also-by'),
    within: text(at, 'within'),
    segment: at.get('segment')?.text() ?? name,
    path: text(at, 'path'),
    collection: text(at, 'collection'),
    parameters: fieldsAt(at, 'parameters') ?? [],
    ops: readOps(need('ops'), singleton),
    singleton,
    scope: at.get('scope')?.oneOf(['shared', 'local', 'none'] as const) ?? 'none',
    audience: texts(at, 'audience'),
    use: shape.use,
    fields: shape.fields,
    rules: shape.rules,
    arrayBody: flag(at, 'array-body'),
    status: shape.status,
    stats: shape.stats,
    trends: readMeasures(at.get('trends')),
    top: readMeasures(at.get('top')),
    count: texts(at, 'count'),
    search: shape.search,
    export: flag(at, 'export'),
    bulk: new Set(
      at
        .get('bulk')
        ?.list()
        .map((item) => item.oneOf(bulkKinds)),
    ),
    references: flag(at, 'references'),
    history: flag(at, 'history'),
    previewReads: readPreviewReads(at.get('preview-reads')),
    staged: at.get('staged')?.flag() ?? null,
    tasks: [...readTasks('action', at.get('actions')), ...readTasks('diagnostic', at.get('diagnostics'))],
    twin: readTwin(at.get('twin')),
    variantOf: readVariants(at.get('variant-of')),
    query: byOperationKind(at.get('query'), readFields),
    overrides: byOperationKind(at.get('overrides'), (value) => readWording(value.mapping(wordingKeys))),
    style: shape.style,
    spelledOtherwise: shape.spelledOtherwise,
    derive: at.get('derive')?.value ?? null,
  };
}

type Shape = Pick<
  ResourceModel,
  'key' | 'use' | 'fields' | 'rules' | 'status' | 'stats' | 'search' | 'style' | 'spelledOtherwise'
>;

/** What a resource with `like` has from the other one. */
function readShape(spot: Spot, at: ReadonlyMap<string, Spot>, singleton: boolean): Shape {
  return {
    key: singleton ? [] : readKey(at.get('key') ?? spot.fail('the key key', 'none')),
    use: at.get('use')?.list() ?? [],
    fields: fieldsAt(at, 'fields') ?? [],
    rules: at.get('rules')?.list().map(readRule) ?? [],
    status: fieldsAt(at, 'status'),
    stats: fieldsAt(at, 'stats'),
    search: fieldsAt(at, 'search'),
    style: text(at, 'style'),
    spelledOtherwise: new Set(texts(at, 'spelled-otherwise')),
  };
}

function fieldsAt(at: ReadonlyMap<string, Spot>, key: string): Field[] | null {
  const spot = at.get(key);
  return spot === undefined ? null : readFields(spot);
}

function text(at: ReadonlyMap<string, Spot>, key: string): string | null {
  return at.get(key)?.text() ?? null;
}

function texts(at: ReadonlyMap<string, Spot>, key: string): readonly string[] {
  return at.get(key)?.texts() ?? [];
}

function flag(at: ReadonlyMap<string, Spot>, key: string): boolean {
  return at.get(key)?.flag() ?? false;
}

function readTwin(spot: Spot | undefined): ResourceModel['twin'] {
  const at = spot?.mapping(['of', 'note']);
  if (spot === undefined || at === undefined) return null;
  return {
    of: (at.get('of') ?? spot.fail('the key of', 'none')).text(),
    note: text(at, 'note') ?? 'older form, not interchangeable',
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
  const letters = (Object.hasOwn(namedOps, text) ? namedOps[text] : undefined) ?? text;
  const allowed = singleton ? /^[GRPS]+$/ : /^[LGCRPDS]*$/;
  if (!allowed.test(letters) || new Set(letters).size !== letters.length) {
    spot.fail(
      singleton ? 'letters of GRPS for a singleton' : `letters of LGCRPDS, or ${Object.keys(namedOps).join(', ')}`,
    );
  }
  return new Set(letters as unknown as Iterable<CrudLetter>);
}
