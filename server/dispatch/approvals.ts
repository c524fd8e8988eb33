/**
 * The one service that approves writes: it issues and checks plan tokens, asks the person about the exact requests, and
 * keeps one record of each approval: what was asked, how, who answered and when.
 */
import { randomUUID } from 'node:crypto';
import type { Decision } from '../access/access-policy.ts';
import { approvalIdOf } from '../approvals/approval.ts';
import type { WriteSwitch } from '../approvals/write-switch.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import type { AccountBinding } from '../outbound/account-binding.ts';
import { digest } from './canonical-json.ts';
import type { Answer, Answered, Approver } from './confirmation.ts';
import type { Call, LocalCall, Result } from './dispatch-call.ts';
import { type CallEnd, type Refused, refuse, refuseUsed, subjectOf } from './envelope.ts';
import type { ExactRequest, RequestDigests } from './exact-request.ts';
import type { OperatorApprovals } from './operator-approval.ts';
import type { Plan, PlanCheck, PlanTokens } from './plan-token.ts';
import { type Question, questionParts, type TooLarge, wholePart } from './question.ts';
import type { WriteWindows } from './write-windows.ts';

export interface ApprovalOptions {
  config: Pick<Config, 'access' | 'confirmation' | 'approvalMaxCharacters'>;
  catalog: Pick<Catalog, 'digest'>;
  plans: PlanTokens;
  digests: RequestDigests;
  /** Who answers where the agent's client cannot; undefined where the operator wants none. */
  operators?: OperatorApprovals;
  /** Refuses every write while an operator has stopped them. */
  writes?: Pick<WriteSwitch, 'mustAllow'>;
  windows?: Pick<WriteWindows, 'mustBeOpen' | 'requiresApproval'>;
}

/** What a plan token binds: the principal of the write and the account that it goes to. */
export interface Planned extends Pick<LocalCall, 'call' | 'tool'> {
  subject: unknown;
  /** The arguments name files, whose content is part of the subject. */
  holdsFiles?: boolean;
  /** Null for a tool of this router, whose requests are bound one by one. */
  account: AccountBinding | null;
}

/** Writes that somebody has to approve together. */
export interface Intent extends Planned, Pick<LocalCall, 'controls'> {
  /** What it changes, as its preview named it. */
  object: string | null;
  /** In the order in which they are sent. */
  requests: readonly ExactRequest[];
  /** One line before the requests, where they belong to something that has a name. */
  about?: string;
  /** End of the plan token, in ms since 1970: no approval outlives it. */
  notAfter?: number;
}

/** How an approval was asked for: a form of the client, a terminal, as part of a list, of operators, or by the plan token alone. */
export type AskedHow = 'form' | 'terminal' | 'list' | 'operator' | 'token';

/** One approval as it stands in the audit log. Times in milliseconds since 1970. */
export interface ApprovalRecord {
  id: string;
  /** Keyed digest of the requests. */
  digest: string;
  how: AskedHow;
  askedAt: number;
  state: 'approved' | 'declined' | 'cancelled';
  answeredAt: number;
  /** Principal of the connection whose person answered; or each operator with the place, as `console:ada`. */
  answeredBy: string;
}

export type Valid = PlanCheck & { ok: true };

