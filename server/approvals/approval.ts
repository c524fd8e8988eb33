/**
 * An approval that operators give outside of the agent's client: the whole requests as they will be sent, who decided,
 * and its state. It is for one digest of requests, and for one use. Times in milliseconds since 1970.
 */
import { quoted } from '../telemetry/invisible.ts';

/** A header as the operator sees it: its value as it is sent, or in words where it is a credential or not known yet. */
export interface ShownHeader {
  name: string;
  shown: string;
}

/** The body as the operator sees it. */
export interface ShownBody {
  contentType: string;
  /** Length on the wire. */
  bytes: number;
  /** The bytes that are sent as text, or that text as a JSON string. */
  text: string;
  form: 'as sent' | 'json string' | 'part by part';
  /** Whether `target_secrets` stand in it as asterisks. */
  masked: boolean;
}

/** One request as it will be sent; texts of others are quoted, and invisible characters stand as escapes. */
export interface ShownRequest {
  tool: string;
  platform: string;
  capability: string;
  /** Text of the document, quoted; empty where there is none. */
  documentText: string;
  account: string;
  host: string;
  method: string;
  /** Path and query on the wire. */
  target: string;
  headers: readonly ShownHeader[];
  body: ShownBody | null;
  /** What the preview read and what changes, one line each. */
  notes: readonly string[];
  /** The object as its preview names it. */
  object: string;
  /** Path of the document with its values. */
  path: string;
  operation: string;
}

export type Verdict = 'approve' | 'decline';
export type Where = 'console' | 'terminal';

export interface Decision {
  operator: string;
  /** The operator's at that time: a decision counts as long as the operator is the same. */
  stamp: string;
  verdict: Verdict;
  where: Where;
  at: number;
  /** Free text of the operator; may be empty. */
  reason: string;
}

export type ApprovalState = 'pending' | 'approved' | 'declined' | 'cancelled' | 'expired' | 'used';

export interface Approval {
  version: 1;
  id: string;
  /** Keyed digest of the requests, as the audit log holds it. */
  digest: string;
  /** Who asked: the principal of the call. */
  principal: string;
  tool: string;
  /** One line before the requests; empty where there is none. */
  about: string;
  destructive: boolean;
  /** Operators who have to agree. */
  needed: number;
  askedAt: number;
  expiresAt: number;
  state: Exclude<ApprovalState, 'expired'>;
  decisions: readonly Decision[];
  /** Empty once it is decided against, withdrawn, used or expired. */
  requests: readonly ShownRequest[];
}

/**
 * The state now: what is open past its time has expired. So has what has no requests any more: they went by a clock that was
 * ahead of this one, and nobody may agree to what is not shown.
 */
export function stateOf({ state, expiresAt, requests }: Approval, now: number): ApprovalState {
  const open = state === 'pending' || state === 'approved';
  return open && (now >= expiresAt || requests.length === 0) ? 'expired' : state;
}

/** Names of the objects that its destructive requests destroy, in their order. */
export const destroyedObjects = ({ requests }: Approval): string[] =>
  requests.filter(({ capability }) => capability === 'destructive').map(({ object }) => object);

const LONGEST_IN_LIST = 40;

/** For one line of a list: what it is about, quoted and cut; empty where nothing is kept of it. */
export function objectInList({ requests }: Approval): string {
  const [first = '', ...others] = new Set(requests.map(({ object }) => object).filter((object) => object !== ''));
  if (first === '') return '';
  const cut = [...first].length > LONGEST_IN_LIST ? `${[...first].slice(0, LONGEST_IN_LIST).join('')}…` : first;
  return `${quoted(cut)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

const ID = /^[A-Za-z0-9_-]{43}$/;

/** The id of what has this digest, a SHA-256 in base64url. Without a hyphen: one that began with it would be an option to a command. */
export const approvalIdOf = (digest: string): string => digest.replaceAll('-', '_');

/** SHA-256 in base64url; an id is no secret and no credential. */
export const isApprovalId = (text: string): boolean => ID.test(text);
