/**
 * Writes a spec index in a thread, while the caller makes tools of the same files: each is half of a build. The caller waits without
 * its event loop, because a router builds before it serves.
 */
import { renameSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import type { CatalogDocument } from '../catalog/build.ts';
import { readDocument } from '../catalog/platform-document.ts';
import type { DocumentFile } from '../catalog/store.ts';
import { RouterError } from '../errors.ts';
import { draftOf } from '../files/atomic-write.ts';
import { buildSpecIndex, extendSpecIndex } from './build-spec-index.ts';

/** Below this a build is over before a thread has started. */
const FEWEST_BYTES = 4_000_000;
/** A thread holds documents and index beside the caller: 30 bytes for each of a document, measured; and this much has to be left. */
const MEMORY_OF_BYTE = 30;
const MEMORY_LEFT = 1_000_000_000;
/** A thread that died says nothing. It gets as long again as the caller took, this many times, and no less than half a minute. */
const PATIENCE = 3;
const LEAST_WAIT_MS = 30_000;
/** Tells a thread of ours from any other that loads this file. */
const TASK = 'writing of a spec index';

interface Task {
  task: typeof TASK;
  draft: string;
  from: string | undefined;
  files: readonly DocumentFile[];
  signal: Int32Array;
  port: MessagePort;
}

export class SpecIndexThread implements Disposable {
  readonly #path: string;
  readonly #draft: string;
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  readonly #port: MessagePort;
  readonly #began = performance.now();
  #ended = false;

  /** Undefined where a thread would not help. With `from` the index there is extended. */
  static start(path: string, files: readonly DocumentFile[], from?: string): SpecIndexThread | undefined {
    const bytes = files.reduce((sum, { file }) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
    const hasRoom = process.availableMemory() > MEMORY_LEFT + MEMORY_OF_BYTE * bytes;
    if (availableParallelism() === 1 || bytes < FEWEST_BYTES || !hasRoom) return undefined;
    try {
      return new SpecIndexThread(path, files, from);
    } catch {
      // No thread may be begun here, for example under a limit of processes.
      return undefined;
    }
  }

  private constructor(path: string, files: readonly DocumentFile[], from: string | undefined) {
    this.#path = path;
    this.#draft = draftOf(path);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const data: Task = { task: TASK, draft: this.#draft, from, files, signal: this.#signal, port: port2 };
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data, transferList: [port2] });
    // Whatever ends it, the caller then writes the index itself and meets the same.
    worker.on('error', () => undefined);
    worker.unref();
  }

  /** Waits, and puts the index in its place. False where it does not hold exactly these documents: then there is none. */
  finish(documents: readonly CatalogDocument[]): boolean {
    this.#wait();
    const indexed: unknown = receiveMessageOnPort(this.#port)?.message;
    if (indexed !== namesOf(documents)) return false;
    renameSync(this.#draft, this.#path);
    return true;
  }

  /** It may still be writing, in a folder that is removed next. */
  [Symbol.dispose](): void {
    this.#wait();
    this.#port.close();
    rmSync(this.#draft, { force: true });
  }

  /** Once: of a thread that did not answer nothing more is expected. */
  #wait(): void {
    if (this.#ended) return;
    this.#ended = true;
    const most = Math.max(LEAST_WAIT_MS, PATIENCE * (performance.now() - this.#began));
    Atomics.wait(this.#signal, 0, 0, most);
  }
}

const namesOf = (documents: readonly CatalogDocument[]): string =>
  documents.map(({ platform, document }) => `${platform} ${document.file}`).join('\n');

/** A document that cannot be read is left out here; the caller decides what becomes of the build. */
function readable({ platform, file }: DocumentFile): CatalogDocument[] {
  try {
    return [{ platform, document: readDocument(file) }];
  } catch (error) {
    if (error instanceof RouterError) return [];
    throw error;
  }
}

function work({ draft, from, files, signal, port }: Task): void {
  try {
    const documents = files.flatMap(readable);
    if (from === undefined) buildSpecIndex(draft, documents);
    else extendSpecIndex(draft, from, documents);
    port.postMessage(namesOf(documents));
  } finally {
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  }
}

const given = workerData as Task | null;
if (given?.task === TASK) work(given);
