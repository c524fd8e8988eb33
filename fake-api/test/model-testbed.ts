/** A platform that a test writes down as a model: expanded, read and driven without a socket. */
import { type CallRecord, handle, type Served } from '../engine/http/request-pipeline.ts';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import { readPlatform } from '../engine/openapi/served-platform.ts';
import { NO_PLATFORM_BEHAVIOUR } from '../engine/state/platform-behaviour.ts';
import { NO_ROWS, State } from '../engine/state/state.ts';
import { expandPlatform } from '../expand/assemble-document.ts';
import { readDocumentModel } from '../expand/model/document-model.ts';
import { parseModel } from '../expand/model/model-file.ts';
import { assemblePlatform } from '../expand/model/platform-folder-model.ts';
import { readPlatformModel } from '../expand/model/platform-model.ts';
import type { Called } from './engine/small-platform.ts';

export interface ModelTestbed {
  documents: Record<string, OpenApiDocument>;
  state: State;
  records: CallRecord[];
  /** Sent with every call, such as the credential. */
  headers: Record<string, string>;
  call: (method: string, target: string, body?: unknown, headers?: Record<string, string>) => Called;
}

const HEAD = `
platform: demo
title: Demo
phrase: demo
version: "1.0.0"
description: A platform for one test.
`;

const REST = {
  auth: '{kind: bearer}',
  styles: `
    plain:
      create: {at: collection, status: 201}
      delete: {status: 204, body: none}
      list: {property: items, paging: none}`,
  errors: '{schema: Problem, always: [400, 401], item: [404], write: [409, 422]}',
  objects: `
    Problem: {httpStatusCode: "int! -- Status", errorCode: "str! -- Code", message: "str! -- What was expected"}
    Started: {id: "uuid! -- Task", state: "enum(QUEUED|ACTIVE|DONE|BROKEN)! -- How far it is"}
    Polled:
      id: uuid! -- Task
      state: enum(QUEUED|ACTIVE|DONE|BROKEN)! -- How far it is
      percent: int(0..100) -- Share done
      because: str null -- Why it broke
      begun: datetime -- Start
      ended: datetime null -- End
      found: json null -- Outcome`,
};

export const ASYNC = `
    started: Started
    polled: Polled
    parameter: {task: "uuid -- Task that was started"}
    states: [QUEUED, ACTIVE, DONE, BROKEN]
    terminal: [DONE, BROKEN]
    field: state
    values: {id: id, state: status, percent: progress, because: reason, begun: start, ended: end, found: output}`;

/** `parts` are the keys of platform.yaml that differ from a plain platform; the document's `resources` come as YAML. */
export function modelTestbed(resources: string, parts: Partial<Record<string, string>> = {}, head = ''): ModelTestbed {
  const platformText =
    HEAD +
    Object.entries({ ...REST, ...parts })
      .map(([key, text]) => `${key}: ${text}\n`)
      .join('');
  const documentText = `document: things\nbase: /api\nstyle: plain\ntag: Things\n${head}\nresources:\n${resources}`;
  const model = readPlatformModel(parseModel(platformText, 'demo/platform.yaml'));
  const document = readDocumentModel(parseModel(documentText, 'demo/things.yaml'));
  const expanded = expandPlatform(assemblePlatform(model, [document], new Map()));
  const documents = Object.fromEntries(
    expanded.map(({ name, document }) => [name, JSON.parse(JSON.stringify(document)) as OpenApiDocument]),
  );
  const platform = readPlatform({ id: 'demo', documents });
  const state = new State(new Map([['demo', platform]]), NO_ROWS, { seed: 1, clock: '2026-03-02T09:00:00Z' });
  const served: Served = { platform, world: NO_PLATFORM_BEHAVIOUR };
  const records: CallRecord[] = [];
  const testbed: ModelTestbed = {
    documents,
    state,
    records,
    headers: { authorization: 'Bearer demo-token' },
    call: (method, target, sent, headers = {}) => {
      const [path = '', query = ''] = target.split('?');
      const journal = { calls: records.length, append: (record: CallRecord) => void records.push(record) };
      const answer = handle(served, state, journal, {
        method,
        path,
        query,
        headers: {
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...testbed.headers,
          ...headers,
        },
        body: sent === undefined ? null : Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent)),
      });
      const isJson = answer.body !== '' && answer.headers['content-type']?.endsWith('json') === true;
      return { ...answer, json: isJson ? JSON.parse(answer.body) : {} };
    },
  };
  return testbed;
}

/** A network object of the tests' platforms: a name, a number that must be unique, a setting and a secret. */
export const VLANS = `
  vlans:
    noun: [VLAN, VLANs]
    aliases: [virtual network]
    questions: [which VLAN is it]
    distinguish: one network by its number
    impact: everybody in it loses the network
    key: name str(1..40) -- Name
    fields:
      number: int(1..4094)! uniq list -- Tag on the wire
      mtu: int(68..9216)=1500 -- Largest frame
      enabled: bool=true -- Whether it forwards
      passphrase: secret(8..63) -- Shared secret
      tested-at: datetime ro null -- Last test
`;
