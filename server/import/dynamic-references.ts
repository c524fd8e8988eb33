/**
 * `$dynamicRef` (JSON Schema 2020-12, 8.2.3.2): which of several schemas with one anchor is meant depends on how a value comes there. With
 * one such schema it is a reference like any other; where there are several, the value is left to the platform.
 */
import type { JsonObject } from '../catalog/platform-document.ts';
import { documentNodes } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';

/** Changes the document. */
export function followDynamicReferences(content: JsonObject, document: string, findings: Finding[]): void {
  const nodes = [...documentNodes(content)];
  const anchors = Map.groupBy(nodes, ({ node }) => node['$dynamicAnchor']);
  for (const { node, pointer } of nodes) {
    const reference = node['$dynamicRef'];
    if (typeof reference !== 'string') continue;
    delete node['$dynamicRef'];
    const meant = anchors.get(reference.slice(1)) ?? [];
    if (reference.startsWith('#') && meant.length === 1 && node['$ref'] === undefined)
      node['$ref'] = `#${meant[0]?.pointer.replaceAll('%', '%25')}`;
    else
      findings.push({
        document,
        pointer,
        message: `$dynamicRef ${JSON.stringify(reference)} may mean ${meant.length} schemas: taken as any value`,
        remedy: 'write a $ref to the schema that is meant; until then the platform alone checks the value',
      });
  }
}
