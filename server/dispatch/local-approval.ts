import type { AuditLog } from '../audit/audit-log.ts';
import type { Config } from '../config/config.ts';
import type { ApprovalRecord, Approvals, Intent } from './approvals.ts';
import { auditedIntent } from './audit-entry.ts';
import type { Approver } from './confirmation.ts';
import {
  type Approval,
  type ApprovalList,
  isPending,
  type LocalCall,
  type Unanswered,
  WholeResult,
} from './dispatch-call.ts';
import { refuse, subjectOf } from './envelope.ts';
import type { WriteQuota } from './write-quota.ts';

const NO_REQUEST = 'there was no request to approve';

interface LocalApprovalOptions {
  config: Pick<Config, 'confirmation'>;
  audit?: AuditLog;
  quota?: WriteQuota;
}

/** Plan token and question of a local tool whose run changes something: the same as those of a platform write. */
export class LocalApproval {
  readonly #local: LocalCall;
  readonly #approvals: Approvals;
  readonly #options: LocalApprovalOptions;

  constructor(local: LocalCall, approvals: Approvals, options: LocalApprovalOptions) {
    this.#local = local;
    this.#approvals = approvals;
    this.#options = options;
  }

  /** What the tool is given: it issues the token of a preview, and takes the one that an apply brings. */
  get ofRun(): Approval {
    const { call, tool, controls } = this.#local;
    return {
      controls,
      preview: (subject) => this.#approvals.issue({ call, tool, subject, account: null }),
      take: (subject, list) => this.#take(subject, list),
    };
  }

  /** Asks the person about a list where one can be asked; undefined where nobody is. */
  async askAbout({ about, requests }: ApprovalList): Promise<Approver | Unanswered | undefined> {
    const { call, tool, controls } = this.#local;
    const mustAsk = this.#options.config.confirmation === 'elicit' || this.#approvals.windowRequiresApproval(requests);
    const isAsked = mustAsk && call.approver.reachable;
    if (requests.length === 0 || !isAsked) return undefined;
    await this.#options.quota?.mustHaveLeftForAll(call, requests);
    const intent = { call, tool, controls, subject: about, account: null, object: null, requests, about };
    const approved = await this.#approvals.confirm(intent);
    if ('kind' in approved && (approved.kind === 'ask' || isPending(approved))) return approved;
    if (!('kind' in approved)) this.#note(approved);
    return this.#approvals.listApprover(requests, approved);
  }

  async #take(...[subject, list]: Parameters<Approval['take']>): ReturnType<Approval['take']> {
    const { call, tool, controls } = this.#local;
    const planned = { call, tool, controls, subject, account: null };
    const valid = await this.#approvals.check(planned);
    if ('kind' in valid) return new WholeResult(valid);
    // Nothing to agree to: the token stays for the run as it is, and whatever it would send after all is declined.
    if (list.requests.length === 0)
      return this.#approvals.listApprover([], refuse('DECLINED', subjectOf(tool), NO_REQUEST));
    const { requests, about } = await this.#withinQuota(list);
    const intent: Intent = { ...planned, object: list.object, requests, about, notAfter: valid.expiresAt };
    const record = await this.#approvals.confirm(intent);
    if ('kind' in record) return new WholeResult(record);
    if (call.signal?.aborted)
      return new WholeResult(refuse('CANCELLED', subjectOf(tool), `${tool.name} was not sent: the call was cancelled`));
    this.#note(record);
    const spent = await this.#approvals.consume(tool, valid);
    return spent ? new WholeResult(spent) : this.#approvals.listApprover(requests, record);
  }

  /** What is asked about of a list. Throws WRITE_QUOTA_USED_UP where nothing of it can be sent, or not all of one that is sent as a whole. */
  async #withinQuota({ requests, about, inParts }: ApprovalList): Promise<ApprovalList> {
    const { quota } = this.#options;
    const { call } = this.#local;
    if (inParts !== true || quota === undefined) {
      await quota?.mustHaveLeftForAll(call, requests);
      return { requests, about };
    }
    const first = await quota.firstOf(call, requests);
    if (first.length === requests.length) return { requests, about };
    const part = `now the first ${first.length} of them, as many writes as are left in this hour`;
    return { requests: first, about: `${about}; ${part}` };
  }

  /** Who approved the list, before anything of it is sent. What cannot be recorded is refused here. */
  #note(record: ApprovalRecord): void {
    const { call, tool } = this.#local;
    call.approved = record;
    this.#options.audit?.record(auditedIntent(call, tool, record));
  }
}
