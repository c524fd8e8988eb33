/**
 * Asks operators about a write where the agent's client cannot ask, or is not enough: the call answers APPROVAL_PENDING, and
 * the same call, repeated, gets the outcome. The approval is found again by its id, a digest of what it is for, so any
 * replica finds the same one.
 */
import type { Approval, Decision } from '../approvals/approval.ts';
import { stateOf } from '../approvals/approval.ts';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Approver } from './confirmation.ts';
import type { Result } from './dispatch-call.ts';
import { type Refused, refuse, refuseUsed, type Subject } from './envelope.ts';
import { approvedParts, type ExactRequest } from './exact-request.ts';

export interface OperatorApprovalOptions {
  service: ApprovalService;
  /** Where operators find the approval, where there is a console. The address holds no secret. */
  linkTo: (id: string) => string | undefined;
}

/** What operators are asked about. */
export interface OperatorQuestion {
  id: string;
  digest: string;
  principal: string;
  /** Questions of this principal that may be open, where fewer than of any principal. */
  mostOfPrincipal?: number | undefined;
  subject: Subject;
  about: string;
  requests: readonly ExactRequest[];
  notAfter: number | undefined;
  open: Approver['open'];
}

/** The yes, or how the call ends without one. */
export type OperatorAnswer = { decisions: readonly Decision[]; askedAt: number } | Exclude<Result, { kind: 'done' }>;

export class OperatorApprovals {
  readonly #options: OperatorApprovalOptions;

  constructor(options: OperatorApprovalOptions) {
    this.#options = options;
  }

  /** Whether a yes in the agent's client is too little for these requests. */
  needs(requests: readonly { tool: Pick<Tool, 'capability'> }[]): boolean {
    return this.#options.service.needsOperators(requests.map(({ tool }) => tool));
  }

  async ask(question: OperatorQuestion): Promise<OperatorAnswer> {
    const { id, digest, principal, mostOfPrincipal, subject, about, requests, notAfter } = question;
    const { service } = this.#options;
    const parts = requests.map(approvedParts);
    const own = mostOfPrincipal === undefined ? {} : { mostOfPrincipal };
    const asking = { id, digest, principal, ...own, tool: subject.tool, about, requests: parts, notAfter };
    const { approval, created } = await service.ask(asking);
    const state = stateOf(approval, Date.now());
    if (state === 'pending') return this.#pending(question, approval, created);
    if (state === 'approved') {
      const used = await service.use(id, digest);
      if (used?.state === 'pending')
        return this.#pending(question, used, false, ' again: the answers so far are not enough any more');
      if (used) return { decisions: used.decisions, askedAt: approval.askedAt };
      // Another repetition of the call was faster: it used the approval up, or found that it has to wait again.
      const now = await service.read(id);
      return now?.state === 'pending' ? this.#pending(question, now, false) : refuseUsed(subject, 'approval');
    }
    return endOf(subject, approval, state);
  }

  /** The client may be asked to open the page, once; what it answers can withdraw the question and nothing else. */
  async #pending(
    { id, digest, subject, open }: OperatorQuestion,
    approval: Approval,
    created: boolean,
    again = '',
  ): Promise<OperatorAnswer> {
    const { service, linkTo } = this.#options;
    const url = linkTo(id);
    const opened = url === undefined ? undefined : open?.(messageOf(approval), url);
    if (opened?.kind === 'pending' && created) return { kind: 'ask', question: opened.result, digest };
    if (opened?.kind === 'declined' || opened?.kind === 'cancelled') {
      await service.withdraw(id);
      const code = opened.kind === 'declined' ? 'DECLINED' : 'CANCELLED';
      return refuse(code, subject, `${subject.tool} was not sent: the person did not open the approval page`);
    }
    const until = new Date(approval.expiresAt).toISOString();
    const given = approval.decisions.length;
    const progress = approval.needed > 1 ? ` (${given} of ${approval.needed} have agreed)` : '';
    const message = `${subject.tool} waits for an operator${again}${progress}, until ${until}. Nothing was sent.`;
    return refuse('APPROVAL_PENDING', subject, message, {
      approval_id: id,
      expires_at: until,
      ...(url === undefined ? {} : { approval_url: url }),
    });
  }
}

function endOf(subject: Subject, approval: Approval, state: 'declined' | 'cancelled' | 'expired' | 'used'): Refused {
  const more = { approval_id: approval.id };
  const { tool } = subject;
  if (state === 'used') return refuseUsed(subject, 'approval');
  if (state === 'expired')
    return refuse('APPROVAL_EXPIRED', subject, `${tool} was not sent: no operator answered in time`, more);
  if (state === 'cancelled')
    return refuse('CANCELLED', subject, `${tool} was not sent: the question was withdrawn`, more);
  const reason = approval.decisions.at(-1)?.reason ?? '';
  const said = reason === '' ? '' : `; the reason: ${JSON.stringify(reason)}`;
  return refuse('DECLINED', subject, `${tool} was not sent: an operator declined${said}`, more);
}

function messageOf({ tool, requests, destructive }: Approval): string {
  const what = requests.length === 1 ? 'one request' : `${requests.length} requests`;
  const warning = destructive ? ' It destroys something.' : '';
  return `${tool} wants to send ${what}.${warning} Open the approval page to see it whole, and to approve or decline it there. Opening the page approves nothing.`;
}
