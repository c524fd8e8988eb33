/** What a line says beside its place in the chain. Times in milliseconds, digests SHA-256 in base64url. */
export interface AuditRecord {
  /** `intent`: a write is about to be sent. `call`: a call has come to its end. */
  kind: 'intent' | 'call';
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
  /** Of an intent: which requests were approved (keyed digest), how it was asked, who answered, and when. */
  approval?: {
    id: string;
    digest: string;
    how: string;
    asked_at: number;
    answered_at: number;
    answered_by: string;
  };
  outcome?: string;
  code?: string;
  status?: number;
  ms?: number;
  requests?: number;
  rate_wait_ms?: number;
}
