/** The steps of a request in which documents differ. Everything else is the same for every document (`request-pipeline.ts`). */
import type { OpenApiDocument, Schema } from '../openapi/openapi-document.ts';
import type { Check } from '../openapi/schema-checks.ts';
import type { Operation } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import type { State } from '../state/state.ts';
import type { Behaviour } from './accepted-call.ts';
import type { Presented } from './auth.ts';
import type { Answer, Done, Refusal } from './platform-answer.ts';

export interface Conventions {
  access: Access;
  checkParameter: SchemaCheck;
  body: BodyConventions;
  /** Status for a path whose percent-encoding is invalid. */
  undecodablePath: 400 | 404;
  behaviourOf: (operation: Operation) => Behaviour;
  /** The answer that a caller prefers (RFC 7240), given instead of any work; null where the call states no preference. */
  preferred?: (operation: Operation, state: State, request: Pick<AccessRequest, 'headers' | 'path'>) => Answer | null;
  /** HEAD is answered like GET, and OPTIONS with the methods of the path, where the document describes neither. */
  impliesMethods?: true;
  render: (answer: Done, operation: Operation | null, accept: string) => Rendered;
  renderRefusal: (refusal: Refusal, operation: Operation | null, where: Where) => Rendered;
}

/** A check that is compiled once per document and schema. */
export type SchemaCheck = (document: OpenApiDocument, schema: Schema) => Check;

export interface Access {
  /** Why a call is refused, null when it is let in. The operation is null where the path or the method is unknown. */
  refusal: (platform: Platform, state: State, operation: Operation | null, call: Presented & Pathed) => Answer | null;
  /** Query parameters that carry a credential: the ledger does not record them, and no operation reads them. */
  credentialParameters: (platform: Platform) => ReadonlySet<string>;
  /** Whether a request asks for a credential or gives one back. */
  issues: (
    platform: Platform,
    operation: Operation | null,
    request: Pick<Presented, 'method'> & Pathed & { body?: Buffer | null },
  ) => boolean;
  issue: (platform: Platform, state: State, operation: Operation | null, request: AccessRequest) => Answer;
  /** What the ledger says of the credentials of a call; it says nothing where this is left out. */
  sent?: (platform: Platform, request: AccessRequest) => SentCredential[];
}

/** A credential of a call, told apart from others by its digest. */
export interface SentCredential {
  /** Name of the security scheme; of a token request, the grant type. */
  scheme: string;
  in: 'header' | 'query' | 'cookie' | 'body';
  /** Name of the header, parameter, cookie or form field. */
  name: string;
  /** `sha256:` of the credential. */
  digest: string;
  /** Scopes that a token request asks for. */
  scope?: string;
}

interface Pathed {
  path: string;
}

export interface AccessRequest extends Presented, Pathed {
  body: Buffer | null;
  /** URL of the platform without a trailing slash; absent for a call that came without a socket. */
  base?: string;
}

export interface BodyConventions {
  check: SchemaCheck;
  /**
   * A body without a media type has the preferred declared one, and `{}` is no body where none is declared. Otherwise
   * both are refused.
   */
  isLenient: boolean;
}

/** Where a call stands in its namespace: generated parts of a refusal follow from it. */
export interface Where {
  platform: Platform;
  state: State;
  /** Number of its entry in the ledger. */
  sequence: number;
}

export interface Rendered {
  status: number;
  /** Null where there is no body. */
  media: string | null;
  body: string;
  /** Set where each character of the body is a byte; else it is UTF-8. */
  encoding?: 'latin1';
}
