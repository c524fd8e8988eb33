/** Identity of an object: the few fields by which a person recognises it, taken from a read of the object. */
import type { Tool } from '../catalog/tool.ts';
import { redact } from '../telemetry/redact.ts';
import { envelopedObject, formsOf, plain } from './enveloped-object.ts';
import { shortText } from './shorten.ts';

/** At most one value each, all text. `id` is the value of the key by which the platform names the object. */
export interface Identity {
  id?: string;
  name?: string;
  type?: string;
  model?: string;
  site?: string;
  owner?: string;
  /** As the platform words it: somebody restarts what is down in other ways than what is up. */
  status?: string;
}

/** Names of fields in order of preference, lower case and without separators. */
const FIELDS = {
  name: ['name', 'hostname', 'displayname', 'devicename', 'label', 'ssid', 'essid', 'title', 'username', 'email'],
  type: ['type', 'devicetype', 'kind', 'devicefunction', 'category', 'role'],
  model: ['model', 'devicemodel', 'partnumber', 'platform'],
  site: ['sitename', 'site', 'siteid', 'groupname', 'group', 'scopename', 'scope', 'scopeid', 'location'],
  owner: ['owner', 'ownername', 'createdby', 'assignedto', 'contact'],
  status: ['status', 'state', 'devicestatus', 'connectionstatus', 'operationalstatus', 'operstatus'],
} as const;

/** Beside one of these a state is a part of a country. */
const OF_AN_ADDRESS = ['city', 'zip', 'zipcode', 'postalcode', 'postcode'];

const MAX_TEXT = 120;

/** Undefined where the object shows none of them. Secrets stay masked. */
export function identityOf(tool: Pick<Tool, 'resource' | 'path'>, answer: unknown): Identity | undefined {
  const { resource, path } = tool;
  const shown = redact(answer);
  const enveloped = envelopedObject(tool, shown);
  const fields = fieldsOf(enveloped.kind === 'object' ? enveloped.object : shown);
  if (fields === undefined) return undefined;
  if (OF_AN_ADDRESS.some((name) => fields.has(name))) fields.delete('state');
  const identity: Identity = {};
  const id = pick(fields, [...(resource?.key ? [plain(resource.key)] : []), 'id', 'serialnumber', 'serial', 'uuid']);
  if (id !== undefined) identity.id = id;
  for (const [label, names] of Object.entries(FIELDS)) {
    const value = pick(fields, label === 'name' ? [...names, ...ownNames(path)] : names);
    if (value !== undefined && value !== id) identity[label as keyof typeof FIELDS] = value;
  }
  return Object.keys(identity).length > 0 ? identity : undefined;
}

/** `/switches/{serial}/reboot` is about something whose name may be called `switchName`. */
function ownNames(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'));
  return segments.reverse().flatMap((segment) => formsOf(plain(segment)).map((word) => `${word}name`));
}

/** The fields of an object by plain name; of the object inside where the answer is a wrapper around one. */
function fieldsOf(object: unknown): Map<string, unknown> | undefined {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  const entries = Object.entries(object);
  const [only] = entries;
  if (entries.length === 1 && only && typeof only[1] === 'object') return fieldsOf(only[1]);
  return new Map(entries.map(([name, value]) => [plain(name), value]));
}

function pick(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = textOf(fields.get(name));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A site or an owner may be an object of its own, told by its name. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' ? undefined : shortText(value, MAX_TEXT);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { name, id } = value as { name?: unknown; id?: unknown };
  return typeof name === 'object' || typeof id === 'object' ? undefined : (textOf(name) ?? textOf(id));
}
