/** Joins dispatch with its outbound client. Nothing else in the router can make one. */
import type { ApprovalServiceOptions } from '../approvals/approval-service.ts';
import { ApprovalWebhook } from '../approvals/approval-webhook.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { proxySecrets } from '../egress/dispatcher.ts';
import { Egress } from '../egress/egress.ts';
import { OutboundClient } from '../outbound/client.ts';
import { Logins } from '../outbound/logins.ts';
import { TokenCache } from '../outbound/token-cache.ts';
import { RedisConsumed } from '../storage/redis-consumed.ts';
import { RedisPermits } from '../storage/redis-permits.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { CompletedCall, RateWaits } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { LocalRuns } from './admission.ts';
import { ConfirmationService } from './confirmation.ts';
import { Cursors } from './cursor.ts';
import { Dispatch } from './dispatch.ts';
import { RequestDigests } from './exact-request.ts';
import { type ApprovalParts, linkOf, openApprovals, openAudit } from './open-approvals.ts';
import { OperatorApprovals } from './operator-approval.ts';
import { PLAN_TOKEN_SECONDS, PlanTokens } from './plan-token.ts';
import { PrincipalCalls } from './principal-calls.ts';
import { openSharedState, type SharedState } from './shared-state.ts';
import { WriteQuota } from './write-quota.ts';
import { WriteWindows } from './write-windows.ts';

export interface OpenDispatch {
  dispatch: Dispatch;
  /** Another one over the same accounts, budgets, approvals and audit log: of a catalog that took the place of the first. */
  dispatchOver: (catalog: Catalog, local: LocalRuns) => Dispatch;
  confirmations: ConfirmationService;
  /** What the operator console works with. */
  approvals: ApprovalParts & SharedState & { audit: AuditLog | undefined };
  credentials: CredentialsStore;
  /** Waits for the rate budget so far, over all accounts. */
  waits: () => RateWaits;
  /**
   * Connects to the Redis that routers share, or finds it unreachable for now. Throws REDIS_REFUSED if it can never be
   * used.
   */
  ready: () => Promise<void>;
  close: () => void;
}

/** What happens beside the calls, and where operators find an approval. */
export interface DispatchEvents extends Pick<ApprovalServiceOptions, 'onAnswer' | 'onAsked'> {
  onCompleted?: (call: CompletedCall) => void;
  linkTo?: (id: string) => string | undefined;
  tracer?: Tracer;
}

/** How often what expired is forgotten. */
const SWEEP_MS = 60_000;

/** `link` is closed with it. */
export function openDispatch(
  config: Config,
  catalog: Catalog,
  logger: Logger,
  local: LocalRuns = new Map(),
  events: DispatchEvents = {},
  link = linkOf(config, logger),
): OpenDispatch {
  const places = link && new RedisPermits(link, config.replicas);
  const { keys, used } = openSharedState(config, logger, link && new RedisConsumed(link));
  const credentials = new CredentialsStore(config.credentialsPath, config.credentialOverrides, (secrets) =>
    logger.secrets.hold('credentials', secrets),
  );
  const egress = new Egress({ listed: config.egress, network: config.network });
  const audit = openAudit(config, logger);
  const approvals = openApprovals(config, { keys, link, audit }, withWebhook(config, egress, logger, events));
  const { service, writes } = approvals;
  const tokenSeconds = PLAN_TOKEN_SECONDS + (service === undefined ? 0 : service.lifeMs / 1000);
  const cache = new TokenCache(config.tokenCacheDir, (error) =>
    logger.warn('token-cache.unwritable', errorFields(error)),
  );
  holdSecrets(config, logger);
  const traced = events.tracer ? { tracer: events.tracer } : {};
  const windows = new WriteWindows(config.writes);
  const outbound = new OutboundClient({
    access: config.access,
    credentials,
    logins: new Logins({ cache, secrets: logger.secrets, egress }),
    egress,
    ratePerSecond: config.ratePerSecond,
    replicas: config.replicas,
    ...(places ? { places } : {}),
    timeoutMs: config.callTimeoutMs,
    mayWrite: async (platform) => {
      await writes.mustAllow();
      windows.mustBeOpen(platform);
    },
    logger,
    ...traced,
  });
  const parts = {
    config,
    outbound,
    plans: new PlanTokens(keys, used, Date.now, tokenSeconds),
    ...(service ? { operators: new OperatorApprovals({ service, linkTo: events.linkTo ?? (() => undefined) }) } : {}),
    writes,
    windows,
    quota: new WriteQuota(used, config.writes.perHour),
    digests: new RequestDigests(keys),
    cursors: new Cursors(keys, config.response.cursorTtlSeconds),
    inFlight: new PrincipalCalls(),
    logger,
    ...traced,
    ...(audit ? { audit } : {}),
    ...(events.onCompleted ? { onCompleted: events.onCompleted } : {}),
  };
  const dispatchOver = (served: Catalog, runs: LocalRuns) => new Dispatch({ ...parts, catalog: served, local: runs });
  const sweeping = service && setInterval(() => void service.sweep().catch(() => undefined), SWEEP_MS).unref();
  return {
    dispatch: dispatchOver(catalog, local),
    dispatchOver,
    approvals: { ...approvals, keys, used, audit },
    confirmations: new ConfirmationService(keys, used, PLAN_TOKEN_SECONDS, service !== undefined),
    credentials,
    waits: () => outbound.waits(),
    ready: async () => link?.ready(),
    close: () => {
      clearInterval(sweeping);
      audit?.close();
      places?.close();
      link?.close();
    },
  };
}

/** Those that belong to no account. */
function holdSecrets({ network, http }: Pick<Config, 'network' | 'http'>, { secrets }: Logger): void {
  secrets.hold('proxy', proxySecrets(network));
  if (http.bearerToken !== undefined) secrets.hold('bearer', [http.bearerToken]);
}

/** Whoever is to be told of a new question, besides who asked to be. */
function withWebhook(
  { approvals }: Pick<Config, 'approvals'>,
  egress: Egress,
  logger: Logger,
  events: DispatchEvents,
): DispatchEvents {
  if (approvals.webhook === undefined || approvals.mode === 'client') return events;
  const webhook = new ApprovalWebhook({ ...approvals.webhook, egress, logger });
  return {
    ...events,
    onAsked: (approval) => {
      events.onAsked?.(approval);
      void webhook.tell(approval, events.linkTo?.(approval.id));
    },
  };
}
