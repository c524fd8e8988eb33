/** Where the lines of the audit log go beside their file. */
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { type Environment, invalid } from './environment.ts';
import { isLoopback } from './listen-address.ts';

export interface SyslogAddress {
  protocol: 'udp' | 'tcp' | 'tls';
  host: string;
  port: number;
}

export interface AuditExportSettings {
  syslog: SyslogAddress | undefined;
  /** Of the endpoint's logs, such as https://collector.lan:4318/v1/logs. */
  otlpUrl: string | undefined;
}

const auditLogOf = (environment: Environment): string | undefined =>
  environment.pathOrFlag('SVC_MCP_AUDIT_LOG', join(environment.path('SVC_MCP_STATE_DIR'), 'tool-audit.jsonl'));

const SYSLOG = 'SVC_MCP_AUDIT_SYSLOG';
const OTLP = 'SVC_MCP_AUDIT_OTLP_URL';

/** Throws CONFIG_INVALID or CONFIG_CONTRADICTION. */
export function readAudit(
  environment: Environment,
  egress: readonly string[] | undefined,
): { auditLog: string | undefined; auditExport: AuditExportSettings } {
  const auditLog = auditLogOf(environment);
  const [syslog, otlp] = [environment.set(SYSLOG), environment.set(OTLP)];
  const first = syslog === undefined ? (otlp === undefined ? undefined : OTLP) : SYSLOG;
  if (first !== undefined && auditLog === undefined)
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      `${first} contradicts SVC_MCP_AUDIT_LOG=0: there are no lines to send`,
      {
        remedy: `set SVC_MCP_AUDIT_LOG=1, or unset ${first}`,
      },
    );
  const auditExport = {
    syslog: syslog === undefined ? undefined : syslogIn(syslog, egress),
    otlpUrl: otlp === undefined ? undefined : otlpIn(otlp, egress),
  };
  return { auditLog, auditExport };
}

function syslogIn(text: string, egress: readonly string[] | undefined): SyslogAddress {
  const [, protocol, bracketed, plain, port] =
    /^(udp|tcp|tls):\/\/(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw invalid(SYSLOG, 'udp://host:port, tcp://host:port or tls://host:port', text);
  if (
    egress !== undefined &&
    !isLoopback(host) &&
    !egress.some((origin) => new URL(origin).host === `${plain}:${port}`)
  )
    throw invalid(SYSLOG, 'an address on SVC_MCP_EGRESS (as http://host:port), or a relay on this machine', text);
  return { protocol: protocol?.toLowerCase() as SyslogAddress['protocol'], host, port: Number(port) };
}

function otlpIn(text: string, egress: readonly string[] | undefined): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An address of another form may hold a password, so it is not repeated.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new RouterError(
      'CONFIG_INVALID',
      `${OTLP} should be an http:// or https:// address without a password, got another form`,
    );
  if (egress !== undefined && !egress.includes(url.origin))
    throw invalid(OTLP, 'an address whose origin is on SVC_MCP_EGRESS', url.origin);
  return url.href;
}
