/** What a platform streams for a while, for a tool of this router: read by the rights of its caller, secrets masked. */
import { decideFor } from '../access/access-policy.ts';
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { Collected } from '../outbound/stream.ts';
import { visible } from '../telemetry/invisible.ts';
import type { Logger } from '../telemetry/logger.ts';
import { redact } from '../telemetry/redact.ts';
import { type Call, type Stream, waiterOf } from './dispatch-call.ts';

interface StreamSources {
  config: Pick<Config, 'access' | 'platforms' | 'known' | 'localToolsets'>;
  outbound: Pick<OutboundClient, 'collect'>;
  logger: Pick<Logger, 'secrets'>;
}

/** Throws PLATFORM_NOT_CONFIGURED, SCOPE_MISSING or PRINCIPAL_FORBIDDEN; nothing is sent then. */
export async function collectedStream(
  call: Call,
  { platform: id, ...stream }: Stream,
  { config, outbound, logger }: StreamSources,
): Promise<Collected> {
  const platform = config.platforms.find((served) => served.id === id);
  if (platform === undefined) throw new RouterError('PLATFORM_NOT_CONFIGURED', `${id} is not served here`);
  const { allowed, missingScope } = decideFor(config, id, 'read', call.access);
  if (missingScope !== undefined)
    throw new RouterError('SCOPE_MISSING', `the access token lacks the scope ${missingScope}. Nothing was sent.`);
  if (!allowed) throw new RouterError('PRINCIPAL_FORBIDDEN', `this principal may not read ${id}. Nothing was sent.`);
  const { signal, cost } = call;
  const asked = {
    ...stream,
    platform,
    ...(signal ? { signal } : {}),
    ...(cost ? { cost } : {}),
    waiter: waiterOf(call),
  };
  const { events, ...end } = await outbound.collect(asked);
  return { events: logger.secrets.scrubTexts(visible(redact(events))) as Collected['events'], ...end };
}
