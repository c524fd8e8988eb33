/**
 * The ledger: every request the fake received, in order, refused and unmatched ones included. It is the benchmark's
 * truth about what was called, so it is written by the fake alone and read only over the control port.
 * This file is the one crossing to the harness (`#fake-api/ledger`) and therefore holds types only.
 */

/** What a call may have done. `poll` and `auth` are kept but never counted as platform calls. */
export type LedgerClass = 'read' | 'diagnostic' | 'write' | 'destructive' | 'poll' | 'auth';

/** One received request. `path` and `query` are what the client sent, without the namespace prefix. */
export interface LedgerEntry {
  /** Starts at 1 in each namespace and after each reset. */
  seq: number;
  /** Virtual ISO time at which the request arrived. */
  at: string;
  platform: string;
  method: string;
  /** Concrete path as in the platform's document, no query. */
  path: string;
  /** Query in canonical form: decoded pairs, sorted by name then value, encoded again. Empty when there is none. */
  query: string;
  /** Path template of the matched operation, null when nothing matched. */
  template: string | null;
  operationId: string | null;
  capability: LedgerClass;
  status: number;
  /** `sha256:` of the canonical request body, null without a body. The body itself is never kept. */
  bodyHash: string | null;
  /** Of a platform that a document of somebody else describes: the credentials of the call. Absent where it has none. */
  credentials?: LedgerCredential[];
  /** Kind of the planned fault that struck this call; `status` is then what the platform meant, not what the client saw. */
  fault?: string;
}

/** A credential of a call. Its value is never kept: who knows it can compute the digest. */
export interface LedgerCredential {
  /** Name of the security scheme; of a token request, the grant type. */
  scheme: string;
  in: 'header' | 'query' | 'cookie' | 'body';
  /** Name of the header, parameter, cookie or form field; `client` for the id and secret of a client. */
  name: string;
  /** `sha256:` of the key, of the token, of `user:password`, or of `id:secret`. */
  digest: string;
  /** Scopes that a token request asks for. */
  scope?: string;
}

/** `GET /namespaces/{ns}/ledger` */
export interface LedgerAnswer {
  entries: LedgerEntry[];
}

/** Which starting state a namespace was reset to. */
export interface FixtureIdentity {
  /** Name of the bundle; with an incident `bundle+incident`. */
  bundle: string;
  version: number;
  /** `sha256:` over the bundle and every row it prepares at its own seed, in canonical form. */
  digest: string;
}

/** Whether rate limits and token life only stand in the answers or also refuse calls. */
export type LimitMode = 'announced' | 'enforced';

/** `POST /namespaces/{ns}/reset` */
export interface ResetRequest {
  fixture?: string;
  seed?: number;
  limits?: LimitMode;
  /** Name of an incident that the namespace starts with. */
  incident?: string;
}

export interface ResetAnswer {
  namespace: string;
  fixture: FixtureIdentity;
  seed: number;
  /** Virtual ISO time. */
  clock: string;
}

/**
 * `GET /namespaces/{ns}/state?platform=…&resource=…&view=edited|committed`; a secret appears as `{"present": true}`. What
 * waits in a stage is part of the edited state, which is the one shown when no view is named.
 */
export interface StateAnswer {
  items: Record<string, unknown>[];
}

/** `GET /namespaces/{ns}/state?platform=…` without a resource: how many objects each resource has. */
export interface StateSummaryAnswer {
  resources: Record<string, number>;
}

/** One row that differs from what it was after the last reset. */
export interface RowChange {
  platform: string;
  resource: string;
  kind: 'created' | 'changed' | 'deleted';
  /** As it is now; of a deleted row as it was. Secrets appear as `{"present": true}`. */
  value: Record<string, unknown>;
  /** Of a changed row: its fields that differ. */
  fields: string[];
}

/** `GET /namespaces/{ns}/changes`: what the calls since the last reset changed, by platform, resource and key. */
export interface ChangesAnswer {
  changes: RowChange[];
}

/** `GET /namespaces/{ns}/incidents` */
export interface IncidentsAnswer {
  /** Virtual ISO time of the start; null for an incident that does not run. */
  incidents: { name: string; about: string; startedAt: string | null }[];
}

/** `POST /namespaces/{ns}/incidents` */
export interface IncidentStartedAnswer {
  name: string;
  about: string;
  cause: string;
  startedAt: string;
  /** Changed rows by platform and resource. */
  rows: Record<string, Record<string, number>>;
}

/** The one line `main.ts --json` prints on stdout when both ports listen. */
export interface FakeReady {
  ready: true;
  api: string;
  control: string;
  platforms: Record<string, string>;
  fixture: FixtureIdentity;
  /** Only when documents were given with `--openapi`, in the order given. */
  documents?: ReadyDocument[];
}

/** What the fake made of a document that nobody here wrote. */
export interface ReadyDocument {
  file: string;
  /** Null when the document was refused. */
  platform: string | null;
  operations: number;
  /** Inferred things that are remembered. */
  things: number;
  warnings: number;
  /** Code and message of the refusal. */
  refused: string | null;
}