export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #decide: (tool: Tool, call: Call) => Decision;

  constructor(options: ApprovalOptions, decide: (tool: Tool, call: Call) => Decision) {
    this.#options = options;
    this.#decide = decide;
  }

  /** Life of a plan token, in seconds: from the preview to the apply, and where operators answer as long as an approval after that. */
  get tokenSeconds(): number {
    return this.#options.plans.seconds;
  }

  /** Throws WRITES_STOPPED while an operator has stopped the writes, OUTSIDE_WRITE_WINDOW where a platform takes none now. */
  async mustAllowWrites({ local, platform }: Pick<Tool, 'local' | 'platform'>): Promise<void> {
    await this.#options.writes?.mustAllow();
    // A tool of the router sends nothing itself: each of its writes comes by here.
    if (!local) this.#options.windows?.mustBeOpen(platform);
  }

  /** Whether one of these has to be approved although a plan token alone, or the person at the client, would do in a window. */
  windowRequiresApproval(requests: readonly ExactRequest[]): boolean {
    return requests.some(({ tool }) => this.#options.windows?.requiresApproval(tool.platform));
  }

  /** The token that an apply of exactly this has to bring. `target` is the digest of the target as the preview read it. */
  issue(planned: Planned, target?: string): string {
    return this.#options.plans.issue(this.#planOf(planned), target);
  }

  /** Valid, or why the call ends here: what is missing, or what changed since the preview. */
  async check(intent: Planned & Pick<Intent, 'controls'>): Promise<Valid | Refused> {
    const { tool, controls } = intent;
    const missing = [controls.confirm !== true && 'confirm: true', !controls.plan_token && 'plan_token'].filter(
      Boolean,
    );
    if (missing.length > 0) return needsConfirmation(tool, missing.join(' and '));
    await this.mustAllowWrites(tool);
    const checked = await this.#options.plans.check(controls.plan_token as string, this.#planOf(intent));
    if (checked.ok) return checked;
    if (checked.used) return refuseUsed(subjectOf(tool), 'plan token');
    if (checked.changed === undefined) return refusePlan(tool, checked.reason);
    const isFile = checked.changed === 'arguments' && intent.holdsFiles === true;
    return stale(tool, checked.changed, isFile ? FILE_OR_ARGUMENTS : checked.reason);
  }

  /** Refused where the question about these requests would not fit and a person has to be asked. */
  refuseTooLarge(intent: Intent): Refused | undefined {
    if (this.#isTokenEnough(intent) || this.#options.operators) return undefined;
    const question = this.question(intent);
    return 'characters' in question ? tooLarge(intent, question) : undefined;
  }

  /** Whether operators answer for these requests, as far as it is known before anybody is asked. */
  asksOperators(intent: Intent): boolean {
    return this.#isForOperators(intent, this.question(intent));
  }

  /** The person's yes; or, where the operator chose so, the token alone with the object named for what destroys. */
  async confirm(intent: Intent): Promise<ApprovalRecord | Exclude<Result, { kind: 'done' }>> {
    const { call, tool, controls, object } = intent;
    const askedAt = Date.now();
    // A token alone may confirm only for a client that asks by form. A list or a terminal always has an approver.
    if (this.#isTokenEnough(intent) && call.approver.how === 'form') {
      if (tool.capability !== 'destructive' || controls.confirm_object === object)
        return this.#record(intent, 'token', askedAt, { kind: 'yes' });
      return needsConfirmation(tool, 'confirm_object equal to the object its preview named');
    }
    if (!call.approver.reachable) {
      const why = `${tool.name} needs a person's confirmation and this connection cannot ask for one. Nothing was sent.`;
      return refuse('CONFIRMATION_UNAVAILABLE', subjectOf(tool), why);
    }
    const question = this.question(intent);
    if (this.#isForOperators(intent, question)) return this.#askOperators(intent, askedAt);
    if ('characters' in question) return tooLarge(intent, question);
    const asked = await call.approver.ask(question);
    if (asked.kind === 'pending') return { kind: 'ask', question: asked.result, digest: question.digest };
    const { answer } = asked;
    // A request of a list was no question of its own.
    if (call.approver.how !== 'list') call.answered = call.approver.answers ?? question.digest;
    if (answer.kind === 'yes') return this.#record(intent, call.approver.how, askedAt, answer);
    const code = answer.kind === 'cancelled' ? 'CANCELLED' : 'DECLINED';
    return refuse(code, subjectOf(tool), `${tool.name} was not sent: ${answer.why}`);
  }

  #isTokenEnough({ requests }: Intent): boolean {
    return this.#options.config.confirmation === 'token' && !this.windowRequiresApproval(requests);
  }

  /** Where the client cannot ask, where its question would be too long, outside a window, and where one yes is too little. */
  #isForOperators({ call, requests }: Intent, question: Question | TooLarge): boolean {
    const { operators } = this.#options;
    if (operators === undefined || call.approver.how === 'list') return false;
    const { how } = call.approver;
    const tooLong = how === 'form' && 'characters' in question;
    return how === 'operator' || tooLong || this.windowRequiresApproval(requests) || operators.needs(requests);
  }

  async #askOperators(intent: Intent, askedAt: number): Promise<ApprovalRecord | Exclude<Result, { kind: 'done' }>> {
    const { call, tool, requests, about = '', notAfter } = intent;
    const operators = this.#options.operators as OperatorApprovals;
    const requestsDigest = this.#options.digests.of(requests);
    const answer = await operators.ask({
      id: this.#approvalId(intent, requestsDigest),
      digest: requestsDigest,
      principal: call.principal,
      mostOfPrincipal: call.access?.maxPendingApprovals,
      subject: subjectOf(tool),
      about,
      requests,
      notAfter,
      open: call.approver.open,
    });
    if ('kind' in answer) return answer;
    const answeredBy = answer.decisions.map(({ where, operator }) => `${where}:${operator}`).join(', ');
    const record = this.#record(intent, 'operator', answer.askedAt ?? askedAt, { kind: 'yes' });
    return { ...record, answeredAt: answer.decisions.at(-1)?.at ?? record.answeredAt, answeredBy };
  }

  /** The same for every repetition of the same call, whichever replica it reaches, and for nothing else. */
  #approvalId(intent: Intent, requestsDigest: string): string {
    const { call, controls } = intent;
    // A list has no plan token of its own; those of its calls stand in its arguments.
    const of = controls.plan_token ?? call.arguments;
    return approvalIdOf(digest([this.#options.plans.storeId, this.#planOf(intent), of, requestsDigest]));
  }

  question(intent: Intent): Question | TooLarge {
    const { requests, about } = intent;
    const digest = this.#options.digests.of(requests);
    // Only a form is too small for a text: a terminal has room, and a list was shown before.
    const parts =
      intent.call.approver.how === 'form'
        ? questionParts(requests, digest, this.#options.config.approvalMaxCharacters, about)
        : [wholePart(requests, digest, about)];
    if ('characters' in parts) return parts;
    return { subject: [this.#planOf(intent), intent.controls.plan_token], digest, parts };
  }

  /** Spent before anything is sent: whatever happens on the way, the same preview is never applied twice. */
  async consume(tool: Tool, checked: Valid): Promise<Refused | undefined> {
    if (!(await this.#options.plans.consume(checked))) return refuseUsed(subjectOf(tool), 'plan token');
    // The last look: nothing is awaited between this and the sending but the platform itself.
    await this.mustAllowWrites(tool);
    return undefined;
  }

  /**
   * Stands in for the person in each call of an approved list: agrees to each request of it once, and to nothing else.
   * `ended` is the record of the yes, or how the question ended without one.
   */
  listApprover(requests: readonly ExactRequest[], ended: ApprovalRecord | Refused | CallEnd): Approver {
    const left = requests.map((request) => this.#options.digests.of([request]));
    const answer = 'kind' in ended ? answerIn(ended) : yesTo(ended);
    return {
      reachable: true,
      how: 'list',
      ask: async ({ digest }) => {
        const at = left.indexOf(digest);
        if (at < 0) return answered({ kind: 'declined', why: 'the request differs from those that were approved' });
        left.splice(at, 1);
        return answered(answer);
      },
    };
  }

  #record({ call, requests }: Intent, how: AskedHow, askedAt: number, answer: Answer): ApprovalRecord {
    return {
      id: randomUUID(),
      digest: this.#options.digests.of(requests),
      how,
      askedAt,
      state: answer.kind === 'yes' ? 'approved' : answer.kind,
      answeredAt: Date.now(),
      answeredBy: call.principal,
      ...(answer.kind === 'yes' ? answer.list : {}),
    };
  }

  #planOf({ call, tool, subject, account }: Planned): Plan {
    const { config, catalog } = this.#options;
    return {
      tool: tool.name,
      arguments: subject,
      principal: call.principal,
      access: [config.access.profile, this.#decide(tool, call).gate, config.confirmation],
      catalog: catalog.digest,
      account: account && [account.identity, account.origin],
    };
  }
}

const answered = (answer: Answer): Answered => ({ kind: 'answered', answer });

const yesTo = ({ id, askedAt, answeredAt, answeredBy }: ApprovalRecord): Answer => ({
  kind: 'yes',
  list: { id, askedAt, answeredAt, answeredBy },
});

function answerIn(ended: Refused | CallEnd): Answer {
  const why = ended.kind === 'refused' ? ended.refusal.message : 'nobody answered';
  return { kind: ended.outcome === 'cancelled' ? 'cancelled' : 'declined', why };
}

const FILE_OR_ARGUMENTS = 'the content of a file or the arguments differ from what was previewed';

/** Something that was previewed is not any more what it was. */
export function stale(tool: Tool, changed: string, reason: string): Refused {
  return refuse('PLAN_STALE', subjectOf(tool), `the plan is stale: ${reason}. Nothing was sent.`, { changed });
}

function tooLarge({ tool, requests }: Intent, { characters, limit, request }: TooLarge): Refused {
  const which = requests.length === 1 ? 'the request' : `request ${request} of ${requests.length}`;
  const message = `the question about ${which} should have at most ${limit} characters, got ${characters}; it is never cut. Nothing was sent.`;
  return refuse('APPROVAL_TOO_LARGE', subjectOf(tool), message, { characters, limit });
}

function needsConfirmation(tool: Tool, what: string): Refused {
  return refuse('CONFIRMATION_REQUIRED', subjectOf(tool), `applying ${tool.name} needs ${what}. Nothing was sent.`);
}

function refusePlan(tool: Tool, reason: string): Refused {
  return refuse('PLAN_TOKEN_REFUSED', subjectOf(tool), `the plan token was refused: ${reason}. Nothing was sent.`);
}
