/** The ledger against an independent count: a proxy between subject and fake sees what the ledger should hold. */
import { runCampaign } from '../execution/campaign.ts';
import { planLanes } from '../execution/matrix.ts';
import { loadAgents } from '../sandbox/agent-process.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';
import { openProxy, type PassingProxy } from './proxy.ts';

export interface LedgerComparison {
  runs: number;
  /** Requests that the proxy passed on, and entries that the ledger holds. */
  passed: number;
  entries: number;
  /** Places where the two differ, in words. */
  differences: string[];
}

export interface LedgerCheckOptions {
  root: string;
  subject: Subject;
  suites?: readonly string[] | undefined;
  signal?: AbortSignal;
}

export async function compareLedger({ root, subject, suites, signal }: LedgerCheckOptions): Promise<LedgerComparison> {
  const all = await loadScenarios(root);
  const agents = (await loadAgents()).filter(({ id }) => id === 'oracle' || id === 'retrieval');
  const scenarios = all.filter((scenario) => suites?.includes(scenario.suite) ?? true);
  const lanes = planLanes({ scenarios, agents, transports: ['http', 'stdio'], runs: 1, seed: 1 }, subject);
  let proxy: PassingProxy | undefined;
  const counted = new Map<string, string[]>();
  let runs = 0;
  await runCampaign({
    root,
    subject,
    platforms: [...new Set(all.flatMap((scenario) => [scenario.platform, ...(scenario.also ?? [])]))].sort(),
    lanes,
    settings: {},
    concurrency: 2,
    ...(signal === undefined ? {} : { signal }),
    between: async (fake) => {
      proxy = await openProxy(fake);
      return proxy;
    },
    onRecording: ({ transport, gates, ledger, timings }) => {
      runs++;
      const lane = `${transport}-${gates}`;
      const entries = [...ledger, ...timings.logins].map(
        ({ method, platform, path }) => `${method} /${platform}${path}`,
      );
      counted.set(lane, [...(counted.get(lane) ?? []), ...entries]);
      return undefined;
    },
  });
  const differences: string[] = [];
  const seen = Map.groupBy(proxy?.passed ?? [], ({ url }) => url.split('/')[2] ?? '');
  for (const lane of new Set([...counted.keys(), ...seen.keys()])) {
    const entries = [...(counted.get(lane) ?? [])].sort();
    const passed = (seen.get(lane) ?? []).map(({ method, url }) => `${method} ${pathOf(url)}`).sort();
    if (entries.length !== passed.length)
      differences.push(`${lane}: ${entries.length} entries, ${passed.length} requests`);
    const wrong = entries.findIndex((entry, i) => decodeURI(entry) !== decodeURI(passed[i] ?? ''));
    if (wrong >= 0) differences.push(`${lane}: ${entries[wrong]} in the ledger, ${passed[wrong]} on the wire`);
  }
  const entries = [...counted.values()].reduce((sum, list) => sum + list.length, 0);
  return { runs, passed: proxy?.passed.length ?? 0, entries, differences };
}

/** `/ns/<namespace>/<platform>/…?query` → `/<platform>/…` */
const pathOf = (url: string): string => `/${(url.split('?')[0] ?? '').split('/').slice(3).join('/')}`;
