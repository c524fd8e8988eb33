/** The model of a campaign: an endpoint, or the stored runs of an earlier campaign. Each run gets a model proxy of its own into it. */

import type { ModelSettings } from '../agents/mcp/agent.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Recording } from '../recording/recording.ts';
import { firstForged, type ModelTranscript } from '../recording/transcript.ts';
import { type EndpointSettings, type Environment, endpointFrom } from './endpoint.ts';
import { liveSource } from './live.ts';
import { type ModelSource, openModelProxy } from './model-proxy.ts';
import { replaySource, type Strength } from './replay.ts';

export interface ModelRun {
  agent: string;
  transport: Recording['transport'];
  scenario: string;
  run: number;
  seed: number;
  secrets: Record<string, string>;
  opaque: readonly string[];
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

export const openLiveModel = (env: Environment): Promise<ModelAccess> => {
  const endpoint = endpointFrom(env);
  return open(endpoint.timeoutMs, () => ({ source: liveSource(endpoint), settings: endpoint.settings }));
};

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
    return { source: replaySource(transcript, run.run, strength), settings: settingsOf(transcript) };
  });
}

const keyOfRun = ({ agent, transport, scenario, run }: Omit<ModelRun, 'seed' | 'secrets' | 'opaque'>): string =>
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

/** A replay spends nothing; it ends where the stored run ended, whichever limit that was. */
const settingsOf = ({ request, exchanges, unanswered }: ModelTranscript): EndpointSettings => ({
  name: request.model,
  temperature: request.temperature,
  stream: exchanges[0]?.streamed ?? false,
  limits: { requests: exchanges.length + Math.sign(unanswered.length), tokens: Number.MAX_SAFE_INTEGER },
});

async function open(
  timeoutMs: number,
  sourceOf: (run: ModelRun) => { source: ModelSource; settings: EndpointSettings },
): Promise<ModelAccess> {
  const modelProxy = await openModelProxy();
  return {
    [Symbol.asyncDispose]: modelProxy.close,
    openSession: (run) => {
      const { source, settings } = sourceOf(run);
      const session = modelProxy.open({ source, run: run.run, secrets: run.secrets, opaque: run.opaque });
      return {
        timeoutMs,
        settings: { ...settings, url: session.url, seed: run.seed },
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
