/** What a call costs without a subject between: the measure that added time is a multiple of. */
import { request } from 'node:http';
import { demoAccount } from './demo-account.ts';

/** So many requests, for one alone says little. */
const REQUESTS = 5;
/** A platform with a fixed token, and a short list that each of its fixtures has. */
const PATH = 'cloudwlan/api/v1/orgs';
const TOKEN = `Token ${demoAccount('').api_token}`;

/** The fake answers within milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Milliseconds of each read in a namespace of the fake at `host`, or undefined where that platform is not loaded or fails by
 * plan, in whatever way. It stands in the namespace's ledger, so it is made once that was read.
 */
export async function directCallMs(host: string, namespace: string, limitMs = LIMIT_MS): Promise<number[] | undefined> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const started = performance.now();
    if ((await statusOf(`http://${host}/ns/${namespace}/${PATH}`, limitMs)) !== 200) return undefined;
    times.push(Math.round((performance.now() - started) * 100) / 100);
  }
  return times;
}

/** Undefined where no whole answer comes in time. */
function statusOf(url: string, limitMs: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(limitMs);
    const fail = () => resolve(undefined);
    const outgoing = request(url, { headers: { authorization: TOKEN }, signal }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming.statusCode));
      incoming.on('error', fail);
    });
    outgoing.on('error', fail);
    outgoing.end();
  });
}
