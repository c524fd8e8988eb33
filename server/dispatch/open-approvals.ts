/** Opens what operators work with: the approval service where there is one, and the write switch, over the store that routers share. */
import { join } from 'node:path';
import { ApprovalService, type ApprovalServiceOptions } from '../approvals/approval-service.ts';
import { FileApprovalStore } from '../approvals/file-approval-store.ts';
import { Operators } from '../approvals/operators.ts';
import { RedisApprovalStore } from '../approvals/redis-approval-store.ts';
import { WriteSwitch } from '../approvals/write-switch.ts';
import { AuditExport, type AuditReceiver } from '../audit/audit-export.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { otlpReceiver } from '../audit/otlp-receiver.ts';
import { syslogReceiver } from '../audit/syslog-receiver.ts';
import type { Config } from '../config/config.ts';
import { Egress } from '../egress/egress.ts';
import { RedisLink } from '../storage/redis-link.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Keys, keysFor } from './keyring.ts';
import { openSharedState } from './shared-state.ts';

/** The audit log of a configuration; undefined where the operator wants none. */
export function openAudit(config: Config, logger: Logger): AuditLog | undefined {
  if (config.auditLog === undefined) return undefined;
  return new AuditLog({
    path: config.auditLog,
    keyPath: join(config.stateDir, 'audit-key'),
    secrets: logger.secrets,
    exports: receiversOf(config).map((receiver) => new AuditExport({ receiver, logger })),
  });
}

function receiversOf({ auditExport: { syslog, otlpUrl }, egress: listed, network }: Config): AuditReceiver[] {
  return [
    ...(syslog === undefined ? [] : [syslogReceiver(syslog)]),
    ...(otlpUrl === undefined ? [] : [otlpReceiver(otlpUrl, new Egress({ listed, network }))]),
  ];
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
    findOperator: (name) => new Operators(approvals.operatorsPath).find(name),
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
  /** Resolves when the audit lines that wait for other systems are sent, or after two seconds. */
  close: () => Promise<void>;
}

const SEND_REST_MS = 2_000;

export function openOperatorSide(config: Config, logger: Logger): OperatorSide {
  const link = linkOf(config, logger);
  const { keys } = openSharedState(config, logger);
  const audit = openAudit(config, logger);
  return {
    ...openApprovals(config, { keys, link, audit }),
    audit,
    ready: async () => link?.ready(),
    close: async () => {
      audit?.close();
      link?.close();
      await audit?.sendRest(SEND_REST_MS);
    },
  };
}
