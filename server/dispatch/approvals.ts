/** What stands between a previewed write and its sending: the token of that very preview, and a person's yes. */
import type { Decision } from '../access/access.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import type { AdmittedCall, LocalCall, Result } from './call.ts';
import type { Question } from './confirmation.ts';
import { type Refused, refuse, subjectOf } from './envelope.ts';
import type { Plan, PlanCheck, PlanTokens } from './plan-token.ts';
import { questionFor } from './preview.ts';

export interface ApprovalOptions {
  config: Pick<Config, 'access' | 'confirmation'>;
  catalog: Pick<Catalog, 'digest'>;
  plans: PlanTokens;
}

/** A write that somebody has to approve: whose it is, and what exactly the token and the question are about. */
export interface Intent extends Pick<LocalCall, 'call' | 'tool' | 'controls'> {
  subject: unknown;
  /** What it changes, as its preview named it. */
  object: string | null;
  /** Asked of the person; made only when somebody is asked. */
  message: () => string;
}

export function intentOf(admitted: AdmittedCall): Intent {
  const { call, tool, controls, values, request } = admitted;
  const subject = [values, request.method, request.path, request.query];
  return { call, tool, controls, subject, object: request.object, message: () => questionFor(admitted) };
}

export type Valid = PlanCheck & { ok: true };

export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #decide: (tool: Tool) => Decision;

  constructor(options: ApprovalOptions, decide: (tool: Tool) => Decision) {
    this.#options = options;
    this.#decide = decide;
  }

  /** The token that an apply of exactly this has to bring. */
  issue(intent: Pick<Intent, 'call' | 'tool' | 'subject'>): string {
    return this.#options.plans.issue(this.#planOf(intent));
  }

  async check(intent: Intent): Promise<Valid | Refused> {
    const { tool, controls } = intent;
    const missing = [controls.confirm !== true && 'confirm: true', !controls.plan_token && 'plan_token'].filter(
      Boolean,
    );
    if (missing.length > 0) return needsConfirmation(tool, missing.join(' and '));
    const checked = await this.#options.plans.check(controls.plan_token as string, this.#planOf(intent));
    return checked.ok ? checked : refusePlan(tool, checked.reason);
  }

  /** The person's yes; or, where the operator chose so, the token alone with the object named for what destroys. */
  async confirm(intent: Intent): Promise<'yes' | Exclude<Result, { kind: 'done' }>> {
    const { call, tool, controls, object } = intent;
    if (this.#options.config.confirmation === 'token') {
      if (tool.capability !== 'destructive' || controls.confirm_object === object) return 'yes';
      return needsConfirmation(tool, 'confirm_object equal to the object its preview named');
    }
    if (!call.person.reachable) {
      const why = `${tool.name} needs a person's confirmation and this connection cannot ask for one. Nothing was sent.`;
      return refuse('CONFIRMATION_UNAVAILABLE', subjectOf(tool), why);
    }
    const asked = await call.person.ask([this.question(intent)]);
    if (asked.is === 'pending') return { kind: 'ask', question: asked.result };
    const [answer] = asked.answers;
    if (answer?.is === 'yes') return 'yes';
    const why = `${tool.name} was not sent: ${answer?.why ?? 'nobody answered'}`;
    return refuse(answer?.is === 'cancelled' ? 'CANCELLED' : 'DECLINED', subjectOf(tool), why);
  }

  question(intent: Intent): Question {
    return { message: intent.message(), subject: [this.#planOf(intent), intent.controls.plan_token] };
  }

  /** Spent before anything is sent: whatever happens on the way, the same preview is never applied twice. */
  async spend(tool: Tool, checked: Valid): Promise<Refused | undefined> {
    return (await this.#options.plans.spend(checked)) ? undefined : refusePlan(tool, 'it was already used');
  }

  #planOf({ call, tool, subject }: Pick<Intent, 'call' | 'tool' | 'subject'>): Plan {
    const { config, catalog } = this.#options;
    return {
      tool: tool.name,
      arguments: subject,
      principal: call.principal,
      access: [config.access.profile, this.#decide(tool).gate, config.confirmation],
      catalog: catalog.digest,
    };
  }
}

function needsConfirmation(tool: Tool, what: string): Refused {
  return refuse('CONFIRMATION_REQUIRED', subjectOf(tool), `applying ${tool.name} needs ${what}. Nothing was sent.`);
}

function refusePlan(tool: Tool, reason: string): Refused {
  return refuse('PLAN_TOKEN_REFUSED', subjectOf(tool), `the plan token was refused: ${reason}. Nothing was sent.`);
}
