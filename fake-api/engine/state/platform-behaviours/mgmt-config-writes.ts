/** What follows from writing configuration: a new scope joins the tree, an older form writes the object it stands for. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import type { Resource } from '../../openapi/stored-resource.ts';
import { rowId } from '../collection.ts';
import type { JsonObject } from '../json-value.ts';
import type { Values } from '../platform-behaviour.ts';
import { newDraft } from '../writing.ts';

const ASSIGNMENTS = 'config-assignments';
const CLIENT = 'demo-client';
const SCOPES = new Set(['sites', 'site-collections', 'device-groups', 'device-collections']);

export function configurationWritten(call: AcceptedRequest, resource: Resource, row: Values | null): void {
  if (row === null) return;
  if (resource.name === ASSIGNMENTS) sign(call, resource, row);
  if (SCOPES.has(resource.name)) {
    const id = String(row['scope-id']);
    ensure(call, 'hierarchy', id, { 'scope-id': id });
    if (resource.name === 'sites') watch(call, id);
  }
  if (resource.name === 'layer2-vlan-v1') {
    const { vlan_id: number, name, voice, 'description-text': text } = row;
    const told: JsonObject = { name: String(name ?? number), voice: voice === true };
    if (typeof text === 'string') told['description-text'] = text;
    write(call, 'layer2-vlan', String(number), told);
    assign(call, 'layer2-vlan', String(number), row['scope-map'] as Values);
  }
  if (resource.name === 'static-route-v1') {
    const [destination, prefix] = String(row['destination']).split('/');
    const told = {
      destination,
      'prefix-length': Number(prefix),
      'next-hop': row['next-hop'],
      distance: row['distance'],
    };
    write(call, 'static-route', String(row['name']), told as JsonObject);
    assign(call, 'static-route', String(row['name']), row['scope-map'] as Values);
  }
}

/** Monitoring shows a site from its creation on. */
function watch(call: AcceptedRequest, siteId: string): void {
  ensure(call, 'sites-summary', siteId, { id: siteId });
  ensure(call, 'sites-health', siteId, { siteId, profile: 'branch' });
  ensure(call, 'topology', siteId, { siteId, layout: 'TREE' });
  for (const deviceType of ['ACCESS_POINT', 'SWITCH', 'GATEWAY']) {
    const rowId = `${siteId}-${deviceType.toLowerCase().replace('_', '-')}`;
    ensure(call, 'sites-device-health', rowId, { rowId, siteId, deviceType });
  }
  for (const medium of ['WIRELESS', 'WIRED']) {
    const rowId = `${siteId}-${medium.toLowerCase()}`;
    ensure(call, 'sites-client-health', rowId, { rowId, siteId, medium });
  }
}

/** A row that the platform keeps beside another one; derived values fill it on every read. */
function ensure(call: AcceptedRequest, name: string, id: string, value: JsonObject): void {
  const resource = call.platform.resources.get(name);
  if (resource === undefined || call.state.rows(call.platform.id, name).get(id) !== undefined) return;
  call.state.put(resource, { id, value, secrets: {}, revision: 1 });
}

function write(call: AcceptedRequest, name: string, id: string, told: JsonObject): void {
  const resource = call.platform.resources.get(name);
  if (resource === undefined) return;
  const before = call.state.rows(call.platform.id, name).get(id);
  const revision = (before?.revision ?? 0) + 1;
  if (before !== undefined) {
    call.state.put(resource, { ...before, value: { ...before.value, ...told }, revision });
    return;
  }
  const { value, secrets } = newDraft(call, resource, id, told);
  call.state.put(resource, { id, value, secrets, revision });
}

function assign(call: AcceptedRequest, type: string, instance: string, place: Values): void {
  const resource = call.platform.resources.get(ASSIGNMENTS);
  if (resource === undefined) return;
  const body = {
    'scope-id': String(place['scope-id']),
    'device-function': String(place['persona']),
    'profile-type': type,
    'profile-instance': instance,
  };
  const id = rowId(Object.values(body));
  if (call.state.rows(call.platform.id, resource.name).get(id) !== undefined) return;
  const { value, secrets } = newDraft(call, resource, id, body);
  call.state.put(resource, { id, value, secrets, revision: 1 });
  sign(call, resource, value);
}

/** The account behind the token is the one that assigned. */
function sign(call: AcceptedRequest, resource: Resource, row: Values): void {
  const id = rowId(resource.keyNames.map((name) => String(row[name])));
  const stored = call.state.rows(call.platform.id, resource.name).get(id);
  if (stored !== undefined) call.state.put(resource, { ...stored, value: { ...stored.value, 'assigned-by': CLIENT } });
}
