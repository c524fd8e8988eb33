/** A foreign document made ready: any OpenAPI version as 3.1, references joined, schemas fit for a validator. */
import { basename } from 'node:path';
import { upgrade } from '@scalar/openapi-upgrader';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import { FakeApiError } from '../fake-errors.ts';
import { joinDisjointValues } from './disjoint-values.ts';
import { readSource } from './document-file.ts';
import { Warnings } from './document-warning.ts';
import { checkReferences, joinReferences } from './foreign-references.ts';
import { repairSchemas } from './foreign-repair.ts';
import { inlineMaps } from './inlined-maps.ts';
import { stateAnswersOfSchemas } from './schema-responses.ts';
import { addSchemasOfExamples } from './schemas-of-examples.ts';
import { moveQueries } from './stated-queries.ts';
import { breakUnionCircles } from './union-circles.ts';

export interface ForeignDocument {
  document: OpenApiDocument;
  /** File name, as messages show it. */
  shown: string;
  warnings: Warnings;
}

/** YAML without quotes makes a number of a version: 3 of 3.0, and 2 of 2.0. */
function statedVersion(source: Record<string, unknown>, shown: string): string {
  const key = 'openapi' in source ? 'openapi' : 'swagger';
  const stated = source[key];
  if (typeof stated === 'number') source[key] = Number.isInteger(stated) ? `${stated}.0` : String(stated);
  const version = String(source[key]);
  if (/^(3\.[012](\.\d+)?|2\.0)/.test(version)) return version;
  throw invalid(shown, '/openapi', '3.0, 3.1, 3.2 or swagger 2.0', JSON.stringify(stated) ?? 'nothing');
}

export async function readForeignDocument(file: string): Promise<ForeignDocument> {
  const shown = basename(file);
  const warnings = new Warnings(shown);
  const source = await readSource(file);
  const version = statedVersion(source, shown);
  try {
    await joinReferences(source, file, warnings);
    inlineMaps(source);
    if (!isObject(source['paths']) || Object.keys(source['paths']).length === 0)
      throw invalid(
        shown,
        '/paths',
        'a map with at least one path',
        isObject(source['paths']) ? 'an empty one' : 'none',
      );
    dropCallsToClients(source, warnings);
    const document = upgrade(source, '3.1') as unknown as Record<string, unknown>;
    checkReferences(document, warnings);
    stateAnswersOfSchemas(document, warnings);
    moveQueries(document);
    repairSchemas(document, warnings, /^(2|3\.0)/.test(version));
    breakUnionCircles(document, warnings);
    joinDisjointValues(document);
    addSchemasOfExamples(document);
    const info = isObject(document['info']) ? document['info'] : {};
    document['info'] = { ...info, title: String(info['title'] ?? shown), version: String(info['version'] ?? '0') };
    return { document: document as unknown as OpenApiDocument, shown, warnings };
  } catch (cause) {
    if (cause instanceof FakeApiError) throw cause;
    const got = cause instanceof RangeError ? 'one nested too deeply to walk' : (cause as Error).message;
    throw new FakeApiError(
      'FOREIGN_DOCUMENT_INVALID',
      { document: shown, at: '/', expected: 'an OpenAPI document', got },
      { cause },
    );
  }
}

/** Webhooks and callbacks are calls of the platform to its clients, which a fake does not make. */
function dropCallsToClients(source: Record<string, unknown>, warnings: Warnings): void {
  for (const name of ['webhooks', 'x-webhooks']) {
    const count = isObject(source[name]) ? Object.keys(source[name]).length : 0;
    if (count > 0) warnings.add([name], `${count} webhooks are ignored: a fake calls nobody`, 'none is needed');
    delete source[name];
  }
  const calling = operationsWithCallbacks(source['paths'] as Record<string, unknown>);
  const [first] = calling;
  if (first === undefined) return;
  for (const { operation } of calling) delete operation['callbacks'];
  const message = `the callbacks of ${calling.length} operations are ignored: a fake calls nobody`;
  warnings.add([...first.path, 'callbacks'], message, 'none is needed');
}

function operationsWithCallbacks(
  paths: Record<string, unknown>,
): { path: string[]; operation: Record<string, unknown> }[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
      isObject(operation) && isObject(operation['callbacks']) ? [{ path: ['paths', template, method], operation }] : [],
    ),
  );
}

export function invalid(document: string, at: string, expected: string, got: string): FakeApiError {
  return new FakeApiError('FOREIGN_DOCUMENT_INVALID', { document, at, expected, got });
}
