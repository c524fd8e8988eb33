/** Operations that declare no success with content, but a redirect or a change of protocol. */
import type { OperationSource } from './operation-source.ts';
import { isObject, type JsonObject } from './platform-document.ts';
import type { Tool } from './tool.ts';

/** What to say of such an operation; undefined for one that declares another success, or none. */
export function successNote(
  { method, path, operation }: OperationSource,
  { redirects }: Pick<Tool, 'redirects'>,
): string | undefined {
  const about = `${method} ${path}: its only declared success is`;
  const statuses = statusesOf(operation);
  if (!hasContent(statuses) && statuses.includes('101'))
    return `${about} a change of protocol, which this router does not make: its calls fail`;
  if (!isRedirect(statuses)) return undefined;
  return redirects
    ? `${about} a redirect, which this router does not follow: its calls answer where it leads`
    : `${about} a redirect, which this router does not follow: its calls end with an error`;
}

/** A read that is answered by the place of a file. For a write a redirect proves nothing: it may lead to a login. */
export const redirectsOf = (
  { method, operation }: Pick<OperationSource, 'method' | 'operation'>,
  capability: Tool['capability'],
): Pick<Tool, 'redirects'> =>
  method === 'GET' && capability === 'read' && isRedirect(statusesOf(operation)) ? { redirects: true } : {};

const statusesOf = (operation: JsonObject): string[] =>
  isObject(operation['responses']) ? Object.keys(operation['responses']) : [];
const hasContent = (statuses: readonly string[]) => statuses.some((status) => status.startsWith('2'));
const isRedirect = (statuses: readonly string[]) =>
  !hasContent(statuses) &&
  !statuses.includes('101') &&
  statuses.some((status) => status.startsWith('3') && status !== '304');
