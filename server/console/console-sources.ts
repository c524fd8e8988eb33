/** What the console shows of the router beside the approvals: read-only values, made by whoever puts the router together. */
import type { ScoreExplanation } from '../search/score-explanation.ts';
import type { CallRow, LastRequest, MetricRow, TracedCall } from '../telemetry/recent-calls.ts';

export interface PlatformRow {
  id: string;
  /** Whether its account is complete. */
  configured: boolean;
  gate: string;
  /** The setting that decides the gate. */
  source: string;
  /** Requests in a second that its account may send; 0 for no limit. */
  ratePerSecond: number;
  /** What this process sent to it last; nothing is sent to find out. */
  last: LastRequest | undefined;
}

export interface AuditRow {
  seq: number;
  at: string;
  kind: string;
  tool: string;
  who: string;
  what: string;
}

export interface AuditView {
  /** The newest of those that hold the word. */
  rows: readonly AuditRow[];
  /** How many hold it. */
  found: number;
  /** What verification found; undefined where it was not asked for. */
  chain: string | undefined;
}

export interface FindRow {
  name: string;
  capability: string;
  /** Method and path. */
  request: string;
  line: string;
  why: ScoreExplanation;
}

/** What `find_tool` finds, and what it says beside the hits. */
export interface FindView {
  rows: readonly FindRow[];
  note: string | undefined;
}

export interface ConsoleSources {
  profile: string;
  platforms: () => readonly PlatformRow[];
  /** The latest calls that hold the word, newest first. */
  calls: (word: string) => readonly CallRow[];
  trace: (id: string) => TracedCall | undefined;
  mostCalls: number;
  /** Undefined without an audit log. */
  audit: (word: string, verify: boolean) => Promise<AuditView | undefined>;
  metrics: () => readonly MetricRow[];
  find: (query: string) => FindView;
}
