/**
 * Asking the person. Both protocol eras take this one way: the first round returns a signed request for input, the
 * second brings the answer with our state. On 2025-11-25 connections the SDK turns the first round into a push.
 */
import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { digest } from './canonical-json.ts';
import { type Keys, keysFor } from './keyring.ts';
import type { Question, QuestionPart } from './question.ts';
import { isCanonical } from './signing.ts';
import type { SingleUse } from './single-use.ts';

export type Era = 'legacy' | 'modern';

export type Answer = { kind: 'yes'; list?: ListAnswer } | { kind: 'declined' | 'cancelled'; why: string };

/** The yes to a list, of which a request is one. Times in ms since 1970. */
export interface ListAnswer {
  /** Of its record. */
  id: string;
  askedAt: number;
  answeredAt: number;
  answeredBy: string;
}

/** The approver's answer, or the request that must go to the client first. */
export type Answered = { kind: 'answered'; answer: Answer } | { kind: 'pending'; result: InputRequiredResult };

/** The person behind one call. */
export interface Approver {
  /** Can this connection put a question to a person at all? */
  reachable: boolean;
  /** How the person is asked, for the record of the approval. */
  how: 'form' | 'terminal' | 'list' | 'operator';
  ask: (question: Question) => Promise<Answered>;
  /** Puts a link to the person, where the connection can open one. An accepted link was opened, and approves nothing. */
  open?: (message: string, url: string) => Opened;
  /** Digest of the requests of the question to which the call brings an answer, whether or not it comes to count. */
  answers?: string;
}

export type Opened = { kind: 'pending'; result: InputRequiredResult } | { kind: 'opened' | 'declined' | 'cancelled' };

interface Pending {
  digest: string;
  /** Digest of the requests that it shows. */
  question: string;
  nonce: string;
  expiresAt: number;
}

type Codec = ReturnType<typeof createRequestStateCodec<Pending>>;

const ANSWER = 'confirm';
const OBJECT = 'confirm_object';
const LINK = 'approval';
const numbered = (name: string, index: number) => (index === 0 ? name : `${name}_${index + 1}`);

export class ConfirmationService {
  readonly #keys: Keys;
  /** The SDK's codec signs but does not count: an answer is good once. */
  readonly #used: SingleUse;
  readonly #ttlSeconds: number;
  /** Whether operators answer for connections that cannot show a form. */
  readonly #operators: boolean;
  readonly #codecs = new WeakMap<Uint8Array, Record<Era, Codec>>();

  constructor(keys: Keys, used: SingleUse, ttlSeconds = 300, operators = false) {
    this.#keys = keysFor(keys, 'confirmation');
    this.#used = used;
    this.#ttlSeconds = ttlSeconds;
    this.#operators = operators;
  }

