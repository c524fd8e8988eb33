/**
 * Reads long answers of platforms in worker threads, so that no call waits while 8 MB are parsed and masked. A worker is
 * started by the first long answer, ended at the deadline of its job or when it takes too much memory, and goes when it
 * has been idle. Only the shaped answer comes back, within the bounds of any answer.
 */
import { fileURLToPath } from 'node:url';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type LargeBody, readBody, textOf } from '../outbound/body.ts';
import { KnownSecrets, type SecretValues } from '../telemetry/known-secrets.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type AnswerReading, type ReadAnswer, readAnswer } from './read-answer.ts';

/** Tells a worker of ours from any other thread that loads this file. */
const READER = 'reader of answers';

export interface LargeAnswerLimits {
  workers: number;
  /** For one answer, once a worker has begun with it. */
  deadlineMs: number;
  /** For the answers before it as well. */
  waitMs: number;
  /** Memory of one worker. */
  heapMb: number;
  /** An idle worker is ended after so long: what it held is given back. */
  idleMs: number;
}

export const LARGE_ANSWER_LIMITS: LargeAnswerLimits = {
  workers: 2,
  deadlineMs: 5_000,
  waitMs: 20_000,
  heapMb: 512,
  idleMs: 1_000,
};

/** Copied to the worker; the bytes of the body move there. */
interface Job {
  reading: AnswerReading;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  secrets?: SecretValues;
}

/** `text` is the JSON of `result`, which does not travel. */
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
    const size = body.bytes.byteLength;
    const read = await new Promise<Read | { tooLarge: string }>((done) => {
      const job = { reading, bytes: body.bytes, contentType: body.contentType };
      const waiting: Waiting = { job, done, expiry: setTimeout(() => this.#expire(waiting), this.#limits.waitMs) };
      this.#queue.push(waiting);
      this.#next();
    });
    if ('answer' in read) return withResult(read.answer);
    if ('tooLarge' in read) throw body.unusable({ tooLarge: `the answer of ${size} bytes ${read.tooLarge}` });
    if ('wrong' in read) throw body.unusable(read);
    this.#logger.warn('answer.unreadable', { reason: read.failed });
    throw body.unusable({ wrong: 'text that could not be read' });
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

class AnswerWorker {
  readonly #thread: Worker;
  readonly #limits: LargeAnswerLimits;
  readonly #ended: () => void;
  #done: ((read: Read | { tooLarge: string }) => void) | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Of the secrets that the worker knows. */
  #known = -1;
  alive = true;

  constructor(limits: LargeAnswerLimits, ended: () => void) {
    this.#limits = limits;
    this.#ended = ended;
    this.#thread = new Worker(fileURLToPath(import.meta.url), {
      workerData: READER,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    });
    this.#thread.on('message', (read: Read) => this.#finish(read));
    this.#thread.on('error', (error) => {
      const memory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#finish(
        memory
          ? { tooLarge: `takes more than ${limits.heapMb} MB to read` }
          : { failed: `${error.name}: ${error.message}` },
        true,
      );
    });
  }

  read(job: Job, secrets: KnownSecrets): Promise<Read | { tooLarge: string }> {
    clearTimeout(this.#idleTimer);
    this.#thread.ref();
    const { deadlineMs } = this.#limits;
    const deadline = setTimeout(
      () => this.#finish({ tooLarge: `takes more than ${deadlineMs / 1000} s to read` }, true),
      deadlineMs,
    );
    return new Promise<Read | { tooLarge: string }>((resolve) => {
      this.#done = resolve;
      const { version } = secrets;
      const news = version === this.#known ? {} : { secrets: secrets.values };
      this.#known = version;
      this.#thread.postMessage({ ...job, ...news }, [job.bytes.buffer]);
    }).finally(() => clearTimeout(deadline));
  }

  /** `end`: the thread is of no use to the next. */
  #finish(read: Read | { tooLarge: string }, end = false): void {
    if (end) this.#end();
    else {
      this.#thread.unref();
      this.#idleTimer = setTimeout(() => this.#end(), this.#limits.idleMs).unref();
    }
    this.#done?.(read);
    this.#done = undefined;
  }

  #end(): void {
    this.alive = false;
    this.#ended();
    void this.#thread.terminate();
  }
}

if (workerData === READER && parentPort) {
  const port = parentPort;
  let secrets = new KnownSecrets();
  port.on('message', (job: Job) => {
    if (job.secrets) secrets = KnownSecrets.of(job.secrets);
    port.postMessage(readJob(job, secrets));
  });
}

function readJob({ reading, bytes, contentType }: Job, secrets: KnownSecrets): Read {
  try {
    const text = textOf(bytes);
    const body = readBody(text, contentType);
    const fine = reading.status >= 200 && reading.status < 300;
    if ('wrong' in body && fine) return body;
    const value = 'wrong' in body ? text : body.value;
    const answer = readAnswer(reading, value, (said) => secrets.scrub(said));
    if (answer.kind === 'refused' || answer.result === undefined) return { answer };
    return { answer: { ...answer, text: answer.text ?? JSON.stringify(answer.result), result: undefined } };
  } catch (error) {
    return { failed: error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'an error' };
  }
}
