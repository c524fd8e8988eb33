/** The reads of a preview: whether the object exists, its identity, and what the write changes. */
import { collectionOf } from '../catalog/item-path.ts';
import { waitingListOf } from '../catalog/preview-reads.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import { consequencesOf } from './consequences.ts';
import type { AdmittedCall } from './dispatch-call.ts';
import { type Refused, refuse, subjectOf } from './envelope.ts';
import { type Identity, identityOf } from './identity.ts';
import { type Effect, effectOf, type Impact, impactOf, type Reader } from './impact.ts';
import { callOf, type ObjectSources, writableNames } from './object-read.ts';
import { readTarget, shownObject, type TargetRead, targetToolOf } from './write-target.ts';

export interface PreviewRead {
  /** For comparing with the object at the time of sending. */
  read: TargetRead;
  target?: Identity;
  impact?: Impact;
}

/** Refused with NO_SUCH_OBJECT where the write needs an object that is not there. */
export async function readPreview(admitted: AdmittedCall, sources: ObjectSources): Promise<PreviewRead | Refused> {
  const { tool } = admitted;
  const { catalog } = sources;
  const read = await readTarget(admitted, sources);
  const effect = effectOf(tool, listsAt(tool, catalog));
  if (read.kind === 'missing' && needsTarget(tool, effect)) return refuseMissing(admitted, read.source, catalog);
  const target = read.kind === 'found' && !isAboutChanges(tool) ? identityOf(tool, shownObject(tool, read)) : undefined;
  const impact = changesOf(admitted, sources, read, 'agent');
  const consequences = [...waitingLine(tool), ...(await consequencesOf(admitted, sources))];
  if (consequences.length > 0) impact.consequences = consequences;
  return { read, ...(target ? { target } : {}), ...(Object.keys(impact).length > 0 ? { impact } : {}) };
}

/** A list of what waits is no object with a name. */
const isAboutChanges = (tool: Tool): boolean => tool.target !== undefined && tool.target === waitingListOf(tool);

/** Said before anything else: whoever takes the change for done forgets the other half. */
const waitingLine = ({ commit }: Tool): string[] =>
  commit === undefined ? [] : [`in effect only after ${commit} as well`];

/** What a write changes of the object; for the approver with the values as they would be sent. */
export function changesOf(
  { tool, request }: Pick<AdmittedCall, 'tool' | 'request'>,
  { catalog, validators }: Pick<ObjectSources, 'catalog' | 'validators'>,
  read: TargetRead,
  reader: Reader,
): Impact {
  const effect = effectOf(tool, listsAt(tool, catalog));
  return impactOf(tool, effect, read, request.body, reader, writableNames(tool, { validators }));
}

/**
 * A replacement creates where the document says so (201, or `x-svc-upsert`); a POST on a path of its own may always, and so may a
 * PUT without a body: it attaches what its path names.
 */
function needsTarget(tool: Tool, effect: Effect): boolean {
  if (tool.method === 'PUT' && tool.body === null && tool.reader !== undefined) return false;
  if (effect === 'acts' || effect === 'removes') return true;
  return effect === 'replaces' ? tool.creates !== true : tool.method === 'PATCH';
}

function listsAt({ platform, path }: Tool, catalog: Catalog): boolean {
  return listTool(platform, path, catalog) !== undefined;
}

function listTool(platform: string, path: string, catalog: Catalog): Tool | undefined {
  return catalog
    .wrapping(`GET ${path}`)
    .find((tool) => tool.platform === platform && tool.list !== undefined && tool.capability === 'read');
}

function refuseMissing({ tool, values, request }: AdmittedCall, source: string, catalog: Catalog): Refused {
  const reader = catalog.tool(targetToolOf(tool) as string);
  const collection = reader && collectionOf(reader.path);
  const list =
    reader && collection !== reader.path ? listTool(tool.platform, collection as string, catalog) : undefined;
  const noun = reader?.resource?.noun ?? 'object';
  const object = nameOf(reader, values) ?? request.object;
  const creates = tool.method === 'PUT' ? ', and its document does not say that this PUT creates one' : '';
  const message = `there is no ${noun} ${JSON.stringify(object)}: ${source} answered 404${creates}. Nothing was sent.`;
  const next_action = list && callOf(list, values);
  return refuse('NO_SUCH_OBJECT', subjectOf(tool), message, next_action ? { next_action } : {});
}

/** The identifier of the read: the last parameter of its path. */
function nameOf(reader: Tool | undefined, values: Readonly<Record<string, unknown>>): string | undefined {
  const last = reader?.parameters.filter((parameter) => parameter.in === 'path').at(-1);
  const value = last && values[last.argument];
  return value === undefined ? undefined : String(value).slice(0, 200);
}
