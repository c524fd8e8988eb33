/** `views:` and `settings:` of a resource: small documents of an item or of the collection, as nested singletons. */
import { readFields } from './definitions.ts';
import type { Spot } from './model-file.ts';
import { pascal } from './name-spelling.ts';
import { byOperationKind } from './operation-kinds.ts';
import { type ResourceModel, readOps } from './resource-model.ts';
import { readQuestions, readWording, wordingKeys } from './task-model.ts';

const keys = [
  'title',
  'aliases',
  'questions',
  'distinguish',
  'impact',
  'at',
  'segment',
  'ops',
  'fields',
  'use',
  'audience',
  'id',
  'query',
  'overrides',
] as const;

export function readSubDocuments(owner: ResourceModel): ResourceModel[] {
  const at = owner.spot.mapping();
  const each = (key: string): [string, Spot][] => [...(at.get(key)?.mapping() ?? [])];
  return [
    ...each('views').map(([name, spot]) => readSubDocument(owner, name, spot, 'G')),
    ...each('settings').map(([name, spot]) => readSubDocument(owner, name, spot, 'GR')),
  ];
}

function readSubDocument(owner: ResourceModel, name: string, spot: Spot, usualOps: 'G' | 'GR'): ResourceModel {
  const at = spot.mapping(keys);
  const need = (key: string): Spot => at.get(key) ?? spot.fail(`the key ${key}`, 'none');
  const place = at.get('at')?.oneOf(['item', 'collection'] as const) ?? 'item';
  const title = need('title').text().replace(/^the /, '');
  const ops = at.get('ops');
  if (ops && usualOps === 'G' && ops.text() !== 'G') ops.fail('G, because a view is only read');
  const id = at.get('id');
  const singular = id?.text() ?? `${owner.singular}${pascal(name)}`;
  if (!/^[A-Z][A-Za-z0-9]*$/.test(singular)) id?.fail('a PascalCase stem');
  const many = `${title} of ${owner.noun[1]}`;
  return {
    name: `${owner.name}-${name}`,
    spot,
    like: null,
    subDocument: place,
    singular,
    plural: `${owner.plural}${pascal(name)}`,
    noun: [place === 'item' ? `${title} of one ${owner.noun[0]}` : many, many],
    aliases: at.get('aliases')?.texts() ?? [],
    questions: readQuestions(need('questions')) ?? [],
    distinguish: need('distinguish').text(),
    where: owner.where,
    impact: at.get('impact')?.text() ?? owner.impact,
    key: [],
    alsoBy: [],
    within: owner.name,
    segment: at.get('segment')?.text() ?? name,
    path: null,
    collection: null,
    parameters: [],
    ops: ops ? readOps(ops, true) : new Set(usualOps as unknown as Iterable<'G' | 'R'>),
    singleton: true,
    scope: 'none',
    audience: at.get('audience')?.texts() ?? owner.audience,
    use: at.get('use')?.list() ?? [],
    fields: at.has('fields') ? readFields(need('fields')) : [],
    rules: [],
    arrayBody: false,
    status: null,
    stats: null,
    trends: [],
    top: [],
    count: [],
    search: null,
    export: false,
    bulk: new Set(),
    references: false,
    previewReads: [],
    history: false,
    staged: owner.staged,
    tasks: [],
    twin: null,
    variantOf: [],
    query: byOperationKind(at.get('query'), readFields),
    overrides: byOperationKind(at.get('overrides'), (value) => readWording(value.mapping(wordingKeys))),
    style: owner.style,
    spelledOtherwise: new Set(),
    derive: null,
  };
}
