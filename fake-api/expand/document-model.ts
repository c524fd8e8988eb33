/** One `<document>.yaml`: its head, the shapes it defines and its resources. */
import { type Definitions, definitionKeys, readDefinitions } from './definitions.ts';
import type { Spot } from './model-file.ts';
import { type ResourceModel, readResource } from './resource-model.ts';

export interface DocumentModel {
  readonly name: string;
  readonly spot: Spot;
  readonly title: string;
  readonly base: string;
  readonly style: string;
  readonly tag: string;
  /** Phrase that closes the scope of every description, such as "library" in "management cloud library". */
  readonly realm: string;
  readonly include: readonly string[];
  readonly definitions: Definitions;
  readonly resources: readonly ResourceModel[];
}

export function readDocumentModel(root: Spot): DocumentModel {
  const at = root.mapping([
    'document',
    'title',
    'base',
    'style',
    'tag',
    'realm',
    'include',
    'resources',
    ...definitionKeys,
  ]);
  const need = (key: string): Spot => at.get(key) ?? root.fail(`the key ${key}`, 'none');
  const base = need('base').text();
  if (!base.startsWith('/')) need('base').fail('a path that starts with "/"');
  const tag = need('tag').text();
  return {
    name: need('document').text(),
    spot: root,
    title: at.get('title')?.text() ?? tag,
    base: base === '/' ? '' : base.replace(/\/$/, ''),
    style: need('style').text(),
    tag,
    realm: at.get('realm')?.text() ?? '',
    include: at.get('include')?.texts() ?? [],
    definitions: readDefinitions(at),
    resources: [...need('resources').mapping()].map(([name, spot]) => readResource(name, spot)),
  };
}
