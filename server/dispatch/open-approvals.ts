/** Opens what operators work with: the approval service where there is one, and the write switch, over the store that routers share. */
import { join } from 'node:path';
import { ApprovalService, type ApprovalServiceOptions } from '../approvals/approval-service.ts';
import { FileApprovalStore } from '../approvals/file-approval-store.ts';
import { RedisApprovalStore } from '../approvals/redis-approval-store.ts';
import { WriteSwitch } from '../approvals/write-switch.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { Config } from '../config/config.ts';
import { RedisLink } from '../storage/redis-link.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Keys, keysFor } from './keyring.ts';
import { openSharedState } from './shared-state.ts';

/** The audit log of a configuration; undefined where the operator wants none. */
export function openAudit(config: Pick<Config, 'auditLog' | 'stateDir'>, logger: Logger): AuditLog | undefined {
  if (config.auditLog === undefined) return undefined;
  return new AuditLog({
    path: config.auditLog,
    keyPath: join(config.stateDir, 'audit-key'),
    secrets: logger.secrets,
  });
}

/** To what routers share; undefined where they share nothing but files. */
export const linkOf = ({ redis }: Pick<Config, 'redis'>, logger: Logger): RedisLink | undefined =>
  redis && new RedisLink({ address: redis, logger });

export interface ApprovalParts {
  /** Undefined where operators approve nothing. */
  service: ApprovalService | undefined;
  writes: WriteSwitch;
}

export function openApprovals(
  { approvals, stateDir }: Pick<Config, 'approvals' | 'stateDir'>,
  { keys, link, audit }: { keys: Keys; link: RedisLink | undefined; audit: AuditLog | undefined },
  events: Pick<ApprovalServiceOptions, 'onAnswer' | 'onAsked'> = {},
): ApprovalParts {
  const record: ApprovalServiceOptions['record'] = (line) => audit?.record(line);
  const writes = new WriteSwitch({
    path: join(stateDir, 'write-switch.json'),
    redis: link,
    record: (line) => audit?.record(line),
  });
  if (approvals.mode === 'client') return { service: undefined, writes };
  const service = new ApprovalService({
    store: link ? new RedisApprovalStore(link) : new FileApprovalStore(join(stateDir, 'approvals')),
    keys: keysFor(keys, 'stored-approval'),
    lifeMs: approvals.lifeMs,
    twoForDestructive: approvals.mode === 'two-for-destructive',
    record,
    ...events,
  });
  return { service, writes };
}

/** The same for a command beside the routers. */
export interface OperatorSide extends ApprovalParts {
  audit: AuditLog | undefined;
  /** Connects to Redis where there is one. */
  ready: () => Promise<void>;
  close: () => void;
}

export function openOperatorSide(config: Config, logger: Logger): OperatorSide {
  const link = linkOf(config, logger);
  const { keys } = openSharedState(config, logger);
  const audit = openAudit(config, logger);
  return {
    ...openApprovals(config, { keys, link, audit }),
    audit,
    ready: async () => link?.ready(),
    close: () => {
      audit?.close();
      link?.close();
    },
  };
}
