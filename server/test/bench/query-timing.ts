/** Queries about network platforms and one public document, and how long each kind of them takes in this process. */
import { Bench } from 'tinybench';
import { quantile } from './statistics.ts';

/** What `find_tool` is asked. */
export const QUESTIONS = [
  'list the open issues of a repository',
  'reboot an access point',
  'which clients failed authentication',
  'create a branch protection rule',
  'delete a webhook',
  'who may review pull requests',
  'upload a release',
  'radio settings of a site',
  'rotate a shared secret',
  'show failed workflow runs',
];
/** What the spec index is asked: names and paths as they stand in the document. */
export const EXACT = [
  'GET /repos/{owner}/{repo}/issues',
  'issues/create',
  'pull-request',
  'repos/get',
  'simple-user',
  'full_name',
  'merge_commit_sha',
  '/orgs/{org}/members',
];
/** The same in words. */
export const TEXT = [
  'assign a device to a site endpoint',
  'how do I list pull requests for a commit',
  'default branch of a repository',
  'rate limit of the search interface',
  'enable vulnerability alerts',
  'transport layer certificate of a radius server',
  'maximum number of items per page',
  'workflow run artifacts expire',
  'team permission on a repository',
  'webhook delivery attempts',
  'wireless network passphrase length',
  'reboot reason of a switch',
];

/** Runs the queries by turns for 0.3 s or more; ms of one query at the median and the 95th percentile. */
export async function timings(
  queries: readonly string[],
  run: (query: string) => unknown,
): Promise<{ p50: number; p95: number }> {
  const bench = new Bench({
    time: 300,
    iterations: queries.length * 20,
    warmup: true,
    warmupIterations: queries.length,
    retainSamples: true,
  });
  let turn = 0;
  bench.add('queries by turns', () => run(queries[turn++ % queries.length] as string));
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !('latency' in result)) throw new Error('the queries could not be timed');
  const samples = result.latency.samples ?? [];
  return { p50: quantile(samples, 0.5), p95: quantile(samples, 0.95) };
}
