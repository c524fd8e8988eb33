/** A router whose writes operators approve, in front of a recording upstream; and more of them on the same store. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Approval } from '../../approvals/approval.ts';
import type { Answering, ApprovalService } from '../../approvals/approval-service.ts';
import { Operators } from '../../approvals/operators.ts';
import type { WriteSwitch } from '../../approvals/write-switch.ts';
import type { Config } from '../../config/config.ts';
import { openOperatorSide } from '../../dispatch/open-approvals.ts';
import { openRouter, type Served } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { writeCheapOperators } from './cheap-operators.ts';
import { type Action, messageIn, modernClient, modernMessage } from './modern-client.ts';
import { type RecordingUpstream, recordingUpstream } from './recording-upstream.ts';
import { SAMPLE_SECRET, type SampleInstallation, sampleInstallation } from './sample-installation.ts';

/** A write of the sample document. */
export const PATCH = { name: 'radius-1', body: { 'auth-port': 1912 } };

/** Whatever a tool answers: tests look at a few fields of each. */
type Told = ReturnType<typeof JSON.parse>;

export interface PreviewedCall {
  preview: Told;
  /** The very same apply, as often as wanted; with an action the client can show a form. */
  apply: (person?: Action) => Promise<Told>;
  applyAt: (agent: Agent) => Promise<Told>;
  /** The same of a client that can open links and show no form; with an action it answers the link. */
  applyUrl: (action?: 'accept' | 'decline' | 'cancel') => Promise<{ inputRequests?: object; refusal?: Told }>;
}

export interface Agent {
  call: (name: string, args: object, person?: Action) => Promise<Told>;
  previewed: (name: string, args: object, person?: Action) => Promise<PreviewedCall>;
}

type OperatorAnswer = Partial<Omit<Answering, 'operator'>> & { operator?: string };

export interface OperatorSideOfTest {
  service: ApprovalService;
  writes: WriteSwitch;
  /** By default of ada; the testbed has the operators ada and bob. */
  approve: (id: string, more?: OperatorAnswer) => Promise<Approval>;
  decline: (id: string, reason: string) => Promise<Approval>;
  /** Lets its time pass, as the clock would. */
  expire: (id: string) => Promise<void>;
}

export interface OperatorTestbed extends AsyncDisposable {
  url: string;
  /** Address of the console; undefined where there is none. */
  consoleUrl: string | undefined;
  config: Config;
  log: string[];
  agent: Agent;
  operators: OperatorSideOfTest;
  upstream: RecordingUpstream;
  installation: SampleInstallation;
  /** Ends this router; the others go on. */
  end: () => Promise<void>;
  /** Another router on the same store, with settings of its own on top. */
  replica: (
    more?: Record<string, string>,
  ) => Promise<Pick<OperatorTestbed, 'url' | 'consoleUrl' | 'agent' | 'operators'>>;
}

const agentAt = (url: string, bearer: string | undefined): Agent => {
  const client = modernClient(url, bearer);
  const call: Agent['call'] = async (name, args, person) => {
    const { texts } = await client.call('invoke_tool', { name, arguments: args }, person ?? null);
    return JSON.parse(texts[0] ?? '{}');
  };
  const previewed: Agent['previewed'] = async (name, args, person) => {
    const preview = await call(name, args, person);
    const apply = { ...args, dry_run: false, confirm: true, plan_token: preview.plan_token };
    return {
      preview,
      apply: (by) => call(name, apply, by),
      applyAt: (agent) => agent.call(name, apply),
      applyUrl: async (action) => {
        const inputResponses = action && { approval: { action } };
        const response = await fetch(url, {
          method: 'POST',
          ...modernMessage(
            'tools/call',
            {
              name: 'invoke_tool',
              arguments: { name, arguments: apply },
              ...(inputResponses ? { inputResponses } : {}),
            },
            { bearer, capabilities: { elicitation: { url: {} } } },
          ),
        });
        const { result = {} } = messageIn(await response.text());
        const [text] = (result['content'] ?? []) as { text: string }[];
        return { ...result, ...(text ? { refusal: JSON.parse(text.text) } : {}) };
      },
    };
  };
  return { call, previewed };
};

