/** Reading the very object that a write is about, before it to compare and after it to find out. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import type { OutboundClient, PlatformResponse } from '../outbound/client.ts';
import type { AdmittedCall } from './call.ts';
import { buildRequest } from './request.ts';
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
  const known = reader.parameters.filter(({ argument }) => values[argument] !== undefined);
  const readable = Object.fromEntries(known.map(({ argument }) => [argument, values[argument]]));
  if (validators.problems(reader, readable).length > 0) return 'not readable';
  const read = buildRequest(reader, readable);
  if (!read.ok) return 'not readable';
  const { path, query, headers } = read.request;
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
        ...(call.signal ? { signal: call.signal } : {}),
        ...(call.spent ? { spent: call.spent } : {}),
        ...(call.waiting ? { waiting: call.waiting } : {}),
        ...(until === undefined ? {} : { until }),
      }),
  };
}
