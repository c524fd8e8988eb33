/**
 * `$dynamicRef` (JSON Schema 2020-12, 8.2.3.2): which of several schemas with one anchor is meant depends on how a value comes there. With
 * one such schema it is a reference like any other; where there are several, the value is left to the platform.
 */
import { type JsonObject, scalarText } from '../catalog/platform-document.ts';
import { documentNodes, pointerOf } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';

/** Changes the document. */
export function followDynamicReferences(content: JsonObject, document: string, findings: Finding[]): void {
  // OpenAPI 3.0 does not know it.
  if (scalarText(content['openapi']).startsWith('3.0')) return;
  const dynamic = [...documentNodes(content)].filter(({ node }) => '$dynamicAnchor' in node || '$dynamicRef' in node);
  const anchors = Map.groupBy(dynamic, ({ node }) => node['$dynamicAnchor']);
  for (const place of dynamic) {
    const { node } = place;
    const reference = node['$dynamicRef'];
    if (typeof reference !== 'string') continue;
    delete node['$dynamicRef'];
    const [meant, ...others] = reference.startsWith('#') ? (anchors.get(reference.slice(1)) ?? []) : [];
    if (meant !== undefined && others.length === 0 && node['$ref'] === undefined)
      node['$ref'] = `#${pointerOf(meant).replaceAll('%', '%25')}`;
    else
      findings.push({
        document,
        pointer: pointerOf(place),
        message: `$dynamicRef ${JSON.stringify(reference)} does not name one schema of the document: taken as any value`,
        remedy: 'write a $ref to the schema that is meant; until then the platform alone checks the value',
      });
  }
}
