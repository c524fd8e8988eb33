/** Operations whose only declared success is an answer that this router does not take. */
import type { OperationSource } from './operation-source.ts';
import { isObject } from './platform-document.ts';

/** What to say of such an operation; undefined for one that declares another success, or none. */
export function successNote({ method, path, operation }: OperationSource): string | undefined {
  const statuses = isObject(operation['responses']) ? Object.keys(operation['responses']) : [];
  if (statuses.some((status) => /^2/.test(status))) return undefined;
  const about = `${method} ${path}: its only declared success is`;
  if (statuses.includes('101')) return `${about} a change of protocol, which this router does not make: its calls fail`;
  const isRedirect = statuses.some((status) => /^3/.test(status) && status !== '304');
  return isRedirect ? `${about} a redirect, which this router does not follow: its calls end with an error` : undefined;
}
