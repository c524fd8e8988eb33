/** Audit lines as log records over OTLP/HTTP in JSON (OpenTelemetry protocol 1.x, `ExportLogsServiceRequest`). */
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import type { AuditReceiver } from './audit-export.ts';

const TIMEOUT_MS = 5_000;
const INFO = 9;

export function otlpReceiver(url: string, egress: Egress): AuditReceiver {
  const { origin, host } = new URL(url);
  const failed = (what: string, cause?: unknown) =>
    new RouterError('UPSTREAM_FAILED', `the receiver of audit lines at ${host} ${what}`, { cause });
  return {
    name: 'otlp',
    send: async (lines) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(lines)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      };
      let response: Response;
      try {
        response = await egress.fetch(url, init, { named: new Set([origin]) });
        await response.body?.cancel();
      } catch (error) {
        throw error instanceof RouterError ? error : failed('could not be reached', error);
      }
      if (!response.ok) throw failed(`should answer 200, got ${response.status}`);
    },
    close: () => undefined,
  };
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

export function requestOf(lines: readonly string[]): object {
  return {
    resourceLogs: [
      {
        resource: { attributes: [text('service.name', 'svc-mcp-router')] },
        scopeLogs: [{ scope: { name: 'svc-mcp-audit' }, logRecords: lines.map(recordOf) }],
      },
    ],
  };
}

/** The body is the line as the log has it, so that its hashes can be verified. */
function recordOf(line: string): object {
  const { at, kind, seq } = JSON.parse(line) as { at?: string; kind?: string; seq?: number };
  return {
    timeUnixNano: `${BigInt(Date.parse(at ?? '') || 0) * 1_000_000n}`,
    severityNumber: INFO,
    severityText: 'INFO',
    body: { stringValue: line },
    attributes: [
      text('svc_mcp.audit.kind', String(kind)),
      { key: 'svc_mcp.audit.seq', value: { intValue: String(seq) } },
    ],
  };
}
