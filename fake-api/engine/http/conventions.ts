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
  render: (answer: Done, operation: Operation | null, accept: string) => Rendered;
  renderRefusal: (refusal: Refusal, operation: Operation | null, where: Where) => Rendered;
}

/** A check that is compiled once per document and schema. */
export type SchemaCheck = (document: OpenApiDocument, schema: Schema) => Check;

export interface Access {
  /** Why a call is refused, null when it is let in. The operation is null where the path or the method is unknown. */
  refusal: (platform: Platform, state: State, operation: Operation | null, call: Presented) => Answer | null;
  /** Query parameters that carry a credential: the ledger does not record them, and no operation reads them. */
  credentialParameters: (platform: Platform) => ReadonlySet<string>;
  /** Whether a request asks for a credential or gives one back. */
  issues: (platform: Platform, operation: Operation | null, request: Pick<Presented, 'method'> & Pathed) => boolean;
  issue: (platform: Platform, state: State, operation: Operation | null, request: AccessRequest) => Answer;
}

interface Pathed {
  path: string;
}

export interface AccessRequest extends Presented {
  body: Buffer | null;
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
}
