/** The result as the JSON that badge services read: schemaVersion, label, message, color. */
import { isScored, mainScore, percent, type TryResult } from './try-result.ts';
import { verdictOf } from './try-verdict.ts';

const COLORS = { pass: 'brightgreen', fail: 'red', open: 'lightgrey' };

export function badgeOf(result: TryResult): string {
  const success = isScored(result) ? (mainScore(result)?.success ?? null) : null;
  const message = success === null ? `${result.surface.tools} tools` : `${percent(success)} of tasks`;
  return `${JSON.stringify({ schemaVersion: 1, label: 'MCP tasks', message, color: COLORS[verdictOf(result).tone] })}\n`;
}
