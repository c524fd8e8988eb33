/** A platform ready to be served: operations, routes, resources and what may point where. Immutable, shared. */
import { FakeApiError } from '../../fake-errors.ts';
import { type ErrorStyle, errorStyleOf } from '../http/error-style.ts';
import { Routes } from '../http/routes.ts';
import { lazy } from '../state/lazy.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { type RateRule, rateRuleOf } from './rate-rule.ts';
import { shapeOfPath } from './route-template.ts';
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
  const twins = [...Map.groupBy(operations, (operation) => operation.id).values()].find((own) => own.length > 1);
  if (twins !== undefined) {
    const [first, second] = twins as [Operation, Operation];
    throw new FakeApiError('DOCUMENT_INVALID', {
      document: second.documentId,
      at: `${second.method} ${second.template}`,
      expected: 'an operationId of its own',
      got: `"${second.id}", which ${first.method} ${first.template} has`,
    });
  }
  const documents = Object.values(source.documents);
  return platformOf(source.id, operations, resourcesOf(operations), rateRuleOf(documents), errorStyleOf(documents));
}

/** A platform with these operations, which keeps these resources. */
export function platformOf(
  id: string,
  operations: Operation[],
  resources: Map<string, Resource>,
  rate: RateRule | null,
  errors: ErrorStyle,
): Platform {
  const routes = new Routes();
  for (const operation of operations) routes.add(operation);
  const referrers = lazy(() => referrersOf(resources));
  return {
    id,
    operations,
    byId: new Map(operations.map((operation) => [operation.id, operation])),
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
    rate,
    errors,
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
