/** A client of several routers: it keeps no connection and no session, so each of its requests may reach another one. */
import { Agent, request } from 'node:http';
import { legacyRequest, type ModernMore, type ModernResult, modernRequest } from './modern-client.ts';

export interface Reply {
  /** HTTP status, or 0 where the connection broke. */
  status: number;
  result: ModernResult | undefined;
  /** The text of the result as an object, where it is one. */
  said: Record<string, unknown> | undefined;
  /** Address of the router that answered, as nginx names it. */
  from: string | undefined;
  /** By `performance.now()`. */
  began: number;
}

export interface Outcomes {
  calls: number;
  fine: number;
  notFound: number;
  failed: Reply[];
  byRouter: Record<string, number>;
}

export class ReplicaClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  /** Calls that were sent and not answered. */
  open = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  call(name: string, args: Record<string, unknown>, more?: ModernMore): Promise<Reply> {
    return this.#send(modernRequest(name, args, more));
  }

  legacyCall(name: string, args: Record<string, unknown>): Promise<Reply> {
    return this.#send(legacyRequest(name, args));
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ headers, body }: { headers: Record<string, string>; body: string }): Promise<Reply> {
    const began = performance.now();
    this.open += 1;
    return new Promise<Reply>((resolve) => {
      const broken = () => resolve({ status: 0, result: undefined, said: undefined, from: undefined, began });
      const sent = request(this.#url, { method: 'POST', headers, agent: this.#agent }, async (answer) => {
        let text = '';
        try {
          for await (const chunk of answer) text += String(chunk);
        } catch {
          return broken();
        }
        const from = String(answer.headers['x-upstream'] ?? '')
          .split(', ')
          .at(-1);
        const result = resultOf(text);
        resolve({ status: answer.statusCode ?? 0, result, said: saidIn(result), from, began });
      });
      sent.on('error', broken);
      sent.end(body);
    }).finally(() => {
      this.open -= 1;
    });
  }

  /** Runs so many tasks, some at a time. */
  async each(count: number, atOnce: number, task: (n: number) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async () => {
      while (next < count) await task(next++);
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  }
}

export const noOutcomes = (): Outcomes => ({ calls: 0, fine: 0, notFound: 0, failed: [], byRouter: {} });

export function note(outcomes: Outcomes, reply: Reply): void {
  outcomes.calls += 1;
  if (reply.from) outcomes.byRouter[reply.from] = (outcomes.byRouter[reply.from] ?? 0) + 1;
  const missing =
    reply.status === 404 || reply.said?.['code'] === 'not_found' || reply.said?.['code'] === 'unknown_tool';
  if (missing) outcomes.notFound += 1;
  else if (reply.status === 200 && reply.result?.isError !== true && reply.result?.content) outcomes.fine += 1;
  else outcomes.failed.push(reply);
}

function resultOf(text: string): ModernResult | undefined {
  const json = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .findLast((line) => line.startsWith('data: {'))
        ?.slice(6);
  try {
    return (JSON.parse(json ?? '') as { result?: ModernResult }).result;
  } catch {
    return undefined;
  }
}

function saidIn(result: ModernResult | undefined): Record<string, unknown> | undefined {
  try {
    return JSON.parse(result?.content?.[0]?.text ?? '') as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
