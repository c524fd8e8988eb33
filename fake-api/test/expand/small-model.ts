/** A platform small enough to read in a test: one style of each kind and one document given as text. */
import { definitionKeys, readDefinitions } from '../../expand/model/definitions.ts';
import { readDocumentModel } from '../../expand/model/document-model.ts';
import { parseModel } from '../../expand/model/model-file.ts';
import { assemblePlatform, type Platform } from '../../expand/model/platform-folder-model.ts';
import { readPlatformModel } from '../../expand/model/platform-model.ts';

const platformText = `
platform: demo
title: Demo cloud
phrase: demo cloud
version: "1.0.0"
description: A platform for tests.
gate: DEMO
auth: {kind: oauth2-client-credentials, token: /token, lifetime: 600}
styles:
  profile:
    create: {at: item, status: 200}
    replace: {status: 200, upsert: true}
    delete: {status: 200, body: object}
    key-in-body: true
    list: {property: "{singular}", paging: offset, default: 100, max: 1000, extras: [count, total]}
    queries: [scope-write]
    meta: Stamp
  monitor:
    case: camel
    create: {at: collection, status: 201}
    list: {property: items, paging: cursor, extras: [total], filter: odata-and}
    top-path: "{parent}/top-{resource}-by-{name}"
queries:
  scope-write:
    on: [create, replace, patch, delete]
    scopes: [local]
    fields: {scope-id: "str(1..64)! -- Scope of the object"}
errors: {schema: Problem, always: [400, 401, 429], item: [404], write: [409]}
rate-limit: {limit: 10, per: second, headers: {X-RateLimit-Limit: Requests allowed}}
async:
  started: Started
  polled: Task
  parameter: {task-id: "uuid -- Identifier of the started task"}
  states: [RUNNING, COMPLETED]
  terminal: [COMPLETED]
  field: status
objects:
  Problem: {message: "str(1..200)! -- What went wrong"}
  Stamp: {revision: "int(1..) -- Changes so far"}
  Started: {taskId: "uuid! -- Identifier for polling"}
  Task: {status: "enum(RUNNING|COMPLETED)! -- How far it is"}
`;

/** The resource of the design's model example: standard operations, status, two actions, a diagnostic, a search. */
export const exampleText = `
document: config-security
base: /network-config/v1alpha1
style: profile
tag: Security and AAA
realm: library
mixins:
  radius-timers:
    timeout: int(1..30)=5 -- Seconds to wait for one reply
    retransmit: int(0..5)=3 -- Attempts until the server counts as dead
objects:
  LdapSettings:
    base-dn: str(1..256)! -- Search base for user look-ups
    admin-password: secret(1..64) null -- Bind secret
    transport: enum(clear|ldaps)=ldaps -- How the bind is protected
enums:
  AuthServerType: [RADIUS, LDAP, TACACS]
resources:
  auth-servers:
    noun: [authentication server, authentication servers]
    aliases: [AAA server, RADIUS server]
    questions: [which server answers our logins]
    distinguish: one external identity server; an ordered list of them is a server group
    impact: logins that only it answers fail
    key: name str(/^[A-Za-z0-9_.-]{1,63}$/) -- Name in the library
    ops: crud
    scope: shared
    audience: [admin, operator]
    use: [radius-timers]
    fields:
      type: AuthServerType! imm list filter(eq,in) sort -- Protocol spoken by the server
      host: host! list filter(eq) sort q uniq -- Address under which it is reached
      auth-port: int(1..65535)=1812 list -- Port for requests
      shared-secret: secret(8..127) -- Secret shared with the server
      ldap: obj(LdapSettings) null -- Directory settings, only with type LDAP
      used-by: int(0..) ro list -- Number of groups that contain it
    rules:
      - {when: {type: LDAP}, require: [ldap]}
      - {field: type, device-function: {CAMPUS_AP: [RADIUS, LDAP]}}
    status:
      reachable: bool -- Outcome of the last probe
    actions:
      rotate-secret:
        does: Replace the shared secret of one authentication server
        input: {shared-secret: "secret(8..127)! -- New secret"}
        result: {rotated-at: "datetime -- Time of the change"}
      drain:
        title: drain
        does: take it out of service
        capability: destructive
        async: true
        impact: sessions move to other servers
        input: {grace-seconds: "int(0..3600)=60 -- Seconds until requests are dropped"}
        result: {drained: "int(0..) -- Sessions that moved"}
    diagnostics:
      test-authentication:
        title: authentication test
        does: log in with a test account
        async: true
        input: {username: "str(1..128)! -- Account used for the test"}
        result: {outcome: "enum(accept|reject) -- Answer of the server"}
    search:
      text: str(1..64)! -- Part of a name or address
    overrides:
      delete: {audience: [admin]}
`;

export function smallPlatform(...documents: readonly string[]): Platform {
  return platformOf(platformText, ...documents);
}

/** The text of platform.yaml for a platform of another name. */
export function platformNamed(id: string): string {
  return platformText.replace('platform: demo', `platform: ${id}`);
}

/** The text of platform.yaml with one more style, named `own`. */
export function withStyle(lines: string): string {
  return platformText.replace('\nqueries:', `\n  own:\n${lines.replace(/^/gm, '    ')}\nqueries:`);
}

export function platformOf(text: string, ...documents: readonly string[]): Platform {
  const model = readPlatformModel(parseModel(text, 'demo/platform.yaml'));
  const models = documents.map((each, index) => readDocumentModel(parseModel(each, `demo/document-${index + 1}.yaml`)));
  const shared = readDefinitions(parseModel('mixins: {}', 'shared/none.yaml').mapping(definitionKeys));
  return assemblePlatform(model, models, new Map([['none', shared]]));
}

/** One document with these resources and nothing else, for what a single line does. */
export function documentWith(resources: string, head = 'style: profile'): string {
  const indented = resources.replace(/^/gm, '  ');
  return `document: small\nbase: /api\n${head}\ntag: Small\nresources:\n${indented}\n`;
}
