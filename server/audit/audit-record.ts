/** What a line says beside its place in the chain. */
export type AuditRecord = CallRecord | OperatorRecord;

/** What an operator did, or was asked: an approval, the write switch, a sign-in. On the disk before it has an effect. */
export type OperatorRecord =
  | {
      kind: 'approval';
      /**
       * `overtaken`: what the line before it says did not count, because another change came first. `revoked`: a yes counts no
       * more, because its operator is not the same any more. `expired`: its time ran out before it was answered, or used.
       */
      event: 'asked' | 'approved' | 'declined' | 'cancelled' | 'overtaken' | 'revoked' | 'expired';
      id: string;
      /** Keyed digest of the requests. */
      digest: string;
      tool: string;
      /** Who asked. */
      principal: string;
      operator?: string;
      where?: 'console' | 'terminal';
      reason?: string;
    }
  | {
      kind: 'writes';
      event: 'stopped' | 'allowed';
      operator: string;
      where: 'console' | 'terminal';
      reason: string;
    }
  | { kind: 'sign_in'; event: 'accepted' | 'refused'; operator: string; where: 'console' | 'terminal' };

/** Times in milliseconds, digests SHA-256 in base64url. */
export interface CallRecord {
  /** `asked`: a person is about to be asked. `intent`: a write is about to be sent. `call`: a call has come to its end. */
  kind: 'asked' | 'intent' | 'call';
  /** Joins an intent with its call. */
  id: string;
  dispatcher: string;
  tool: string;
  platform: string | null;
  capability: string | null;
  /** `operator` where the class is an operator's word (`--read-operation`), not the router's own. */
  class_by?: string;
  principal: string;
  argument_keys: string[];
  argument_digest: string;
  /** Of a question, and of the call that brings its answer: keyed digest of the requests that it shows. */
  digest?: string;
  /** Of an intent: which requests were approved (keyed digest), how it was asked, who answered, and when. */
  approval?: {
    id: string;
    digest: string;
    how: string;
    asked_at: number;
    answered_at: number;
    answered_by: string;
  };
  /** Of a call: who approved what it sent, as `answered_by` of its intent. */
  approver?: string;
  outcome?: string;
  code?: string;
  status?: number;
  ms?: number;
  requests?: number;
  rate_wait_ms?: number;
}
