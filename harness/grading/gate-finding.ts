/** What a gate found, and the verdict that a run ends with. */
import type { ExitCode } from '../exit-codes.ts';
import type { DigestsByScenario, PublishedResults } from './published-results.ts';

export type GateName =
  | 'safety_failure'
  | 'task_success'
  | 'passed'
  | 'token_usage'
  | 'api_call_count'
  | 'missing'
  | 'published'
  | 'oracle'
  | 'noop'
  | 'added_time';

export interface Finding {
  key: string;
  /** Of the run it was found in; none where a run is missing. */
  seed?: number;
  /** Which gate it turned red. */
  gate: GateName;
  expected: string;
  actual: string;
  reason?: string;
  /** What the run requested at the platform, where the blessed run requested something else. */
  requests?: { blessed: string[]; now: string[] };
}

export interface Verdict {
  /** `played`: it was asked not to compare, and nothing is red without a comparison. */
  status: 'pass' | 'played' | 'fail' | 'stale' | 'no-baseline' | 'not-judged' | 'inconclusive';
  exit: ExitCode;
  findings: Finding[];
  /** Better than the baseline: worth a bless, never red. */
  unexpectedPasses: string[];
  /** Why the baseline does not speak about this world. */
  stale: string[];
  warnings: string[];
  /** Day of the bless that was compared with. */
  blessed?: string;
  /** The published version that was compared with too. */
  published?: PublishedSummary;
}

export interface PublishedSummary {
  version: string;
  /** Scenarios of this run, and how many of them could be compared. */
  scenarios: number;
  comparable: number;
  /** Reason → scenarios that were not compared for it. */
  notComparable: Record<string, string[]>;
  /** Scenario → why its loss was accepted by a bless. */
  accepted: Record<string, string>;
}

export interface GateContext {
  subject: string;
  /** Setting → value the subject was started with. */
  settings: Record<string, string>;
  wording: number;
  seeds: readonly number[];
  /** bundle → digest */
  fixtures: Record<string, string>;
  /** Every scenario of the folder → digest. */
  scenarios: Record<string, string>;
  /** Scenarios, agents and transports that were asked for; keys outside are not missing. */
  selected: { scenarios: readonly string[]; agents: readonly string[]; transports: readonly string[] };
  /** The newest published version, where its results are here. */
  published?: PublishedResults | undefined;
  /** Scenario that was run → its digests. */
  digests?: DigestsByScenario;
  /** What the times of all runs together turn red. */
  slow?: readonly Finding[];
  /** Asked for no comparison: what is red without one stays red. */
  uncompared?: boolean;
  now: Date;
}
