/** Calls whose answer must hold the caller's own nonce, whichever protocol revision carries them. */
import { mcpRequest, messageOf, postOf, type Wire, type WireAnswer } from '../../support/mcp-wire.ts';
import { initializeBody } from '../../support/modern-client.ts';

export interface NonceCall {
  request: string;
  id: string;
  /** A text that the answer must contain beside the id. */
  holds: string;
}

/** Every other call is a refusal that repeats its made-up name, the others look up one of some operations. */
export function nonceCall(
  nonce: string,
  at: number,
  bearer: string,
  known: readonly string[],
  session?: string,
): NonceCall {
  const holds = at % 2 === 0 ? nonce : (known[(at >> 1) % known.length] as string);
  const inner = at % 2 === 0 ? { name: nonce } : { name: 'lookup_api', arguments: { query: holds } };
  const request = mcpRequest({
    era: session === undefined ? '2026-07-28' : '2025-11-25',
    ...(session === undefined ? {} : { session }),
    bearer,
    id: nonce,
    method: 'tools/call',
    params: { name: 'invoke_read_tool', arguments: inner },
  });
  return { request, id: nonce, holds };
}

export function isAnswerTo({ id, holds }: NonceCall, answer: WireAnswer): boolean {
  const message = messageOf(answer) as { id?: unknown; result?: unknown } | undefined;
  return answer.status === 200 && message?.id === id && JSON.stringify(message.result).includes(holds);
}

export async function openSession(wire: Wire, bearer: string, capabilities?: object): Promise<string | undefined> {
  const answer = await wire.ask(postOf(initializeBody(capabilities), [`authorization: Bearer ${bearer}`]));
  return sessionOf(answer);
}

export const sessionOf = ({ head }: WireAnswer): string | undefined => /\r\nmcp-session-id: (\S+)/i.exec(head)?.[1];
