/**
 * Reads long answers of platforms in worker processes, so that no call waits while 8 MB are parsed and masked. A worker is
 * started by the first long answer, ended at the deadline of its job or when it takes too much memory, and goes when it
 * has been idle. Only the shaped answer comes back, within the bounds of any answer. Processes and not threads: they yield
 * the processor to the router, and all of their memory is given back.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type LargeBody, readBodyOf } from '../outbound/body.ts';
import { KnownSecrets, type SecretValues } from '../telemetry/known-secrets.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type AnswerReading, type ReadAnswer, readAnswer } from './read-answer.ts';

export interface LargeAnswerLimits {
  workers: number;
  /** For one answer, once a worker has begun with it. */
  deadlineMs: number;
  /** For the answers before it as well. */
  waitMs: number;
  /** Heap of one worker. */
  heapMb: number;
  /** An idle worker is ended after so long: what it held is given back. */
  idleMs: number;
}

export const LARGE_ANSWER_LIMITS: LargeAnswerLimits = {
  workers: 2,
  deadlineMs: 15_000,
  waitMs: 30_000,
  heapMb: 256,
  idleMs: 1_000,
};

interface Job extends Pick<LargeBody, 'bytes' | 'contentType' | 'asked'> {
  reading: AnswerReading;
}

/** One line of JSON before the bytes of a body; `secrets` where they changed. */
interface Header extends Omit<Job, 'bytes'> {
  length: number;
  secrets?: SecretValues;
}

/** One line of JSON that answers it; `text` is the JSON of `result`, which does not travel. */
type Read = { answer: ReadAnswer } | { wrong: string } | { failed: string };

interface Waiting {
  job: Job;
  done: (read: Read | { tooLarge: string }) => void;
  expiry: NodeJS.Timeout;
}

export class LargeAnswers {
  readonly #logger: Pick<Logger, 'secrets' | 'warn'>;
  readonly #limits: LargeAnswerLimits;
  readonly #idle: AnswerWorker[] = [];
  readonly #queue: Waiting[] = [];
  #running = 0;

  constructor(logger: Pick<Logger, 'secrets' | 'warn'>, limits = LARGE_ANSWER_LIMITS) {
    this.#logger = logger;
    this.#limits = limits;
  }

  /** Throws what `body.unusable` makes of an answer that is no JSON, or cannot be read in time. */
  async read(reading: AnswerReading, body: LargeBody): Promise<ReadAnswer> {
    const { unusable, ...answered } = body;
    const size = body.bytes.byteLength;
    const read = await new Promise<Read | { tooLarge: string }>((done) => {
      const job = { reading, ...answered };
      const waiting: Waiting = { job, done, expiry: setTimeout(() => this.#expire(waiting), this.#limits.waitMs) };
      this.#queue.push(waiting);
      this.#next();
    });
    if ('answer' in read) return withResult(read.answer);
    if ('tooLarge' in read) throw unusable({ tooLarge: `the answer of ${size} bytes ${read.tooLarge}` });
    if ('wrong' in read) throw unusable(read);
    this.#logger.warn('answer.unreadable', { reason: read.failed });
    throw unusable({ wrong: 'text that could not be read' });
  }

  #expire(waiting: Waiting): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    waiting.done({ tooLarge: `waited ${this.#limits.waitMs / 1000} s for other long answers to be read` });
  }

  #next(): void {
    if (this.#running >= this.#limits.workers) return;
    const waiting = this.#queue.shift();
    if (waiting === undefined) return;
    clearTimeout(waiting.expiry);
    this.#running += 1;
    const worker = this.#idle.pop() ?? new AnswerWorker(this.#limits, () => this.#drop(worker));
    void worker.read(waiting.job, this.#logger.secrets).then((read) => {
      this.#running -= 1;
      if (worker.alive) this.#idle.push(worker);
      waiting.done(read);
      this.#next();
    });
  }

  #drop(worker: AnswerWorker): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}

/** The result travels as its JSON, which the answer to the client is made of as well. */
function withResult(answer: ReadAnswer): ReadAnswer {
  if (answer.kind === 'refused' || answer.text === undefined) return answer;
  return { ...answer, result: JSON.parse(answer.text) };
}

/** Lower than that of the router: it has the processor whenever it wants it. */
const PRIORITY = 10;

class AnswerWorker {
  readonly #process: ChildProcess;
  readonly #limits: LargeAnswerLimits;
  readonly #ended: () => void;
  #done: ((read: Read | { tooLarge: string }) => void) | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Version of the secrets that the worker knows. */
  #known = -1;
  alive = true;

