/** A client of one platform without a socket: let in as the platform demands, in a namespace of its own. */
import { type CallRecord, type EngineResponse, handle, type Served } from '../engine/http/request-pipeline.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import type { State } from '../engine/state/state.ts';
import { freshState, type Installation } from './full-installation.ts';
import { openingOf, type Pass, passOf, withPass } from './platform-login.ts';

export interface Asked {
  method: string;
  path: string;
  query?: string;
  /** JSON value; text is sent as it is. */
  body?: unknown;
  /** Media type of the body where it is not JSON. */
  media?: string | undefined;
  headers?: Record<string, string>;
}

export interface Answered extends EngineResponse {
  /** The body, parsed; undefined where it is no JSON. */
  json: unknown;
}

export class PlatformClient {
  readonly platform: Platform;
  readonly state: State;
  readonly records: CallRecord[] = [];
  pass: Pass;
  readonly #served: Served;

  /** `state` may be one that holds further platforms; without it the namespace is one of its own. */
  constructor(installation: Installation, id: string, state = freshState(installation, id)) {
    const world = installation.worlds.get(id);
    if (world === undefined) throw new Error(`platform: expected one of ${installation.ids.join(', ')}, got "${id}"`);
    this.platform = installation.platforms.get(id) as Platform;
    this.#served = { platform: this.platform, world };
    this.state = state;
    this.pass = { headers: {}, query: '' };
    const opening = openingOf(this.platform);
    this.pass = passOf(this.platform, opening === null ? null : this.send(opening).body);
  }

  send({ method, path, query = '', body, media = 'application/json', headers = {} }: Asked): Answered {
    const answer = handle(
      this.#served,
      this.state,
      { calls: this.records.length, append: (record) => void this.records.push(record) },
      {
        method,
        path,
        query: withPass(query, this.pass),
        headers: { ...(body === undefined ? {} : { 'content-type': media }), ...this.pass.headers, ...headers },
        body: body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      },
    );
    const isJson = answer.body !== '' && /json/.test(answer.headers['content-type'] ?? '');
    return { ...answer, json: isJson ? JSON.parse(answer.body) : undefined };
  }

  /** `GET /path?query`, as one writes it. */
  get(target: string, headers: Record<string, string> = {}): Answered {
    return this.call('GET', target, undefined, { headers });
  }

  call(method: string, target: string, body?: unknown, more: Partial<Asked> = {}): Answered {
    const cut = target.indexOf('?');
    const [path, query] = cut < 0 ? [target, ''] : [target.slice(0, cut), target.slice(cut + 1)];
    return this.send({ method, path, query, body, ...more });
  }
}

/** Operations that are no part of letting somebody in. */
export function servedOperations({ operations }: Platform): Operation[] {
  return operations.filter(({ kind }) => kind !== 'token' && kind !== 'login' && kind !== 'logout');
}
