/**
 * A thread reads every file, and the main thread ends it when a file uses too much: a small PDF can expand to more than the
 * memory of a machine, and some kilobytes of Markdown or HTML keep their parsers busy for hours. Only the parser notices.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type ReadParts, Unreadable } from './reader.ts';

/** What reading one file may take: seconds, and bytes by which the process grows. */
export const READ_LIMITS = {
  memory: 400_000_000,
  seconds: 120,
  /** In addition for text, whose tree is many times as large as its file: for each byte of the file. */
  memoryOfText: 150,
  secondsOfText: 15e-6,
};
const LOOK_MS = 25;
/** Tells a thread of ours from any other that loads this file. */
const READER = 'reader of documents';

type Read = (content: Uint8Array, text: string) => ReadParts | Promise<ReadParts>;

/** Readers by the ending of a file's name. */
const READERS: Readonly<Record<string, () => Promise<Read>>> = {
  '.md': async () => (await import('./markdown-reader.ts')).readMarkdown,
  '.markdown': async () => (await import('./markdown-reader.ts')).readMarkdown,
  '.txt': async () => (await import('./text.ts')).readText,
  '.html': async () => (await import('./html-reader.ts')).readHtml,
  '.htm': async () => (await import('./html-reader.ts')).readHtml,
  '.pdf': async () => (await import('./pdf.ts')).readPdf,
};
export const ENDINGS: readonly string[] = Object.keys(READERS);
const PDF = '.pdf';

interface Asked {
  ending: string;
  content: Uint8Array;
}
type Answer = { parts: ReadParts } | { unreadable: string };

let thread: Worker | undefined;

/** Throws Unreadable for a file that is no text of its kind, or that takes more than it may. */
export async function readFile(ending: string, content: Buffer): Promise<ReadParts> {
  const worker = thread ?? new Worker(fileURLToPath(import.meta.url), { workerData: READER });
  thread = worker;
  worker.ref();
  const over = new AbortController();
  const { promise: excess, reject } = Promise.withResolvers<never>();
  const watch = watchOver(ending === PDF ? 0 : content.length, (reason) => reject(new Unreadable(reason)));
  try {
    worker.postMessage({ ending, content: new Uint8Array(content) } satisfies Asked);
    const [answer] = (await Promise.race([once(worker, 'message', { signal: over.signal }), excess])) as [Answer];
    if ('unreadable' in answer) throw new Unreadable(answer.unreadable);
    return answer.parts;
  } catch (error) {
    // One that is still busy, or died of its file, is of no use to the next.
    await worker.terminate();
    thread = undefined;
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${shouldBe(ending)}, got one that ends its reader`, { cause: error });
  } finally {
    clearInterval(watch);
    over.abort();
    worker.unref();
  }
}

function watchOver(text: number, tell: (reason: string) => void): NodeJS.Timeout {
  const memory = READ_LIMITS.memory + READ_LIMITS.memoryOfText * text;
  const seconds = Math.ceil(READ_LIMITS.seconds + READ_LIMITS.secondsOfText * text);
  const [before, started] = [process.memoryUsage.rss(), performance.now()];
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > memory) tell(`should unfold to at most ${memory} bytes, got more`);
    else if (performance.now() - started > seconds * 1000) tell(`should be read within ${seconds} seconds`);
  }, LOOK_MS);
}

const shouldBe = (ending: string): string => `should be a ${ending.slice(1).toUpperCase()} that can be read`;

if (workerData === READER && parentPort) {
  const port = parentPort;
  port.on('message', async (asked: Asked) => {
    port.postMessage(await answerTo(asked).catch((error: unknown) => ({ unreadable: reasonOf(error, asked.ending) })));
  });
}

async function answerTo({ ending, content }: Asked): Promise<Answer> {
  const text = ending === PDF ? '' : textOf(content);
  const read = await (READERS[ending] as () => Promise<Read>)();
  return { parts: await read(content, text) };
}

function reasonOf(error: unknown, ending: string): string {
  if (error instanceof Unreadable) return error.message;
  if (error instanceof RangeError) return 'should be nested less deeply';
  return `${shouldBe(ending)}, got: ${error instanceof Error ? error.name : 'an error'}`;
}

function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    throw new Unreadable('should be UTF-8 text', { cause });
  }
}