  /** For the protocol server: checks the state a client brings back, under the current key or the one before it. */
  verifier(era: Era): Codec['verify'] {
    return async (state, ctx) => {
      // The SDK's codec compares the bytes of the signature, so `=`, a blank or a line end behind it would pass.
      if (!isCanonical(state.slice(state.lastIndexOf('.') + 1))) throw new Error('malformed');
      const [current, ...older] = this.#keys.all;
      let verified = this.#codec(current as Uint8Array, era).verify(state, ctx);
      for (const key of older) verified = verified.catch(() => this.#codec(key, era).verify(state, ctx));
      return verified;
    };
  }

  approverOf(ctx: ServerContext, era: Era, sessionCapabilities: { elicitation?: unknown } | undefined): Approver {
    const declared =
      era === 'legacy'
        ? sessionCapabilities
        : (ctx.mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const forms = elicitsForms(declared) && ctx.http?.authInfo?.extra?.['mayApprove'] !== false;
    const answers = ctx.mcpReq.requestState<Pending>()?.question;
    const approver: Approver = {
      ...(answers === undefined ? {} : { answers }),
      reachable: forms || this.#operators,
      how: forms || !this.#operators ? 'form' : 'operator',
      ask: (question) => (forms || !this.#operators ? this.#ask(ctx, era, question) : notHere()),
    };
    const opens = this.#operators && elicitsUrls(declared);
    return opens ? { ...approver, open: (message, url) => openLink(ctx, message, url) } : approver;
  }

  async #ask(ctx: ServerContext, era: Era, question: Question): Promise<Answered> {
    const about = digest([this.#used.id, question.subject, question.digest]);
    const state = ctx.mcpReq.requestState<Pending>();
    const views = question.parts.map((_, i) => inputResponse(ctx.mcpReq.inputResponses, numbered(ANSWER, i)));
    const given = views.flatMap((view, i) =>
      view.kind === 'missing' ? [] : [answerOf(view, question.parts[i] as QuestionPart)],
    );
    const refused = given.find(({ kind }) => kind !== 'yes');
    // An answer without our own state is an answer to nobody's question: ask. A no to one part needs no answer to the others.
    if (state === undefined || (given.length < views.length && refused === undefined))
      return { kind: 'pending', result: await this.#question(ctx, era, question, about) };
    const declined = (why: string): Answered => ({ kind: 'answered', answer: { kind: 'declined', why } });
    if (state.digest !== about) return declined('the call differs from the one that was confirmed');
    if (!(await this.#used.consume(state.nonce, state.expiresAt)))
      return declined('this confirmation was already used');
    return { kind: 'answered', answer: refused ?? { kind: 'yes' } };
  }

  async #question(ctx: ServerContext, era: Era, question: Question, about: string): Promise<InputRequiredResult> {
    const asked = question.parts.map((part, i) => [
      numbered(ANSWER, i),
      inputRequired.elicit({ message: part.message, requestedSchema: formOf(part) }),
    ]);
    const expiresAt = Date.now() + (this.#ttlSeconds + 60) * 1000;
    const state = { digest: about, question: question.digest, nonce: randomUUID(), expiresAt };
    return inputRequired({
      inputRequests: Object.fromEntries(asked),
      requestState: await this.#codec(this.#keys.current, era).mint(state, ctx),
    });
  }

  #codec(key: Uint8Array, era: Era): Codec {
    const known = this.#codecs.get(key);
    if (known) return known[era];
    const codec = (of: Era) =>
      createRequestStateCodec<Pending>({
        key,
        ttlSeconds: this.#ttlSeconds,
        // The era is bound too: a state minted for one leg must not verify on the other.
        bind: (ctx) => [of, ctx.sessionId ?? '', ctx.mcpReq.method, ctx.http?.authInfo?.clientId ?? ''].join('\0'),
      });
    const made = { legacy: codec('legacy'), modern: codec('modern') };
    this.#codecs.set(key, made);
    return made[era];
  }
}

type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];

/** A yes, and for each destructive request the name of its object, typed by the person. */
function formOf({ objects }: QuestionPart): Form {
  const typed = objects.map((_, i) => [
    numbered(OBJECT, i),
    {
      type: 'string' as const,
      title: `Type the name after confirm_object${objects.length > 1 ? ` (destructive request ${i + 1} of ${objects.length})` : ''}`,
    },
  ]);
  const properties = {
    [ANSWER]: { type: 'boolean' as const, title: 'Yes, send exactly this' },
    ...Object.fromEntries(typed),
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}

function answerOf(answer: ReturnType<typeof inputResponse>, { objects }: QuestionPart): Answer {
  if (answer.kind !== 'elicit')
    return { kind: 'declined', why: `the answer was ${answer.kind}, not an answer to a form` };
  if (answer.action === 'cancel') return { kind: 'cancelled', why: 'the person cancelled' };
  if (answer.action !== 'accept') return { kind: 'declined', why: 'the person declined' };
  const { content = {} } = answer;
  if (content[ANSWER] !== true) return { kind: 'declined', why: 'the person did not confirm' };
  const isNamed = (object: string, i: number) => String(content[numbered(OBJECT, i)] ?? '').trim() === object.trim();
  if (objects.every(isNamed)) return { kind: 'yes' };
  return { kind: 'declined', why: 'the person did not type the name of the object that the request destroys' };
}

/** Operators answer elsewhere: a client that cannot show a form has no say. */
const notHere = async (): Promise<Answered> => ({
  kind: 'answered',
  answer: { kind: 'declined', why: 'this connection cannot answer' },
});

/** Asks the client to open the link, or says what became of that. Nothing that it answers approves anything. */
function openLink(ctx: ServerContext, message: string, url: string): Opened {
  const view = inputResponse(ctx.mcpReq.inputResponses, LINK);
  if (view.kind === 'missing')
    return {
      kind: 'pending',
      result: inputRequired({ inputRequests: { [LINK]: inputRequired.elicitUrl({ message, url }) } }),
    };
  if (view.kind !== 'elicit' || view.action === 'cancel') return { kind: 'cancelled' };
  return { kind: view.action === 'accept' ? 'opened' : 'declined' };
}

function elicitsUrls(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: unknown } | undefined)?.elicitation;
  return typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation;
}

/** `elicitation: {}` counts as form; a client that only opens URLs cannot show our question. */
function elicitsForms(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: unknown } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
}
