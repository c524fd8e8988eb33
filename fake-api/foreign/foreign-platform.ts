/** A document of somebody else, ready to be served beside the shipped platforms. */
import { basename } from 'node:path';
import { errorStyleOf } from '../engine/http/error-style.ts';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { shapeOfPath } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { type Platform, platformOf } from '../engine/openapi/served-platform.ts';
import { FakeApiError } from '../fake-errors.ts';
import type { Warnings } from './document-warning.ts';
import type { Entity, Placed } from './entity.ts';
import { type ForeignDocument, invalid, readForeignDocument } from './foreign-document.ts';
import { foreignOperations } from './foreign-operations.ts';
import { inferEntities } from './inferred-entities.ts';

export interface ForeignPlatform extends Platform {
  foreign: true;
  document: OpenApiDocument;
  security: ReadonlyMap<Operation, Record<string, unknown>[]>;
  entities: Entity[];
  placed: Map<Operation, Placed>;
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
  return foreignPlatform(id, await readForeignDocument(source.file));
}

function defaultName(file: string): string {
  const bare = basename(file)
    .replace(/\.(json|ya?ml)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return bare.slice(0, 32).replace(/-+$/, '') || 'foreign';
}

function foreignPlatform(id: string, read: ForeignDocument): ForeignPlatform {
  const { document, warnings, shown } = read;
  const { operations, security, beside } = foreignOperations(id, document, warnings);
  if (operations.length === 0) throw invalid(shown, '/paths', 'at least one operation', 'none');
  warnOfAlikePaths(operations, warnings);
  const { entities, placed } = inferEntities(id, document, operations, beside);
  const resources = new Map(entities.map((entity) => [entity.name, entity.resource]));
  const platform = platformOf(id, operations, resources, null, errorStyleOf([]));
  return { ...platform, foreign: true, document, security, entities, placed, warnings, shown };
}

function warnOfAlikePaths(operations: readonly Operation[], warnings: Warnings): void {
  const templates = new Set(operations.map(({ template }) => template));
  for (const alike of Map.groupBy(templates, shapeOfPath).values()) {
    const [first, ...others] = alike;
    for (const template of others)
      warnings.add(
        ['paths', template],
        `differs from ${first} in the names of its parameters alone; what the parameters accept decides, then the order`,
        'give the paths different literal segments',
      );
  }
}

export function isForeign(platform: Platform): platform is ForeignPlatform {
  return 'foreign' in platform;
}
