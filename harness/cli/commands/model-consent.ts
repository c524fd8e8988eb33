/** Before a campaign asks a live model: what it will probably cost, and a question unless `--yes` was given. */
import type { readBaseline } from '../../grading/baseline.ts';
import { HarnessError } from '../../harness-errors.ts';
import { endpointFrom } from '../../llm/endpoint.ts';
import { estimateOf, estimateText } from '../../llm/estimate.ts';
import { mean } from '../../statistics/stats.ts';
import type { CommandContext } from './context.ts';

export interface ConsentOptions {
  /** That ask the model. */
  runs: number;
  yes: boolean | undefined;
  /** Says how long a conversation gets. */
  baseline?: Awaited<ReturnType<typeof readBaseline>>;
}

/** Throws where nobody agreed. A campaign without a run that is left to make asks nothing. */
export async function assertConsent(
  { runs, yes, baseline }: ConsentOptions,
  { env, stderr, confirm }: Pick<CommandContext, 'env' | 'stderr' | 'confirm'>,
): Promise<void> {
  if (runs === 0) return;
  const { limits, prices, totalUsd, settings } = endpointFrom(env);
  const tokens = Object.entries(baseline?.entries ?? {})
    .filter(([key]) => key.startsWith('retrieval/'))
    .flatMap(([, entry]) => entry.token_usage);
  const conversationTokens = mean(tokens) ?? undefined;
  const estimate = estimateOf({ runs, conversationTokens, limits, prices, totalUsd });
  stderr.write(estimateText(settings.name, runs, estimate));
  if (yes === true) return;
  const answer = await confirm('Ask the model?');
  if (answer === true) return;
  throw new HarnessError(
    'USAGE',
    answer === undefined ? 'the runs should be confirmed, got nobody to ask' : 'the runs were not confirmed',
    { remedy: 'add --yes, or choose fewer runs with --suite, --filter, --transport and --runs' },
  );
}
