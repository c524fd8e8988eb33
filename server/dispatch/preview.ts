/** What a write would change, from the target as it was read. */
import type { AdmittedCall } from './call.ts';
import { type Impact, impactOf } from './impact.ts';
import type { TargetRead } from './target.ts';

/** Undefined where nothing can be compared: the catalogue has no read of the object, and the request no body. */
export function impactNow({ tool, request }: AdmittedCall, target: TargetRead): Impact | undefined {
  if (target.state === 'none')
    return tool.method === 'POST' && request.body !== undefined
      ? impactOf(tool, 'the request alone', undefined, request.body)
      : undefined;
  if (target.state === 'unknown')
    return target.source === undefined ? undefined : { source: target.source, warning: `unknown: ${target.why}` };
  return impactOf(tool, target.source, target.state === 'found' ? target.object : undefined, request.body);
}
