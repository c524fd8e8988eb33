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
import { digest } from './canonical.ts';
import { type Keys, keysFor } from './keys.ts';
import { isCanonical } from './signing.ts';
import type { SingleUse } from './single-use.ts';

export type Era = 'legacy' | 'modern';

export type Answer = { is: 'yes' } | { is: 'declined' | 'cancelled'; why: string };

/** One request that a person has to agree to. */
export interface Question {
  message: string;
  /** What exactly is asked about; an answer counts for nothing else. */
  subject: unknown;
}

/** One answer per question in their order, or what has to go to the client first. */
export type Answers = { is: 'answered'; answers: readonly Answer[] } | { is: 'pending'; result: InputRequiredResult };

/** The person behind one call. */
export interface Person {
  /** Can this connection put a question to a person at all? */
  reachable: boolean;
  ask: (questions: readonly Question[]) => Promise<Answers>;
}

interface Pending {
  digest: string;
  nonce: string;
  expiresAt: number;
}

type Codec = ReturnType<typeof createRequestStateCodec<Pending>>;

const ANSWER = 'confirm';
const keyOf = (index: number) => (index === 0 ? ANSWER : `${ANSWER}_${index + 1}`);

export class ConfirmationDesk {
  readonly #keys: Keys;
  /** The SDK's codec signs but does not count: an answer is good once. */
  readonly #used: SingleUse;
  readonly #ttlSeconds: number;
  readonly #codecs = new WeakMap<Uint8Array, Record<Era, Codec>>();

  constructor(keys: Keys, used: SingleUse, ttlSeconds = 300) {
    this.#keys = keysFor(keys, 'confirmation');
    this.#used = used;
    this.#ttlSeconds = ttlSeconds;
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

  person(ctx: ServerContext, era: Era, sessionCapabilities: { elicitation?: unknown } | undefined): Person {
    const declared =
      era === 'legacy'
        ? sessionCapabilities
        : (ctx.mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    return {
      reachable: elicitsForms(declared),
      ask: (questions) => this.#ask(ctx, era, questions),
    };
  }

  async #ask(ctx: ServerContext, era: Era, questions: readonly Question[]): Promise<Answers> {
    const about = digest([this.#used.id, ...questions.map(({ subject }) => subject)]);
    const state = ctx.mcpReq.requestState<Pending>();
    const views = questions.map((_, i) => inputResponse(ctx.mcpReq.inputResponses, keyOf(i)));
    // An answer without our own state is an answer to nobody's question: ask.
    if (state === undefined || views.some(({ kind }) => kind === 'missing'))
      return { is: 'pending', result: await this.#question(ctx, era, questions, about) };
    const all = (answer: Answer): Answers => ({ is: 'answered', answers: questions.map(() => answer) });
    if (state.digest !== about) return all({ is: 'declined', why: 'the call differs from the one that was confirmed' });
    if (!(await this.#used.spend(state.nonce, state.expiresAt)))
      return all({ is: 'declined', why: 'this confirmation was already used' });
    return { is: 'answered', answers: views.map(answerOf) };
  }

  async #question(
    ctx: ServerContext,
    era: Era,
    questions: readonly Question[],
    about: string,
  ): Promise<InputRequiredResult> {
    const asked = questions.map(({ message }, i) => [
      keyOf(i),
      inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { [ANSWER]: { type: 'boolean', title: 'Yes, send this request' } },
          required: [ANSWER],
        },
      }),
    ]);
    const expiresAt = Date.now() + (this.#ttlSeconds + 60) * 1000;
    const state = { digest: about, nonce: randomUUID(), expiresAt };
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

function answerOf(answer: ReturnType<typeof inputResponse>): Answer {
  if (answer.kind !== 'elicit')
    return { is: 'declined', why: `the answer was ${answer.kind}, not an answer to a form` };
  if (answer.action === 'cancel') return { is: 'cancelled', why: 'the person cancelled' };
  if (answer.action === 'accept' && answer.content?.[ANSWER] === true) return { is: 'yes' };
  return { is: 'declined', why: answer.action === 'accept' ? 'the person did not confirm' : 'the person declined' };
}

/** `elicitation: {}` counts as form; a client that only opens URLs cannot show our question. */
function elicitsForms(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: unknown } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
}
