/** One `<document>.yaml`: its head, the shapes it defines and its resources. */
import { type Definitions, definitionKeys, readDefinitions } from './definitions.ts';
import type { Spot } from './model-file.ts';
import { type ResourceModel, readResource } from './resource-model.ts';
import { readSubDocuments } from './sub-document-model.ts';

export interface DocumentModel {
  readonly name: string;
  readonly spot: Spot;
  readonly title: string;
  readonly base: string;
  readonly style: string;
  readonly tag: string;
  /** Phrase that closes the scope of every description, such as "library" in "management cloud library". */
  readonly realm: string;
  /** Whether the document's resources take part in the platform's stage, unless they say otherwise. */
  readonly staged: boolean;
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
    'staged',
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
    staged: at.get('staged')?.flag() ?? false,
    include: at.get('include')?.texts() ?? [],
    definitions: readDefinitions(at),
    resources: readResources(need('resources').mapping()),
  };
}

/** Every resource of the document, each followed by its views and settings. */
function readResources(spots: ReadonlyMap<string, Spot>): ResourceModel[] {
  const known = new Map<string, ResourceModel>();
  const resolve = (name: string, spot: Spot, chain: readonly string[]): ResourceModel => {
    const ready = known.get(name);
    if (ready) return ready;
    const like = spot.mapping().get('like');
    let shape: ResourceModel | null = null;
    if (like) {
      const target = spots.get(like.text()) ?? like.fail('a resource of this document', like.text(), 'MODEL_REFERENCE');
      if (chain.includes(like.text()))
        like.fail('a resource that is not like this one', chain.join(', '), 'MODEL_REFERENCE');
      shape = resolve(like.text(), target, [...chain, like.text()]);
    }
    const model = readResource(name, spot, shape);
    known.set(name, model);
    return model;
  };
  return [...spots].flatMap(([name, spot]) => {
    const model = resolve(name, spot, [name]);
    return [model, ...readSubDocuments(model)];
  });
}