  constructor(limits: LargeAnswerLimits, ended: () => void) {
    this.#limits = limits;
    this.#ended = ended;
    const cache = getCompileCacheDir();
    this.#process = spawn(
      process.execPath,
      [`--max-old-space-size=${limits.heapMb}`, fileURLToPath(import.meta.url)],
      // None of the router's own environment: it may hold secrets.
      { stdio: ['pipe', 'pipe', 'ignore'], env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache } },
    );
    const { pid, stdin, stdout } = this.#process;
    if (pid !== undefined) yieldTo(pid);
    // Its end says more than a pipe that breaks.
    stdin?.on('error', () => {});
    if (stdout) onLines(stdout, (line) => this.#finish(JSON.parse(line) as Read));
    this.#process.on('error', (error) => this.#finish({ failed: error.message }, true));
    this.#process.on('exit', (code, signal) => {
      const memory = signal !== null || code === ABORTED;
      this.#finish(
        memory ? { tooLarge: `takes more than ${limits.heapMb} MB to read` } : { failed: `exit ${code}` },
        true,
      );
    });
  }

  read({ bytes, ...job }: Job, secrets: KnownSecrets): Promise<Read | { tooLarge: string }> {
    clearTimeout(this.#idleTimer);
    this.#hold(true);
    const { deadlineMs } = this.#limits;
    const late = { tooLarge: `takes more than ${deadlineMs / 1000} s to read` };
    const deadline = setTimeout(() => this.#finish(late, true), deadlineMs);
    return new Promise<Read | { tooLarge: string }>((resolve) => {
      this.#done = resolve;
      const { version } = secrets;
      const news = version === this.#known ? {} : { secrets: secrets.values };
      this.#known = version;
      const header: Header = { ...job, ...news, length: bytes.byteLength };
      this.#process.stdin?.write(`${JSON.stringify(header)}\n`);
      this.#process.stdin?.write(bytes);
    }).finally(() => clearTimeout(deadline));
  }

  /** Whether the router stays up for it. */
  #hold(on: boolean): void {
    const { stdin, stdout } = this.#process;
    for (const part of [this.#process, stdin as Socket | null, stdout as Socket | null])
      on ? part?.ref() : part?.unref();
  }

  /** `end`: the process is of no use to the next job. */
  #finish(read: Read | { tooLarge: string }, end = false): void {
    if (end) this.#end();
    else {
      this.#hold(false);
      this.#idleTimer = setTimeout(() => this.#end(), this.#limits.idleMs).unref();
    }
    this.#done?.(read);
    this.#done = undefined;
  }

  #end(): void {
    if (!this.alive) return;
    this.alive = false;
    this.#ended();
    this.#hold(false);
    this.#process.kill('SIGKILL');
  }
}

/** How V8 ends a process without memory, where a shell stands between. */
const ABORTED = 134;

function yieldTo(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // Where that is not allowed, it works as fast as the router.
  }
}

function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      rest += text;
      return;
    }
    for (const line of (rest + text.slice(0, end)).split('\n')) take(line);
    rest = text.slice(end + 1);
  });
}

/** The process of a worker: a header and a body on stdin, one line on stdout, until stdin ends. */
function serve(): void {
  let secrets = new KnownSecrets();
  let parts: Buffer[] = [];
  let header: Header | undefined;
  let missing = 0;
  const takeHeader = (chunk: Buffer): Buffer => {
    const end = chunk.indexOf(0x0a);
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) return chunk.subarray(chunk.length);
    header = JSON.parse(Buffer.concat(parts).toString('utf8')) as Header;
    missing = header.length;
    parts = [];
    return chunk.subarray(end + 1);
  };
  process.stdin.on('data', (chunk: Buffer) => {
    const rest = header === undefined ? takeHeader(chunk) : chunk;
    if (header === undefined) return;
    parts.push(rest);
    missing -= rest.length;
    if (missing > 0) return;
    if (header.secrets) secrets = KnownSecrets.of(header.secrets);
    const body = Buffer.concat(parts);
    const job = header;
    [parts, header] = [[], undefined];
    process.stdout.write(`${JSON.stringify(readJob(job, body, secrets))}\n`);
  });
}

function readJob({ reading, contentType, asked }: Header, bytes: Uint8Array, secrets: KnownSecrets): Read {
  try {
    const body = readBodyOf(reading.status, bytes, contentType, asked);
    if ('wrong' in body) return body;
    const answer = readAnswer(reading, body.value, (said) => secrets.scrub(said));
    if (answer.kind === 'refused' || answer.result === undefined) return { answer };
    return { answer: { ...answer, text: answer.text ?? JSON.stringify(answer.result), result: undefined } };
  } catch (error) {
    return { failed: error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'an error' };
  }
}

if (import.meta.main) serve();
