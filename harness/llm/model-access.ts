/** The model of a campaign: an endpoint, or the stored runs of an earlier campaign. Each run gets a model proxy of its own into it. */
import type { ModelSettings } from '../agents/mcp/agent.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Recording } from '../recording/recording.ts';
import { firstForged, type ModelTranscript, setupDifferences, setupOf } from '../recording/transcript.ts';
import { type Endpoint, type Environment, endpointFrom } from './endpoint.ts';
import { liveSource } from './live.ts';
import { type BilledTokens, type Budget, openBudget, openCampaignBudget } from './model-budget.ts';
import { type ModelSource, openModelProxy } from './model-proxy.ts';
import type { RunNotes } from './notes.ts';
import { replaySource, type Strength } from './replay.ts';

export interface ModelRun {
  agent: string;
  transport: Recording['transport'];
  scenario: string;
  run: number;
  seed: number;
  secrets: Record<string, string>;
  opaque: readonly string[];
  /** `host:port` of the platforms. */
  platformsAt: string;
}

export interface ModelSession {
  /** Milliseconds that the run may take. */
  timeoutMs: number;
  settings: ModelSettings;
  /** Throws REPLAY_MISS when the run is not the one that was stored. */
  end: () => ModelTranscript | undefined;
}

export interface ModelAccess extends AsyncDisposable {
  openSession: (run: ModelRun) => ModelSession;
}

/**
 * `done`: the runs of the campaign that are there already. They must be of this endpoint's settings, and count for its budget.
 * `spent`: what runs cost that are no part of them, such as those that are made again.
 */
export function openLiveModel(
  env: Environment,
  done: readonly Recording[] = [],
  spent: readonly BilledTokens[] = [],
): Promise<ModelAccess> {
  const endpoint = endpointFrom(env);
  const { settings, limits, prices, totalUsd, extraBody } = endpoint;
  const made = done.flatMap(({ model }) => model ?? []);
  assertSameSetup(endpoint, made);
  const campaign = openCampaignBudget(totalUsd, prices);
  for (const usage of [...usagesOf(done), ...spent]) campaign?.charge(usage);
  return open(endpoint.timeoutMs, ({ seed }) => ({
    source: liveSource(endpoint),
    settings: { ...settings, ...seedOf(endpoint, seed) },
    budget: openBudget(limits, prices, campaign),
    notes: { prompt: settings.prompt, ...(extraBody === undefined ? {} : { extra_body: extraBody }) },
  }));
}

/** What the answers of these runs cost, as far as the endpoint counted it. */
export const usagesOf = (recordings: readonly Recording[]): BilledTokens[] =>
  recordings.flatMap(({ model }) => model?.exchanges.flatMap(({ answer }) => answer.usage ?? []) ?? []);

function assertSameSetup({ settings, extraBody }: Endpoint, made: readonly ModelTranscript[]): void {
  const { name: model, temperature, prompt } = settings;
  const differing = setupDifferences([...made.map(setupOf), { model, temperature, prompt, extra_body: extraBody }]);
  if (differing.length === 0) return;
  throw new HarnessError(
    'RESUME_REFUSED',
    `the runs that are there already should have asked the same model in the same way, got more than one ${differing.join(', ')}`,
  );
}

const seedOf = ({ seed }: Pick<Endpoint, 'seed'>, ofRun: number): { seed?: number } =>
  seed === undefined ? {} : { seed: seed === 'run' ? ofRun : seed };

/** Answers as fast as they are asked for; a run takes what its tools take. */
const REPLAY_TIMEOUT_MS = 120_000;

export function openReplayedModel(stored: readonly Recording[], strength: Strength): Promise<ModelAccess> {
  const transcripts = new Map(stored.flatMap((recording) => storedRun(recording)));
  if (transcripts.size === 0) {
    throw new HarnessError('REPLAY_MISS', 'the stored run should hold a run that asked a model, got none');
  }
  return open(REPLAY_TIMEOUT_MS, (run) => {
    const transcript = transcripts.get(keyOfRun(run));
    if (transcript === undefined) {
      throw new HarnessError('REPLAY_MISS', `${keyOfRun(run)} should be stored, got ${transcripts.size} other runs`);
    }
    const { prompt, extra_body } = transcript;
    return {
      source: replaySource(transcript, run.run, strength),
      settings: settingsOf(transcript),
      budget: replayedBudget(transcript),
      notes: { ...(prompt === undefined ? {} : { prompt }), ...(extra_body === undefined ? {} : { extra_body }) },
    };
  });
}

const keyOfRun = ({
  agent,
  transport,
  scenario,
  run,
}: Omit<ModelRun, 'seed' | 'secrets' | 'opaque' | 'platformsAt'>): string =>
  `${agent}/${transport}/${scenario} run ${run}`;

function storedRun({ agent, transport, task, run, model }: Recording): [string, ModelTranscript][] {
  if (model === undefined) return [];
  const name = keyOfRun({ agent, transport, scenario: task.id, run });
  const forged = firstForged(model, run);
  if (forged === undefined) return [[name, model]];
  throw new HarnessError(
    'RECORDING_INVALID',
    `${name}: exchange ${forged + 1} should have the key of its request, got another`,
  );
}

const settingsOf = ({ request, exchanges, prompt = 'coaching' }: ModelTranscript): Omit<ModelSettings, 'url'> => ({
  name: request.model,
  ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  ...(request.seed === undefined ? {} : { seed: request.seed }),
  stream: exchanges[0]?.streamed ?? false,
  prompt,
});

/** A replay spends nothing; it ends where the stored run ended, whichever limit that was. */
function replayedBudget({ exchanges, limit }: ModelTranscript): Budget {
  let asked = 0;
  return {
    limitReached: () => (asked < exchanges.length ? undefined : limit),
    charge: () => {
      asked++;
    },
  };
}

interface SourceOfRun {
  source: ModelSource;
  settings: Omit<ModelSettings, 'url'>;
  budget: Budget;
  notes: RunNotes;
}

async function open(timeoutMs: number, sourceOf: (run: ModelRun) => SourceOfRun): Promise<ModelAccess> {
  const modelProxy = await openModelProxy();
  return {
    [Symbol.asyncDispose]: modelProxy.close,
    openSession: (run) => {
      const { source, settings, budget, notes } = sourceOf(run);
      const { secrets, opaque, platformsAt } = run;
      const session = modelProxy.open({ source, run: run.run, secrets, opaque, platformsAt, budget, notes });
      return {
        timeoutMs,
        settings: { ...settings, url: session.url },
        end: () => {
          const transcript = session.end();
          const fault = source.fault?.();
          if (fault === undefined) return transcript;
          throw new HarnessError('REPLAY_MISS', `${keyOfRun(run)} should go as it is stored, but ${fault}`);
        },
      };
    },
  };
}
