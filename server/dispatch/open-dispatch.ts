/** Joins dispatch with its outbound client. Nothing else in the router can make one. */
import { join } from 'node:path';
import { AuditLog } from '../audit/audit-log.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { proxySecrets } from '../egress/dispatcher.ts';
import { Egress } from '../egress/egress.ts';
import { OutboundClient } from '../outbound/client.ts';
import { Logins } from '../outbound/logins.ts';
import { TokenCache } from '../outbound/token-cache.ts';
import { RedisConsumed } from '../storage/redis-consumed.ts';
import { RedisLink } from '../storage/redis-link.ts';
import { RedisPermits } from '../storage/redis-permits.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { CompletedCall, RateWaits } from '../telemetry/metrics.ts';
import type { LocalRuns } from './admission.ts';
import { ConfirmationService } from './confirmation.ts';
import { Cursors } from './cursor.ts';
import { Dispatch } from './dispatch.ts';
import { RequestDigests } from './exact-request.ts';
import { PLAN_TOKEN_SECONDS, PlanTokens } from './plan-token.ts';
import { openSharedState } from './shared-state.ts';

export interface OpenDispatch {
  dispatch: Dispatch;
  confirmations: ConfirmationService;
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

/** To what routers share; undefined where they share nothing but files. */
export const linkOf = ({ redis }: Pick<Config, 'redis'>, logger: Logger): RedisLink | undefined =>
  redis && new RedisLink({ address: redis, logger });

/** `link` is closed with it. */
export function openDispatch(
  config: Config,
  catalog: Catalog,
  logger: Logger,
  local: LocalRuns = new Map(),
  onCompleted?: (call: CompletedCall) => void,
  link = linkOf(config, logger),
): OpenDispatch {
  const places = link && new RedisPermits(link, config.replicas);
  const { keys, used } = openSharedState(config, logger, link && new RedisConsumed(link));
  const credentials = new CredentialsStore(config.credentialsPath, config.credentialOverrides, (secrets) =>
    logger.secrets.hold('credentials', secrets),
  );
  const cache = new TokenCache(config.tokenCacheDir, (error) =>
    logger.warn('token-cache.unwritable', errorFields(error)),
  );
  const egress = new Egress({ listed: config.egress, network: config.network });
  logger.secrets.hold('proxy', proxySecrets(config.network));
  const outbound = new OutboundClient({
    access: config.access,
    credentials,
    logins: new Logins({ cache, secrets: logger.secrets, egress }),
    egress,
    ratePerSecond: config.ratePerSecond,
    replicas: config.replicas,
    ...(places ? { places } : {}),
    timeoutMs: config.callTimeoutMs,
    logger,
  });
  const audit =
    config.auditLog === undefined
      ? undefined
      : new AuditLog({
          path: config.auditLog,
          keyPath: join(config.stateDir, 'audit-key'),
          secrets: logger.secrets,
        });
  const dispatch = new Dispatch({
    config,
    catalog,
    outbound,
    local,
    plans: new PlanTokens(keys, used),
    digests: new RequestDigests(keys),
    cursors: new Cursors(keys, config.response.cursorTtlSeconds),
    logger,
    ...(audit === undefined ? {} : { audit }),
    ...(onCompleted === undefined ? {} : { onCompleted }),
  });
  if (config.http.bearerToken !== undefined) logger.secrets.hold('bearer', [config.http.bearerToken]);
  return {
    dispatch,
    confirmations: new ConfirmationService(keys, used, PLAN_TOKEN_SECONDS),
    credentials,
    waits: () => outbound.waits(),
    ready: async () => link?.ready(),
    close: () => {
      audit?.close();
      places?.close();
      link?.close();
    },
  };
}
