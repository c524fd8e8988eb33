/** How much a call can do to a platform: stated by `x-svc-capability`, else inferred from the method. */

export type Capability = 'read' | 'diagnostic' | 'write' | 'destructive';

export function inferCapability(method: string): Capability {
  if (method === 'get') return 'read';
  return method === 'delete' ? 'destructive' : 'write';
}
