/** Who approves writes outside of the agent's client: without an operator nobody can, and two need two. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookKey } from '../../approvals/approval-webhook.ts';
import { WriteSwitch } from '../../approvals/write-switch.ts';
import type { ApprovalSettings } from '../../config/approval-settings.ts';
import { exposedKeyFile } from '../../config/private-path.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';

const SUBJECT = 'approvals';

export default {
  id: 'approvals',
  order: 265,
  inside: true,
  needs: 'config',
  look: async ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const { approvals, stateDir, auditLog } = config;
    const stopped = await stoppedWrites(stateDir, command('approvals', 'resume-writes', '--operator', 'NAME'));
    if (approvals.mode === 'client' && approvals.console === undefined)
      return [ok(SUBJECT, 'by the person at the client of the agent'), ...stopped];
    const exposure = exposedKeyFile(approvals.operatorsPath);
    if (exposure) return [fail(SUBJECT, exposure.what, exposure.remedy), ...stopped];
    return [
      operatorsIn(approvals, command('approvals', 'operator-add', 'NAME')),
      ...consoleOf(approvals),
      ...webhookOf(approvals),
      ...recorded(auditLog),
      ...stopped,
    ];
  },
} satisfies Check;

function operatorsIn({ operatorsPath: path, mode }: ApprovalSettings, add: string): Finding {
  const needed = mode === 'two-for-destructive' ? 2 : 1;
  const names = namesIn(path);
  if (names === undefined) return fail(SUBJECT, `${path} is not a file of operators`, `remove it, then ${add}`);
  const count = `${names.length} ${names.length === 1 ? 'operator' : 'operators'}`;
  return names.length < needed
    ? fail(SUBJECT, `${mode} needs at least ${needed}, got ${count}`, add)
    : ok(SUBJECT, `${mode}, ${count}`);
}

const consoleOf = ({ console }: ApprovalSettings): Finding[] =>
  console === undefined ? [] : [ok('console', console.url ?? `${console.host}:${console.port}`)];

/** A key that cannot be used refuses the start. */
function webhookOf({ webhook }: ApprovalSettings): Finding[] {
  if (webhook === undefined) return [];
  try {
    webhookKey(webhook.keyPath);
    return [ok('approval webhook', new URL(webhook.url).origin)];
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    return [fail('approval webhook', error.message, error.remedy)];
  }
}

/** Of this machine; where routers share a Redis, they know better. */
async function stoppedWrites(stateDir: string, resume: string): Promise<Finding[]> {
  const state = await new WriteSwitch({ path: join(stateDir, 'write-switch.json') }).state();
  if (state?.writes !== 'stopped') return [];
  const by = state.by === '' ? '' : ` by ${state.by} at ${new Date(state.at).toISOString()}`;
  return [warn('writes', `all writes are stopped${by}`, resume)];
}

function namesIn(path: string): string[] | undefined {
  if (!existsSync(path)) return [];
  try {
    const { operators } = JSON.parse(readFileSync(path, 'utf8')) as { operators: { name: string }[] };
    return operators.map(({ name }) => name);
  } catch {
    return undefined;
  }
}

const recorded = (auditLog: string | undefined): Finding[] =>
  auditLog === undefined
    ? [
        warn(
          'approvals on record',
          'there is no audit log, so nobody can say later who approved what',
          'set SVC_MCP_AUDIT_LOG=1',
        ),
      ]
    : [];
