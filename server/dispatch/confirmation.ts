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

export type Era = 'legacy' | 'modern';

export type Answer =
  | { is: 'yes' }
  | { is: 'declined' | 'cancelled'; why: string }
  | { is: 'pending'; result: InputRequiredResult };

/** The person behind one call. */
export interface Person {
  /** Can this connection put a question to a person at all? */
  reachable: boolean;
  ask: (message: string, subject: unknown) => Promise<Answer>;
}

interface Pending {
  digest: string;
  nonce: string;
}

const ANSWER = 'confirm';

export class ConfirmationDesk {
  readonly #ttlSeconds: number;
  readonly #codecs: Record<Era, ReturnType<typeof createRequestStateCodec<Pending>>>;
  /** The SDK's codec signs but does not count: an answer is good once. */
  readonly #spent = new Map<string, number>();

  constructor(key: Uint8Array, ttlSeconds = 300) {
    this.#ttlSeconds = ttlSeconds;
    const codec = (era: Era) =>
      createRequestStateCodec<Pending>({
        key,
        ttlSeconds,
        // The era is bound too: a state minted for one leg must not verify on the other.
        bind: (ctx) => [era, ctx.sessionId ?? '', ctx.mcpReq.method, ctx.http?.authInfo?.clientId ?? ''].join('\0'),
      });
    this.#codecs = { legacy: codec('legacy'), modern: codec('modern') };
  }

  /** For the protocol server: checks the state a client brings back. */
  verifier(era: Era) {
    return this.#codecs[era].verify;
  }

  person(ctx: ServerContext, era: Era, sessionCapabilities: { elicitation?: unknown } | undefined): Person {
    const declared =
      era === 'legacy'
        ? sessionCapabilities
        : (ctx.mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    return {
      reachable: elicitsForms(declared),
      ask: (message, subject) => this.#ask(ctx, era, message, subject),
    };
  }

  async #ask(ctx: ServerContext, era: Era, message: string, subject: unknown): Promise<Answer> {
    const about = digest(subject);
    const state = ctx.mcpReq.requestState<Pending>();
    const answer = inputResponse(ctx.mcpReq.inputResponses, ANSWER);
    // An answer without our own state is an answer to nobody's question: ask.
    if (state === undefined || answer.kind === 'missing')
      return { is: 'pending', result: await this.#question(ctx, era, message, about) };
    if (state.digest !== about) return { is: 'declined', why: 'the call differs from the one that was confirmed' };
    if (!this.#firstUse(state.nonce)) return { is: 'declined', why: 'this confirmation was already used' };
    if (answer.kind !== 'elicit')
      return { is: 'declined', why: `the answer was ${answer.kind}, not an answer to a form` };
    if (answer.action === 'cancel') return { is: 'cancelled', why: 'the person cancelled' };
    if (answer.action === 'accept' && answer.content?.[ANSWER] === true) return { is: 'yes' };
    return { is: 'declined', why: answer.action === 'accept' ? 'the person did not confirm' : 'the person declined' };
  }

  async #question(ctx: ServerContext, era: Era, message: string, about: string): Promise<InputRequiredResult> {
    return inputRequired({
      inputRequests: {
        [ANSWER]: inputRequired.elicit({
          message,
          requestedSchema: {
            type: 'object',
            properties: { [ANSWER]: { type: 'boolean', title: 'Yes, send this request' } },
            required: [ANSWER],
          },
        }),
      },
      requestState: await this.#codecs[era].mint({ digest: about, nonce: randomUUID() }, ctx),
    });
  }

  #firstUse(nonce: string): boolean {
    const now = Date.now();
    for (const [old, until] of this.#spent) {
      if (until > now) break;
      this.#spent.delete(old);
    }
    if (this.#spent.has(nonce)) return false;
    this.#spent.set(nonce, now + (this.#ttlSeconds + 60) * 1000);
    return true;
  }
}

/** `elicitation: {}` counts as form; a client that only opens URLs cannot show our question. */
function elicitsForms(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: unknown } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || Object.keys(elicitation).length === 0;
}
