/** The class of an operation of a document, and what an operator's word that it is milder counts for. */
import { type Capability, strictness } from '../access/access-policy.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { type Classifiable, classify } from './classify.ts';
import { operationDigest } from './operation-digest.ts';
import type { OperationSource } from './operation-source.ts';
import { type ApiDocument, textOf } from './platform-document.ts';
import { choicesOf } from './request-parts.ts';

export interface Lowered {
  operation: string;
  capability: Capability;
  /** Why it does not count; undefined where it does. */
  lapsed?: string;
}

/** The class, and whether an operator's word made it milder. A document of a user is lowered by nothing else. */
export function classOf(platform: PlatformDefinition, document: ApiDocument, source: OperationSource) {
  const { method, path, item, operation, override } = source;
  const stated: Classifiable = {
    method,
    path,
    operationId: textOf(operation['operationId']) || null,
    summary: textOf(operation['summary']),
    description: textOf(operation['description']),
    choices: choicesOf(document, item, operation),
    foreign: platform.kind === 'user',
    declared: operation['x-svc-capability'],
  };
  if (override === undefined) return { classified: classify(stated), lowered: undefined };
  if (!stated.foreign) return { classified: classify({ ...stated, override }), lowered: undefined };
  const own = classify(stated);
  if (strictness(override.capability) >= strictness(own.capability))
    return { classified: classify({ ...stated, override }), lowered: undefined };
  const lapsed = whyLapsed(override, method, () => operationDigest(document, source));
  const lowered: Lowered = { operation: `${method} ${path}`, capability: override.capability };
  if (lapsed === undefined)
    return { classified: classify({ ...stated, override: { ...override, operator: true } }), lowered };
  const note = `${method} ${path}: the platform file calls it ${override.capability}, ${lapsed}: treated as ${own.capability}; look at the operation, then add the document again with --read-operation`;
  const notes = own.note === undefined ? note : `${own.note}; ${note}`;
  return { classified: { ...own, note: notes }, lowered: { ...lowered, lapsed } };
}

function whyLapsed(
  { operation_digest }: NonNullable<OperationSource['override']>,
  method: string,
  digestNow: () => string,
): string | undefined {
  if (method === 'DELETE') return 'but a DELETE is never lowered';
  if (operation_digest === undefined) return 'but not for which operation_digest';
  return operation_digest === digestNow() ? undefined : 'but the operation changed since';
}
