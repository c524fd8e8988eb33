/** What stands between a write and its effect, told with every result of a write. */
import type { Decision, GateState } from '../access/access.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';

export interface ExecutionContract {
  platform: string;
  capability: string;
  gate: GateState | null;
  dry_run: { supported: true; state: 'preview' | 'execution_requested' };
  confirm: { supported: true; required: true; by: Config['confirmation'] };
  idempotent: boolean;
  next_action: string;
}

export function contractOf(
  tool: Tool,
  decision: Decision,
  by: Config['confirmation'],
  state: 'preview' | 'execution_requested',
): ExecutionContract {
  return {
    platform: tool.platform,
    capability: tool.capability,
    gate: decision.gate ?? null,
    dry_run: { supported: true, state },
    confirm: { supported: true, required: true, by },
    idempotent: tool.method === 'PUT' || tool.method === 'DELETE',
    next_action: nextAction(tool, decision, by, state),
  };
}

function nextAction(tool: Tool, { allowed }: Decision, by: Config['confirmation'], state: string): string {
  if (!allowed) return 'nothing here: only the operator of this router can open the gate';
  if (state !== 'preview') return tool.reader ? `read it back with ${tool.reader}` : 'read the object back';
  const object = by === 'token' && tool.capability === 'destructive' ? ' and confirm_object: <object>' : '';
  const person = by === 'elicit' ? '; the person is asked then' : '';
  return `to apply: same arguments with dry_run: false, confirm: true, plan_token${object}${person}`;
}
