/**
 * The service behind every approval that is given outside of the agent's client. Console, terminal and dispatch use this
 * one; whatever replica takes the answer, each change replaces exactly the state that it was decided on.
 */
import type { OperatorRecord } from '../audit/audit-record.ts';
import { RouterError } from '../errors.ts';
import {
  type Approval,
  type Decision,
  destroyedObjects,
  isApprovalId,
  type ShownRequest,
  stateOf,
  type Verdict,
  type Where,
} from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { Operator } from './operators.ts';
import { openApproval, type SealingKeys, sealApproval } from './sealed-approval.ts';

/** Open approvals of one principal and of all: beyond these nothing more is asked. */
export const APPROVAL_LIMITS = { principal: 64, all: 256, characters: 4_000_000, reason: 500 };
/** What was decided or expired is remembered this long, without its requests, so that the agent learns how it ended. */
const REMEMBERED_MS = 3_600_000;
/** A change that somebody else's change overtook is decided again on the new state. */
const MOST_TRIES = 5;

export type DecisionLine = Extract<OperatorRecord, { kind: 'approval' }>;

export interface ApprovalServiceOptions {
  store: ApprovalStore;
  keys: SealingKeys;
  /** Life of an approval in milliseconds. */
  lifeMs: number;
  twoForDestructive: boolean;
  /** The operator of this name as of now. Throws where that cannot be known; then nothing is sent. */
  findOperator: (name: string) => Operator | undefined;
  /** Throws where the line cannot be written; then nothing is decided. */
  record?: (line: DecisionLine) => void;
  /** Told of each final answer, with the time from the question to it. */
  onAnswer?: (state: 'approved' | 'declined' | 'cancelled', ms: number) => void;
  /** Told of each new question, and of one that waits again. */
  onAsked?: (approval: Approval) => void;
  now?: () => number;
}

export interface Asking {
  /** Questions of this principal that may be open, where fewer than of any principal. */
  mostOfPrincipal?: number;
  id: string;
  digest: string;
  principal: string;
  tool: string;
  about: string;
  requests: readonly ShownRequest[];
  /** The approval ends with what it belongs to, such as a plan token; in ms since 1970. */
  notAfter: number | undefined;
}

export interface Answering {
  operator: Operator;
  verdict: Verdict;
  where: Where;
  reason: string;
  /** Digest that the operator was shown. */
  digest: string;
  /** Names that the operator typed, one for each object that is destroyed. */
  objects: readonly string[];
}

/** Why an answer did not count. */
export type AnswerProblem =
  | 'gone'
  | 'expired'
  | 'decided'
  | 'changed'
  | 'own request'
  | 'same operator'
  | 'object not named';

export type Answered = { ok: true; approval: Approval } | { ok: false; problem: AnswerProblem };

/** What the log says of a change: once before it is made, and once more where another change came first after all. */
interface Lines {
  record: (approval: Approval) => void;
  overtaken: (approval: Approval) => void;
}

export class ApprovalService {
  readonly #options: ApprovalServiceOptions;
  readonly #now: () => number;
  /** Ids of approvals whose state cannot change any more. */
  readonly #ended = new Set<string>();

