/** A whole platform read from its folder: every document model, with names resolved across documents. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Definitions, definitionKeys, joinDefinitions, readDefinitions } from './definitions.ts';
import { type DocumentModel, readDocumentModel } from './document-model.ts';
import { ExpandError, type Place } from './expand-errors.ts';
import type { Field } from './field-line.ts';
import { readModelFile, type Spot } from './model-file.ts';
import { type PlatformModel, readPlatformModel } from './platform-model.ts';
import { listPlatforms, platformsFolder } from './platforms-folder.ts';
import type { ResourceModel } from './resource-model.ts';
import type { Style } from './style-model.ts';

export interface Platform {
  readonly model: PlatformModel;
  readonly documents: readonly DocumentView[];
  readonly resources: ReadonlyMap<string, Resource>;
}

/** A document together with everything its names can mean. */
export interface DocumentView {
  readonly model: DocumentModel;
  readonly definitions: Definitions;
  readonly resources: readonly Resource[];
}

/** A resource with its paths and parameters worked out. */
export interface Resource {
  readonly model: ResourceModel;
  readonly document: DocumentModel;
  readonly style: Style;
  readonly parent: Resource | null;
  readonly itemPath: string;
  readonly collectionPath: string;
  /** Every parameter that may occur in a path of this resource, own key included. */
  readonly pathFields: ReadonlyMap<string, Field>;
}

export async function readPlatform(id: string, folder = platformsFolder): Promise<Platform> {
  const files = await modelFiles(id, folder);
  const root = await readModelFile(join(folder, id, 'platform.yaml'), `${id}/platform.yaml`);
  const documents = await Promise.all(files.map((file) => readModelFile(join(folder, id, file), `${id}/${file}`)));
  const model = readPlatformModel(root);
  if (model.id !== id) root.fail(`platform: ${id}, the name of the folder`, model.id);
  const models = documents.map(readDocumentModel);
  const sharedNames = [...new Set([...model.include, ...models.flatMap((each) => each.include)])].sort();
  const shared = new Map(
    await Promise.all(sharedNames.map(async (name) => [name, await readShared(name, folder)] as const)),
  );
  return assemblePlatform(model, models, shared);
}

async function modelFiles(id: string, folder: string): Promise<string[]> {
  try {
    const names = await readdir(join(folder, id));
    return names.filter((name) => name.endsWith('.yaml') && name !== 'platform.yaml').sort();
  } catch (cause) {
    const known = await listPlatforms(folder).catch(() => []);
    throw new ExpandError(
      'MODEL_NOT_FOUND',
      { expected: `a platform of ${known.join(', ') || 'none'}`, got: id },
      { cause },
    );
  }
}

async function readShared(name: string, folder: string): Promise<Definitions> {
  const spot = await readModelFile(join(folder, 'shared', `${name}.yaml`), `shared/${name}.yaml`);
  return readDefinitions(spot.mapping(definitionKeys));
}

/** Joins models that are already read; `order` of documents never matters to what comes out. */
export function assemblePlatform(
  model: PlatformModel,
  models: readonly DocumentModel[],
  shared: ReadonlyMap<string, Definitions>,
): Platform {
  const sorted = [...models].sort((left, right) => (left.name < right.name ? -1 : 1));
  const owners = new Map<string, { model: ResourceModel; document: DocumentModel }>();
  const names = new Map<string, DocumentModel>();
  for (const document of sorted) {
    const other = names.get(document.name);
    if (other)
      duplicate(
        document.spot.place,
        'a document name of its own',
        `${document.name}, also in ${other.spot.place.file}`,
      );
    names.set(document.name, document);
    for (const resource of document.resources) {
      const taken = owners.get(resource.name);
      if (taken)
        duplicate(
          resource.spot.place,
          'a resource name of its own',
          `${resource.name}, also in ${taken.model.spot.place.file}`,
        );
      owners.set(resource.name, { model: resource, document });
    }
  }
  const resources = new Map<string, Resource>();
  const resolve = (name: string, asking: Spot, chain: readonly string[]): Resource => {
    const known = resources.get(name);
    if (known) return known;
    const owner = owners.get(name) ?? asking.fail('a resource of this platform', name, 'MODEL_REFERENCE');
    if (chain.includes(name))
      asking.fail('resources that nest without a circle', chain.join(' in '), 'MODEL_REFERENCE');
    const { within, spot } = owner.model;
    const parent = within === null ? null : resolve(within, spot, [...chain, name]);
    const resource = placeResource(owner.model, owner.document, model, parent);
    resources.set(name, resource);
    return resource;
  };
  const documents = sorted.map((document) => ({
    model: document,
    definitions: joinDefinitions([
      model.definitions,
      document.definitions,
      ...[...new Set([...model.include, ...document.include])].map((name) => shared.get(name)!),
    ]),
    resources: document.resources.map((resource) => resolve(resource.name, resource.spot, [])),
  }));
  return { model, documents, resources };
}

function placeResource(
  model: ResourceModel,
  document: DocumentModel,
  platform: PlatformModel,
  parent: Resource | null,
): Resource {
  const styleName = model.style ?? document.style;
  const style =
    platform.styles.get(styleName) ??
    model.spot.fail(`a style of ${[...platform.styles.keys()].join(', ')}`, styleName, 'MODEL_REFERENCE');
  const ofCollection = model.subDocument === 'collection';
  const root = parent ? (ofCollection ? parent.collectionPath : parent.itemPath) : document.base;
  // What hangs on a collection has the parent of that collection, and so no key of one of its items.
  const owner = ofCollection ? (parent?.parent ?? null) : parent;
  const own = model.singleton
    ? model.segment
    : [model.segment, ...model.key.map((field) => `{${field.name}}`)].join('/');
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${root}/${path}`);
  const itemPath = absolute(model.path ?? own);
  const collectionPath =
    model.collection === null ? itemPath.replace(/(\/\{[^/]+\})+$/, '') : absolute(model.collection);
  const pathFields = new Map<string, Field>(owner?.pathFields ?? []);
  for (const field of [...model.parameters, ...model.key]) pathFields.set(field.name, field);
  for (const [, name] of itemPath.matchAll(/\{([^}]+)\}/g)) {
    if (!pathFields.has(name!)) model.spot.fail(`a key or parameters line for {${name}}`, 'none', 'MODEL_REFERENCE');
  }
  return { model, document, style, parent: owner, itemPath, collectionPath, pathFields };
}

function duplicate(place: Place, expected: string, got: string): never {
  throw new ExpandError('MODEL_DUPLICATE', { place, expected, got });
}
