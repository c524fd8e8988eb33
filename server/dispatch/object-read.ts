/** Reading the very object that a write is about, before it to compare and after it to find out. */
import { bodyFields } from '../catalog/request-schema.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { PlatformResponse } from '../outbound/platform-response.ts';
import { isSecretName } from '../telemetry/redact.ts';
import { takeApart } from './arguments.ts';
import { type AdmittedCall, waiterOf } from './dispatch-call.ts';
import { stricterAt } from './reached-operation.ts';
import { buildRequest, wantsOf } from './request.ts';
import { requiredArguments } from './sibling-tools.ts';
import type { Validators } from './validate.ts';

export interface ObjectSources {
  catalog: Catalog;
  validators: Validators;
  outbound: OutboundClient;
}

export interface ObjectRead {
  reader: Tool;
  /** As a person would write it: `GET /path`. */
  source: string;
  /** `until` ends it, as a time of `performance.now()`. */
  send: (until?: number) => Promise<PlatformResponse>;
}

/**
 * The read with the tool named, by default the one on the same path, ready to be sent; or why there is none: the document
 * offers no reader, or it needs other arguments than the call has.
 */
export function objectRead(
  { call, tool, platform, values }: AdmittedCall,
  { catalog, validators, outbound }: ObjectSources,
  name = tool.reader,
): ObjectRead | 'no reader' | 'not readable' {
  const reader = name ? catalog.tool(name) : undefined;
  if (!reader) return 'no reader';
  const sources = { catalog, validators, outbound };
  return readWith(reader, argumentsFor(reader, values), { call, platform }, sources) ?? 'not readable';
}

/** A read with these arguments, ready to be sent; undefined where they do not fit it. */
export function readWith(
  reader: Tool,
  values: Readonly<Record<string, unknown>>,
  { call, platform }: Pick<AdmittedCall, 'call' | 'platform'>,
  { catalog, validators, outbound }: ObjectSources,
): ObjectRead | undefined {
  const taken = takeApart(values, validators.schema(reader));
  if ('pointer' in taken || validators.problems(reader, taken.values).length > 0) return undefined;
  const read = buildRequest(reader, { ...taken.values, ...taken.digits });
  if (!read.ok) return undefined;
  const { path, query, headers } = read.request;
  // Nobody approves a preview.
  if (stricterAt(reader, path, catalog)) return undefined;
  return {
    reader,
    source: `GET ${path}`,
    send: (until) =>
      outbound.send({
        platform,
        capability: 'read',
        method: 'GET',
        path,
        query,
        headers,
        ...wantsOf(reader),
        ...(call.signal ? { signal: call.signal } : {}),
        waiter: waiterOf(call),
        ...(call.cost ? { cost: call.cost } : {}),
        ...(call.waiting ? { waiting: call.waiting } : {}),
        ...(until === undefined ? {} : { until }),
      }),
  };
}

/** Names of the fields that the body of a tool can hold; undefined where they are not known. */
export function writableNames(
  tool: Tool,
  { validators }: Pick<ObjectSources, 'validators'>,
): ReadonlySet<string> | undefined {
  const names = bodyFields(validators.schema(tool));
  return names.length > 0 ? new Set(names) : undefined;
}

/** A call to make, as an agent can make it. */
export interface ReadBack {
  tool: string;
  arguments: Record<string, unknown>;
}

/** Of a call's arguments those that a read takes as well, by name. */
export function argumentsFor(reader: Tool, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = reader.parameters.filter(({ argument }) => values[argument] !== undefined);
  return Object.fromEntries(known.map(({ argument }) => [argument, values[argument]]));
}

/** The call that shows what became of a write: of the object, of what it acted on, else the list it was added to. */
export function readBackOf(
  { tool, values }: Pick<AdmittedCall, 'tool' | 'values'>,
  catalog: Catalog,
): ReadBack | undefined {
  const name = tool.reader ?? tool.target;
  const reader =
    name === undefined
      ? catalog
          .wrapping(`GET ${tool.path}`)
          .find(({ platform, capability }) => platform === tool.platform && capability === 'read')
      : catalog.tool(name);
  return reader && callOf(reader, values);
}

/** A read with what a call says: by its arguments, else in its body. Undefined where that is not all that the read requires. */
export function callOf(reader: Tool, values: Readonly<Record<string, unknown>>): ReadBack | undefined {
  const args = argumentsFor(reader, values);
  const body = commonFields(values['body']);
  for (const name of requiredArguments(reader)) {
    const value = args[name] ?? body[name];
    if (value === undefined) return undefined;
    args[name] = value;
  }
  return { tool: reader.name, arguments: args };
}

/** The plain values of a body; of a list those that all its entries have. */
function commonFields(body: unknown): Record<string, unknown> {
  const [first = {}, ...others] = (Array.isArray(body) ? body : [body]).filter(isFields);
  return Object.fromEntries(
    Object.entries(first).filter(
      ([name, value]) =>
        typeof value !== 'object' && !isSecretName(name) && others.every((other) => other[name] === value),
    ),
  );
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