  constructor(options: ApprovalServiceOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get lifeMs(): number {
    return this.#options.lifeMs;
  }

  /** Whether one yes in the agent's client is too little for these requests. */
  needsOperators(requests: readonly { capability: string }[]): boolean {
    return this.#options.twoForDestructive && requests.some(({ capability }) => capability === 'destructive');
  }

  /** The approval of this id as it stands; asks for it where there is none. Throws APPROVAL_LIMIT or APPROVAL_TOO_LARGE. */
  async ask(asking: Asking): Promise<{ approval: Approval; created: boolean }> {
    const known = await this.read(asking.id);
    if (known) return { approval: known, created: false };
    const approval = this.#pendingOf(asking);
    const characters = JSON.stringify(approval.requests).length;
    if (characters > APPROVAL_LIMITS.characters) throw tooLarge(characters);
    await this.#mustHaveRoom(asking);
    this.#record(approval, 'asked');
    const created = await this.#options.store.create(asking.id, this.#seal(approval), this.#keptUntil(approval));
    if (created) {
      this.#options.onAsked?.(approval);
      return { approval, created };
    }
    const other = await this.read(asking.id);
    if (other) return { approval: other, created: false };
    throw new RouterError('STATE_UNAVAILABLE', 'an approval could not be kept, so nothing was sent');
  }

  /** Undefined where there is none, or where what is stored was not made by this router. */
  async read(id: string): Promise<Approval | undefined> {
    return (await this.#read(id))?.approval;
  }

  /** What is kept, the oldest first. What expired loses its requests on the way. */
  async list(): Promise<Approval[]> {
    const found: Approval[] = [];
    for (const id of await this.#options.store.ids()) {
      const read = await this.#read(id);
      if (read) found.push(await this.#withoutExpired(read));
    }
    return found.sort((a, b) => a.askedAt - b.askedAt);
  }

  /** What waits for an operator. What ended once is not read again: there may be thousands of those for each that waits. */
  async pending(): Promise<Approval[]> {
    const ids = new Set(await this.#options.store.ids());
    for (const id of this.#ended) if (!ids.has(id)) this.#ended.delete(id);
    const found: Approval[] = [];
    for (const id of ids) {
      const approval = this.#ended.has(id) ? undefined : await this.read(id);
      if (approval === undefined) continue;
      const state = stateOf(approval, this.#now());
      if (state === 'pending') found.push(approval);
      else if (state !== 'approved') this.#ended.add(id);
    }
    return found.sort((a, b) => a.askedAt - b.askedAt);
  }

  /** Counts the answer of one operator. A no ends it; a yes approves it when as many operators as needed agreed. */
  async answer(id: string, answering: Answering): Promise<Answered> {
    const { operator, verdict, where } = answering;
    const reason = answering.reason.trim().slice(0, APPROVAL_LIMITS.reason);
    const { name, stamp } = operator;
    const decision: Decision = { operator: name, stamp, verdict, where, at: this.#now(), reason };
    const changed = await this.#change(
      id,
      (found) => {
        const approval = this.#withStanding(found);
        const problem = problemOf(approval, answering, this.#now());
        return problem ? { problem } : { next: answered(approval, decision) };
      },
      {
        record: (approval) => {
          this.#recordRevoked(approval);
          this.#record(approval, verdict === 'approve' ? 'approved' : 'declined', decision);
        },
        overtaken: (approval) => this.#record(approval, 'overtaken', decision),
      },
    );
    if (!('approval' in changed)) return { ok: false, problem: changed.problem };
    const { state, askedAt } = changed.approval;
    if (state === 'approved' || state === 'declined') this.#options.onAnswer?.(state, this.#now() - askedAt);
    return { ok: true, approval: changed.approval };
  }

  /** The agent's side takes its question back: whoever would answer it comes too late. */
  async withdraw(id: string): Promise<void> {
    const withdrawn = await this.#change(
      id,
      (approval) =>
        stateOf(approval, this.#now()) === 'pending'
          ? { next: { ...approval, state: 'cancelled', requests: [] } }
          : { problem: 'decided' },
      {
        record: (approval) => this.#record(approval, 'cancelled'),
        overtaken: (approval) => this.#record(approval, 'overtaken'),
      },
    );
    if ('approval' in withdrawn) this.#options.onAnswer?.('cancelled', this.#now() - withdrawn.approval.askedAt);
  }

  /**
   * Uses an approved approval up, once: for the first caller over all replicas it is `used`. It is `pending` again where too few
   * of its decisions count any more. Undefined where there is nothing to use.
   */
  async use(id: string, digest: string): Promise<Approval | undefined> {
    const used = await this.#change(
      id,
      (approval) => {
        const isApproved = stateOf(approval, this.#now()) === 'approved' && approval.digest === digest;
        if (!isApproved) return { problem: 'decided' };
        const standing = this.#withStanding(approval);
        return { next: standing === approval ? { ...approval, state: 'used', requests: [] } : standing };
      },
      { record: (approval) => this.#recordRevoked(approval), overtaken: () => undefined },
    );
    if (!('approval' in used)) return undefined;
    if (used.approval.state === 'pending') this.#options.onAsked?.(used.approval);
    return used.approval;
  }

  /** Forgets what is past its time, and takes the requests out of what expired. */
  async sweep(): Promise<void> {
    await this.list();
    await this.#options.store.prune();
  }

  #pendingOf({ id, digest, principal, tool, about, requests, notAfter }: Asking): Approval {
    const askedAt = this.#now();
    const destructive = requests.some(({ capability }) => capability === 'destructive');
    return {
      version: 1,
      id,
      digest,
      principal,
      tool,
      about,
      destructive,
      needed: this.#neededFor(destructive),
      askedAt,
      expiresAt: Math.min(askedAt + this.#options.lifeMs, notAfter ?? Number.POSITIVE_INFINITY),
      state: 'pending',
      decisions: [],
      requests,
    };
  }

  async #mustHaveRoom({ principal, mostOfPrincipal = APPROVAL_LIMITS.principal }: Asking): Promise<void> {
    const open = await this.pending();
    const own = open.filter((approval) => approval.principal === principal);
    if (open.length < APPROVAL_LIMITS.all && own.length < Math.min(mostOfPrincipal, APPROVAL_LIMITS.principal)) return;
    throw new RouterError(
      'APPROVAL_LIMIT',
      `${own.length} questions of this caller wait for an operator. Nothing was sent.`,
      { details: { retry_after_seconds: 30 } },
    );
  }

  /** Decides on the state that is there, and again if it was replaced meanwhile. */
  async #change(
    id: string,
    decide: (approval: Approval) => { next: Approval } | { problem: AnswerProblem },
    lines?: Lines,
  ): Promise<{ approval: Approval } | { problem: AnswerProblem }> {
    let recorded: Approval | undefined;
    const lost = (problem: AnswerProblem) => {
      if (recorded) lines?.overtaken(recorded);
      return { problem };
    };
    for (let tried = 0; tried < MOST_TRIES; tried++) {
      const read = await this.#read(id);
      if (read === undefined) return lost('gone');
      const decided = decide(read.approval);
      if ('problem' in decided) return lost(decided.problem);
      // On record before it counts: an answer that cannot be recorded is none.
      if (recorded === undefined) lines?.record(read.approval);
      recorded = read.approval;
      const { next } = decided;
      if (await this.#options.store.replace(id, read.text, this.#seal(next), this.#keptUntil(next)))
        return { approval: next };
    }
    return lost('changed');
  }

  async #read(id: string): Promise<{ approval: Approval; text: string } | undefined> {
    // An id may be anything that somebody typed.
    if (!isApprovalId(id)) return undefined;
    const text = await this.#options.store.read(id);
    const approval = text === undefined ? undefined : openApproval(this.#options.keys, id, text);
    return text === undefined || approval === undefined ? undefined : { approval, text };
  }

  async #withoutExpired({ approval, text }: { approval: Approval; text: string }): Promise<Approval> {
    if (stateOf(approval, this.#now()) !== 'expired' || approval.requests.length === 0) return approval;
    const rest = { ...approval, requests: [] };
    // Of several routers one says it.
    if (await this.#options.store.replace(approval.id, text, this.#seal(rest), this.#keptUntil(rest)))
      this.#record(approval, 'expired');
    return rest;
  }

  #record(approval: Approval, event: DecisionLine['event'], decision?: Decision): void {
    const { id, digest, tool, principal } = approval;
    const by = decision && {
      operator: decision.operator,
      where: decision.where,
      ...(decision.reason === '' ? {} : { reason: decision.reason }),
    };
    this.#options.record?.({ kind: 'approval', id, digest, tool, principal, event, ...by });
  }

  #neededFor(destructive: boolean): number {
    return destructive && this.#options.twoForDestructive ? 2 : 1;
  }

  /**
   * As it stands by the operators and settings of now: without the decisions of those who are not the same any more, or whose own agent asks,
   * and with as many as are needed now. What has too few waits for more.
   */
  #withStanding(approval: Approval): Approval {
    if (approval.state !== 'pending' && approval.state !== 'approved') return approval;
    const decisions = approval.decisions.filter((decision) => this.#stands(decision, approval));
    const needed = Math.max(approval.needed, this.#neededFor(approval.destructive));
    if (decisions.length === approval.decisions.length && needed === approval.needed) return approval;
    return { ...approval, state: 'pending', needed, decisions };
  }

  #stands({ operator: name, stamp }: Decision, { principal }: Approval): boolean {
    const operator = this.#options.findOperator(name);
    return operator !== undefined && operator.stamp === stamp && !operator.principals.includes(principal);
  }

  #recordRevoked(approval: Approval): void {
    const { decisions } = this.#withStanding(approval);
    for (const one of approval.decisions) if (!decisions.includes(one)) this.#record(approval, 'revoked', one);
  }

  #seal(approval: Approval): string {
    return sealApproval(this.#options.keys, approval);
  }

  #keptUntil({ expiresAt }: Approval): number {
    return expiresAt + REMEMBERED_MS;
  }
}

function answered(approval: Approval, decision: Decision): Approval {
  const decisions = [...approval.decisions, decision];
  if (decision.verdict === 'decline') return { ...approval, state: 'declined', decisions, requests: [] };
  return { ...approval, state: decisions.length >= approval.needed ? 'approved' : 'pending', decisions };
}

/** Why this answer does not count; undefined where it does. */
function problemOf(approval: Approval, answering: Answering, now: number): AnswerProblem | undefined {
  const state = stateOf(approval, now);
  if (state === 'expired') return 'expired';
  if (state !== 'pending') return 'decided';
  if (answering.digest !== approval.digest) return 'changed';
  if (answering.verdict === 'decline') return undefined;
  const { name, principals } = answering.operator;
  if (principals.includes(approval.principal)) return 'own request';
  if (approval.decisions.some(({ operator }) => operator === name)) return 'same operator';
  const objects = destroyedObjects(approval);
  const named = objects.every((object, i) => (answering.objects[i] ?? '').trim() === object.trim());
  return named && answering.objects.length === objects.length ? undefined : 'object not named';
}

const tooLarge = (characters: number) =>
  new RouterError(
    'APPROVAL_TOO_LARGE',
    `the question should have at most ${APPROVAL_LIMITS.characters} characters, got ${characters}; it is never cut. Nothing was sent.`,
    { details: { characters, limit: APPROVAL_LIMITS.characters } },
  );
