/** Holds what the approving side received beside what a recording upstream got, write after write, through a real router. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { askedRequests } from './asked-requests.ts';
import { drawnDocument, drawnWrite } from './drawn-writes.ts';
import { modernClient } from './modern-client.ts';
import { RUNTIME_HEADERS, recordingUpstream } from './recording-upstream.ts';
import { sampleInstallation } from './sample-installation.ts';

export interface AskedAndSent {
  /** Writes that were asked about and sent. */
  compared: number;
  /** Writes whose question would have been too long: nothing was sent. */
  tooLarge: number;
  /** Bytes of the longest body that was compared. */
  longest: number;
  differences: string[];
}

/** `maxCharacters` is the limit of one question; `seed` draws the writes. */
export async function askedAndSent(count: number, maxCharacters: number, seed: number): Promise<AskedAndSent> {
  await using upstream = await recordingUpstream();
  using installation = sampleInstallation();
  installation.writeDocument('drawn.json', drawnDocument);
  const config = installation.config({
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SOURCE_BASE_URL: `${upstream.origin}/base`,
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_APPROVAL_MAX_CHARACTERS: String(maxCharacters),
  });
  using router = await openRouter(config, createLogger('silent'));
  const served = await router.serveHttp();
  const client = modernClient(served.url);
  const found: AskedAndSent = { compared: 0, tooLarge: 0, longest: 0, differences: [] };
  try {
    for (const { tool, arguments: args } of fc.sample(drawnWrite, { numRuns: count, seed })) {
      upstream.writes.length = 0;
      const call = { name: tool, arguments: args };
      const preview = await client.call('invoke_tool', call, 'accept');
      const { plan_token, code } = JSON.parse(preview.texts[0] ?? '{}') as { plan_token?: string; code?: string };
      if (plan_token === undefined) {
        if (code === 'approval_too_large' && upstream.writes.length === 0) found.tooLarge += 1;
        else
          found.differences.push(
            `${JSON.stringify(call).slice(0, 300)}: no preview, ${preview.texts[0]?.slice(0, 300)}`,
          );
        continue;
      }
      const apply = { name: tool, arguments: { ...args, dry_run: false, confirm: true, plan_token } };
      const { asked } = await client.call('invoke_tool', apply, 'accept');
      const difference = differenceOf(asked, upstream.writes, args['body'], maxCharacters);
      if (difference !== undefined) found.differences.push(`${JSON.stringify(call).slice(0, 300)}: ${difference}`);
      else found.compared += 1;
      found.longest = Math.max(found.longest, upstream.writes[0]?.body.length ?? 0);
    }
  } finally {
    await served.close();
  }
  return found;
}

function differenceOf(
  asked: readonly string[],
  writes: Parameters<typeof compared>[1],
  body: Parameters<typeof unlikeGiven>[0],
  maxCharacters: number,
): string | undefined {
  const [message, ...more] = asked;
  if (message === undefined || more.length > 0) return `${asked.length} questions`;
  return tooLong(message, maxCharacters) ?? compared(message, writes) ?? unlikeGiven(body, writes);
}

function tooLong({ length }: string, limit: number): string | undefined {
  return length > limit ? `a question of ${length} characters where ${limit} are allowed` : undefined;
}

/** What differs between a question and what came; undefined for nothing. */
function compared(
  message: string,
  writes: Awaited<ReturnType<typeof recordingUpstream>>['writes'],
): string | undefined {
  let requests: ReturnType<typeof askedRequests>;
  try {
    requests = askedRequests(message);
  } catch (error) {
    return `the question cannot be read: ${(error as Error).message}`;
  }
  const [asked, second] = requests;
  const [sent, again] = writes;
  if (asked === undefined || second !== undefined) return 'the question should hold one request';
  if (sent === undefined || again !== undefined) return `${writes.length} requests came, one was asked about`;
  if (asked.host !== `http://${sent.host}`) return `asked for ${asked.host}, sent to ${sent.host}`;
  if (asked.method !== sent.method || asked.target !== sent.target)
    return `asked for ${asked.method} ${asked.target}, sent ${sent.method} ${sent.target}`;
  if (asked.contentType !== sent.headers['content-type']) return `content type ${sent.headers['content-type']}`;
  if (!asked.body.equals(sent.body)) return `${asked.body.length} bytes of body asked about, ${sent.body.length} sent`;
  const header = Object.entries(asked.headers).find(([name, value]) => sent.headers[name] !== value.trim());
  if (header) return `header ${header[0]}: asked about ${header[1]}, sent ${sent.headers[header[0]]}`;
  const shown = new Set([...Object.keys(asked.headers), ...asked.masked, ...RUNTIME_HEADERS]);
  const unasked = Object.keys(sent.headers).find((name) => !shown.has(name));
  return unasked === undefined ? undefined : `header ${unasked} was sent and not shown`;
}

/** What differs between the body that the caller gave and the one that came; undefined for nothing. */
function unlikeGiven(
  given: unknown,
  [sent]: Awaited<ReturnType<typeof recordingUpstream>>['writes'],
): string | undefined {
  if (given === undefined || sent === undefined) return undefined;
  const text = sent.body.toString();
  const type = sent.headers['content-type'] ?? '';
  const came = type.includes('json') ? JSON.parse(text) : type.includes('form') ? formOf(text) : text;
  return isDeepStrictEqual(plain(came), plain(given)) ? undefined : 'the body that came is not the one that was given';
}

const formOf = (text: string): unknown => Object.fromEntries(new URLSearchParams(text));
/** Without prototypes and signs of zero, as JSON has it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
