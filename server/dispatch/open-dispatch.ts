/** Joins dispatch with its outbound client. Nothing else in the router can make one. */
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import { OutboundClient } from '../outbound/client.ts';
import { Logins } from '../outbound/logins.ts';
import { TokenCache } from '../outbound/token-cache.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { RateWaits } from '../telemetry/metrics.ts';
import type { LocalRuns } from './admission.ts';
import { Cursors } from './cursor.ts';
import { Dispatch } from './dispatch.ts';
import { RequestDigests } from './exact-request.ts';
import { type CallParts, openCallParts } from './open-call-parts.ts';
import { OperatorApprovals } from './operator-approval.ts';
import { PLAN_TOKEN_SECONDS, PlanTokens } from './plan-token.ts';
import { PrincipalCalls } from './principal-calls.ts';
import { WriteQuota } from './write-quota.ts';

export interface DispatchFactory {
  /** Each is over the same accounts, budgets, approvals and audit log: one for every catalog that is served. */
  dispatchOver: (catalog: Catalog, local: LocalRuns) => Dispatch;
  /** Waits for the rate budget so far, over all accounts. */
  waits: () => RateWaits;
}

export interface OpenDispatch extends CallParts, Pick<DispatchFactory, 'waits'> {
  dispatch: Dispatch;
}

/** With all that its calls need, for whoever calls at once. `local` are the router's own tools. */
export function openDispatch(
  config: Config,
  catalog: Catalog,
  logger: Logger,
  local: LocalRuns = new Map(),
): OpenDispatch {
  const parts = openCallParts(config, logger);
  const { dispatchOver, waits } = dispatchFactory(parts);
  return { ...parts, waits, dispatch: dispatchOver(catalog, local) };
}

export function dispatchFactory(parts: CallParts): DispatchFactory {
  const { config, logger, events, credentials, egress, windows, places } = parts;
  const { service, writes, keys, used, audit } = parts.approvals;
  const tokenSeconds = PLAN_TOKEN_SECONDS + (service === undefined ? 0 : service.lifeMs / 1000);
  const cache = new TokenCache(config.tokenCacheDir, (error) =>
    logger.warn('token-cache.unwritable', errorFields(error)),
  );
  const traced = events.tracer ? { tracer: events.tracer } : {};
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
  const shared = {
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
  return {
    dispatchOver: (catalog, local) => new Dispatch({ ...shared, catalog, local }),
    waits: () => outbound.waits(),
  };
}
