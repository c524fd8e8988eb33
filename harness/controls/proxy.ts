/**
 * A loopback proxy between subject and fake: passes every request on, counts them by itself, and can put something into
 * an answer on its way back. It knows nothing of the ledger, so the two counts are independent.
 */
import { type ClientRequest, createServer, type IncomingHttpHeaders, request } from 'node:http';
import { openLoopback } from '../sandbox/loopback.ts';

export interface Passed {
  method: string;
  /** As sent: namespace, platform and path, with the query. */
  url: string;
  status: number;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What becomes of an answer; undefined leaves it alone. */
export type Plant = (passed: { method: string; url: string }, answer: Answered) => Answered | undefined;

export interface PassingProxy extends AsyncDisposable {
  url: string;
  passed: Passed[];
  plant: (plant: Plant | undefined) => void;
  close: () => Promise<void>;
}

export async function openProxy(target: string): Promise<PassingProxy> {
  const passed: Passed[] = [];
  let plant: Plant | undefined;
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const onward: ClientRequest = request(
      new URL(url, target),
      { method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const status = answer.statusCode ?? 502;
          passed.push({ method, url, status });
          const body = Buffer.concat(chunks);
          const changed = plant?.({ method, url }, { status, headers: answer.headers, body: body.toString('utf8') });
          if (changed === undefined) {
            outgoing.writeHead(status, answer.headers).end(body);
            return;
          }
          const { 'content-length': _, 'transfer-encoding': __, ...headers } = changed.headers;
          outgoing.writeHead(changed.status, { ...headers, 'content-length': Buffer.byteLength(changed.body) });
          outgoing.end(changed.body);
        });
        answer.on('error', () => outgoing.destroy());
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const loopback = await openLoopback(server);
  return {
    url: loopback.url,
    passed,
    plant: (next) => {
      plant = next;
    },
    close: loopback.close,
    [Symbol.asyncDispose]: loopback.close,
  };
}