async function operatorsOf(config: Config): Promise<OperatorSideOfTest & { close: () => void }> {
  const { service, writes, ready, close } = openOperatorSide(config, createLogger('silent'));
  if (service === undefined) throw new Error('operators approve nothing here');
  await ready();
  const people = new Operators(config.approvals.operatorsPath);
  const answer = async (id: string, { operator = 'ada', ...more }: OperatorAnswer): Promise<Approval> => {
    const digest = (await service.read(id))?.digest ?? '';
    const answered = await service.answer(id, {
      operator: people.find(operator) ?? { name: operator, principals: [], stamp: '' },
      verdict: 'approve',
      where: 'console',
      reason: '',
      digest,
      objects: [],
      ...more,
    });
    if (!answered.ok) throw new Error(answered.problem);
    return answered.approval;
  };
  return {
    service,
    writes,
    approve: (id, more = {}) => answer(id, more),
    decline: (id, reason) => answer(id, { verdict: 'decline', reason }),
    expire: async (id) => expireStored(config, id),
    close,
  };
}

/** Takes its end back to the past, in the store itself. */
async function expireStored(config: Config, id: string): Promise<void> {
  const { FileApprovalStore } = await import('../../approvals/file-approval-store.ts');
  const { openApproval, sealApproval } = await import('../../approvals/sealed-approval.ts');
  const { keysFor } = await import('../../dispatch/keyring.ts');
  const { openSharedState } = await import('../../dispatch/shared-state.ts');
  const store = new FileApprovalStore(join(config.stateDir, 'approvals'));
  const keys = keysFor(openSharedState(config, createLogger('silent')).keys, 'stored-approval');
  const text = (await store.read(id)) ?? '';
  const approval = openApproval(keys, id, text);
  if (approval === undefined) throw new Error(`${id} is not there`);
  await store.replace(id, text, sealApproval(keys, { ...approval, expiresAt: Date.now() - 1 }), Date.now() + 60_000);
}

function writeAccount({ root }: SampleInstallation, base_url: string): void {
  const mgmt = { base_url, client_id: 'sample-client', client_secret: SAMPLE_SECRET, workspace_id: 'sample' };
  writeFileSync(join(root, 'config/credentials.yaml'), stringify({ mgmt }), { mode: 0o600 });
}

/** `prepare` may add documents before the catalog is built. */
export async function operatorTestbed(
  variables: Record<string, string> = {},
  prepare: (installation: SampleInstallation) => void = () => undefined,
): Promise<OperatorTestbed> {
  const upstream = await recordingUpstream();
  upstream.object = () => ({ status: 200, body: { name: 'radius-1', 'auth-port': 1812 } });
  const installation = sampleInstallation();
  prepare(installation);
  writeAccount(installation, `${upstream.origin}/base`);
  const configOf = (more: Record<string, string> = {}) =>
    installation.config({
      MCP_TRANSPORT: 'streamable-http',
      MCP_PORT: '0',
      SVC_MCP_MGMT_WRITES: '1',
      SVC_MCP_RATE_PER_SECOND: '0',
      SVC_MCP_APPROVALS: 'operator',
      ...variables,
      ...more,
    });
  const config = configOf();
  writeCheapOperators(
    config.approvals.operatorsPath,
    ['ada', 'bob'].map((name) => ({ name, password: `${name} of the testbed` })),
  );
  const log: string[] = [];
  const closing: (() => unknown)[] = [];
  const start = async (more: Record<string, string> = {}) => {
    const config = configOf(more);
    const router = await openRouter(
      config,
      createLogger('debug', (line) => log.push(line)),
    );
    const served: Served = await router.serveHttp();
    const operators = await operatorsOf(config);
    let ended = false;
    const end = async () => {
      if (ended) return;
      ended = true;
      await served.close();
      router.close();
    };
    closing.push(
      () => end(),
      () => operators.close(),
    );
    return {
      url: served.url,
      consoleUrl: served.consoleUrl,
      agent: agentAt(served.url, config.http.bearerToken),
      operators,
      end,
    };
  };
  return {
    ...(await start()),
    config,
    log,
    upstream,
    installation,
    replica: start,
    [Symbol.asyncDispose]: async () => {
      for (const close of closing.reverse()) await close();
      installation[Symbol.dispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
