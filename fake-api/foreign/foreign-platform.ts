/** A document of somebody else, ready to be served beside the shipped platforms. */

import { basename } from 'node:path';
import { errorStyleOf } from '../engine/http/error-style.ts';
import { Routes } from '../engine/http/routes.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { shapeOfPath } from '../engine/openapi/served-platform.ts';
import { FakeApiError } from '../fake-errors.ts';
import type { Warnings } from './document-warning.ts';
import { type ForeignDocument, invalid, readForeignDocument } from './foreign-document.ts';
import { type ForeignOperation, foreignOperations } from './foreign-operations.ts';
import { type Entity, inferEntities, type Placed } from './inferred-entities.ts';
import { Templates } from './path-templates.ts';

export interface ForeignPlatform extends Platform {
  foreign: true;
  templates: Templates;
  entities: Entity[];
  placed: Map<ForeignOperation, Placed>;
  warnings: Warnings;
  shown: string;
}

export interface ForeignSource {
  file: string;
  /** Platform id; by default the file's name in small letters. */
  name?: string;
}

export async function readForeignPlatform(source: ForeignSource, taken: ReadonlySet<string>): Promise<ForeignPlatform> {
  const id = source.name ?? defaultName(source.file);
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(id))
    throw new FakeApiError('FAKE_USAGE', {
      problem: `--name should be small letters, digits and hyphens, at most 32, got "${id.slice(0, 60)}"`,
    });
  if (taken.has(id) || id === 'ns')
    throw new FakeApiError('FAKE_USAGE', { problem: `--name should be the name of no other platform, got "${id}"` });
  return platformOf(id, await readForeignDocument(source.file));
}

function defaultName(file: string): string {
  const bare = basename(file)
    .replace(/\.(json|ya?ml)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return bare.slice(0, 32).replace(/-+$/, '') || 'foreign';
}

function platformOf(id: string, read: ForeignDocument): ForeignPlatform {
  const { document, warnings, shown } = read;
  const operations = foreignOperations(id, document, warnings);
  if (operations.length === 0) throw invalid(shown, '/paths', 'at least one operation', 'none');
  const templates = new Templates();
  const byPath = Map.groupBy(operations, (operation) => operation.template);
  const shapes = new Map<string, string>();
  for (const [template, own] of byPath) {
    templates.add(template, new Map<string, Operation>(own.map((operation) => [operation.method, operation])));
    const shape = shapeOfPath(template);
    const twin = shapes.get(shape);
    if (twin === undefined) shapes.set(shape, template);
    else
      warnings.add(
        ['paths', template],
        `differs from ${twin} in the names of its parameters alone; what the parameters accept decides, then the order`,
        'give the paths different literal segments',
      );
  }
  const { entities, placed } = inferEntities(id, document, operations);
  return {
    id,
    foreign: true,
    operations,
    byId: new Map(operations.map((operation) => [operation.id, operation])),
    routes: new Routes(),
    resources: new Map(entities.map((entity) => [entity.name, entity.resource])),
    referrers: new Map(),
    byItemTemplate: new Map(),
    rate: null,
    errors: errorStyleOf([document]),
    templates,
    entities,
    placed,
    warnings,
    shown,
  };
}

export function isForeign(platform: Platform): platform is ForeignPlatform {
  return 'foreign' in platform;
}
