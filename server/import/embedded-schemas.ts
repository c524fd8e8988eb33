/**
 * References to schemas of the document itself that are no pointers from its root: to an `$anchor`, to the `$id` of a schema, and pointers
 * into the schema that they stand in, such as `#/$defs/Port` (JSON Schema 2020-12, 8.2; OpenAPI 3.1, 4.6). Each is written as the pointer.
 */
import { type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { type DocumentNode, documentNodes, pointerOf } from './document-nodes.ts';

/** Changes the document. What leads to none of its schemas stays. */
export function followEmbedded(content: JsonObject): void {
  const places = [...documentNodes(content)];
  const anchors = named(places, ['$anchor', '$dynamicAnchor']);
  const ids = named(places, ['$id']);
  for (const place of places) {
    const { $ref } = place.node;
    const [id = '', fragment = ''] = typeof $ref === 'string' ? $ref.split('#', 2) : [];
    const meant = fragment === '' || fragment.startsWith('/') ? undefined : anchors.get(fragment);
    const holder = id === '' ? holderOf(content, place, fragment) : ids.get(id);
    if (meant !== undefined && (id === '' || holder !== undefined)) place.node['$ref'] = referenceTo(meant);
    else if (holder !== undefined) place.node['$ref'] = referenceTo(holder) + fragment;
  }
}

/** By name; undefined for one that two schemas have. */
function named(places: readonly DocumentNode[], keywords: readonly string[]): Map<string, DocumentNode | undefined> {
  const found = new Map<string, DocumentNode | undefined>();
  for (const place of places) {
    const names = keywords.flatMap((keyword) => (place.kind === 'schema' ? [place.node[keyword]] : []));
    for (const name of names)
      if (typeof name === 'string') found.set(name.replace(/#$/, ''), found.has(name) ? undefined : place);
  }
  return found;
}

/** The nearest schema around a place that has something at a pointer; undefined where the document itself has. */
function holderOf(content: JsonObject, place: DocumentNode, pointer: string): DocumentNode['above'] {
  if (!pointer.startsWith('/') || valueAt(content, `#${pointer}`) !== undefined) return undefined;
  let around: DocumentNode['above'] = place;
  while (around !== undefined && !(around.kind === 'schema' && valueAt(around.node, `#${pointer}`) !== undefined))
    around = around.above;
  return around;
}

const referenceTo = (place: Parameters<typeof pointerOf>[0]): string => `#${pointerOf(place).replaceAll('%', '%25')}`;
