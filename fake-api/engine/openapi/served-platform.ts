/** A platform ready to be served: operations, routes, resources and what may point where. Immutable, shared. */

import { FakeApiError } from '../../fake-errors.ts';
import { type ErrorStyle, errorStyleOf } from '../http/error-style.ts';
import { Routes } from '../http/routes.ts';
import { lazy } from '../state/lazy.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { shapeOfPath } from './path-template.ts';
import { type RateRule, rateRuleOf } from './rate-rule.ts';
import { type Operation, operationsOf } from './served-operation.ts';
import { type RefField, type Resource, resourcesOf } from './stored-resource.ts';

export interface PlatformSource {
  id: string;
  /** Document id to document. */
  documents: Record<string, OpenApiDocument>;
}

export interface Referrer {
  resource: Resource;
  field: RefField;
}

export interface Platform {
  id: string;
  operations: Operation[];
  byId: Map<string, Operation>;
  routes: Routes;
  resources: Map<string, Resource>;
  /** Which fields of which resources point at a resource. */
  readonly referrers: Map<string, Referrer[]>;
  /** Resource whose item path is this template. */
  byItemTemplate: Map<string, Resource>;
  rate: RateRule | null;
  errors: ErrorStyle;
}

export function readPlatform(source: PlatformSource): Platform {
  const operations: Operation[] = [];
  for (const [documentId, document] of Object.entries(source.documents)) {
    operations.push(...operationsOf(source.id, documentId, document));
  }
  if (operations.length === 0) {
    throw new FakeApiError('DOCUMENTS_MISSING', { platform: source.id, place: 'the documents given' });
  }
  const routes = new Routes();
  const byId = new Map<string, Operation>();
  for (const operation of operations) {
    const twin = byId.get(operation.id);
    if (twin !== undefined) {
      throw new FakeApiError('DOCUMENT_INVALID', {
        document: operation.documentId,
        at: `${operation.method} ${operation.template}`,
        expected: 'an operationId of its own',
        got: `"${operation.id}", which ${twin.method} ${twin.template} has`,
      });
    }
    byId.set(operation.id, operation);
    routes.add(operation);
  }
  const resources = resourcesOf(operations);
  const referrers = lazy(() => referrersOf(resources));
  return {
    id: source.id,
    operations,
    byId,
    routes,
    resources,
    get referrers() {
      return referrers();
    },
    byItemTemplate: new Map(
      [...resources.values()].flatMap((resource) =>
        resource.itemTemplate === null ? [] : [[shapeOfPath(resource.itemTemplate), resource] as const],
      ),
    ),
    rate: rateRuleOf(Object.values(source.documents)),
    errors: errorStyleOf(Object.values(source.documents)),
  };
}

function referrersOf(resources: Map<string, Resource>): Map<string, Referrer[]> {
  const referrers = new Map<string, Referrer[]>();
  for (const resource of resources.values()) {
    for (const field of resource.refs) {
      const known = referrers.get(field.target.resource) ?? [];
      known.push({ resource, field });
      referrers.set(field.target.resource, known);
    }
  }
  return referrers;
}

/** The resource and parameter values of the nearest item above (or at) a path, if the platform keeps one. */
export function itemAbove(
  platform: Platform,
  template: string,
  values: readonly string[],
  includeSelf: boolean,
): { resource: Resource; values: string[] } | null {
  const segments = template.split('/');
  for (let length = includeSelf ? segments.length : segments.length - 1; length > 1; length -= 1) {
    const head = segments.slice(0, length).join('/');
    const resource = head.endsWith('}') ? platform.byItemTemplate.get(shapeOfPath(head)) : undefined;
    if (resource !== undefined) return { resource, values: values.slice(0, head.split('{').length - 1) };
  }
  return null;
}
