/** What calls need that a router has from its start: accounts, keys, approvals, the audit log and the link to other routers. */
import type { ApprovalServiceOptions } from '../approvals/approval-service.ts';
import { ApprovalWebhook } from '../approvals/approval-webhook.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Config } from '../config/config.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { proxySecrets } from '../egress/dispatcher.ts';
import { Egress } from '../egress/egress.ts';
import { RedisConsumed } from '../storage/redis-consumed.ts';
import type { RedisLink } from '../storage/redis-link.ts';
import { RedisPermits } from '../storage/redis-permits.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { CompletedCall } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { ConfirmationService } from './confirmation.ts';
import { type ApprovalParts, linkOf, openApprovals, openAudit } from './open-approvals.ts';
import { PLAN_TOKEN_SECONDS } from './plan-token.ts';
import { openSharedState, type SharedState } from './shared-state.ts';
import { WriteWindows } from './write-windows.ts';

export interface CallParts {
  config: Config;
  logger: Logger;
  events: DispatchEvents;
  confirmations: ConfirmationService;
  /** What the operator console works with. */
  approvals: ApprovalParts & SharedState & { audit: AuditLog | undefined };
  credentials: CredentialsStore;
  egress: Egress;
  windows: WriteWindows;
  /** Undefined where routers share no Redis. */
  link: RedisLink | undefined;
  /** Of the rates that routers share. */
  places: RedisPermits | undefined;
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

/** `link` is closed with them. */
export function openCallParts(
  config: Config,
  logger: Logger,
  events: DispatchEvents = {},
  link = linkOf(config, logger),
): CallParts {
  const places = link && new RedisPermits(link, config.replicas);
  const { keys, used } = openSharedState(config, logger, link && new RedisConsumed(link));
  const credentials = new CredentialsStore(
    config.credentialsPath,
    config.credentialOverrides,
    (secrets) => logger.secrets.hold('credentials', secrets),
    (error) => logger.error('credentials.invalid', errorFields(error)),
  );
  const egress = new Egress({ listed: config.egress, network: config.network });
  const audit = openAudit(config, logger);
  const approvals = openApprovals(config, { keys, link, audit }, withWebhook(config, egress, logger, events));
  const { service } = approvals;
  holdSecrets(config, logger);
  const sweeping = service && setInterval(() => void service.sweep().catch(() => undefined), SWEEP_MS).unref();
  return {
    config,
    logger,
    events,
    confirmations: new ConfirmationService(keys, used, PLAN_TOKEN_SECONDS, service !== undefined),
    approvals: { ...approvals, keys, used, audit },
    credentials,
    egress,
    windows: new WriteWindows(config.writes),
    link,
    places,
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
