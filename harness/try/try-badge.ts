/** The result as the JSON that badge services read: schemaVersion, label, message, color. */
import { mainScore, percent, type TryResult } from './try-result.ts';

export function badgeOf(result: TryResult): string {
  const success = mainScore(result)?.success ?? null;
  const message = success === null ? `${result.surface.tools} tools` : `${percent(success)} of tasks`;
  const color = result.gate.passed ? 'brightgreen' : 'red';
  return `${JSON.stringify({ schemaVersion: 1, label: 'MCP tasks', message, color })}\n`;
}
