/**
 * PDF: the text of each page, without scripts, fonts and pictures. A small file can expand to more than the memory of
 * a machine, and only its parser notices. So a thread of its own reads it, and the main thread ends that thread when
 * it uses too much.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type ReadParts, Unreadable } from './reader.ts';

export const PDF_LIMITS = {
  pages: 2_000,
  /** Characters of text. */
  text: 20_000_000,
  /** The growth of the process that reading one file may cause, in bytes. */
  memory: 400_000_000,
  seconds: 120,
};
const LOOK_MS = 25;
/** Tells a thread of ours from any other that loads this file. */
const READER = 'reader of PDF';

type Answer = { parts: ReadParts } | { unreadable: string };

let thread: Worker | undefined;

export async function readPdf(content: Buffer): Promise<ReadParts> {
  const worker = thread ?? new Worker(fileURLToPath(import.meta.url), { workerData: READER });
  thread = worker;
  worker.ref();
  const over = new AbortController();
  const { promise: excess, reject } = Promise.withResolvers<never>();
  const watch = watchOver((reason) => reject(new Unreadable(reason)));
  try {
    worker.postMessage(new Uint8Array(content));
    const [answer] = (await Promise.race([once(worker, 'message', { signal: over.signal }), excess])) as [Answer];
    if ('unreadable' in answer) throw new Unreadable(answer.unreadable);
    return answer.parts;
  } catch (error) {
    // One that is still busy, or died of its file, is of no use to the next.
    await worker.terminate();
    thread = undefined;
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('should be a PDF that can be read, got one that ends its reader', { cause: error });
  } finally {
    clearInterval(watch);
    over.abort();
    worker.unref();
  }
}

function watchOver(tell: (reason: string) => void): NodeJS.Timeout {
  const [before, started] = [process.memoryUsage.rss(), performance.now()];
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > PDF_LIMITS.memory)
      tell(`should unfold to at most ${PDF_LIMITS.memory} bytes, got more`);
    else if (performance.now() - started > PDF_LIMITS.seconds * 1000)
      tell(`should be read within ${PDF_LIMITS.seconds} seconds`);
  }, LOOK_MS);
}

if (workerData === READER && parentPort) {
  const port = parentPort;
  port.on('message', async (content: Uint8Array) => {
    port.postMessage(
      await read(content).catch((error: unknown) => ({
        unreadable:
          error instanceof Unreadable
            ? error.message
            : `should be a PDF that can be read, got: ${error instanceof Error ? error.name : 'an error'}`,
      })),
    );
  });
}

async function read(content: Uint8Array): Promise<Answer> {
  const { getDocument } = await import('unpdf/pdfjs');
  const bytes = content.length;
  const task = getDocument({
    data: content,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    maxImageSize: 1,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    if (document.numPages > PDF_LIMITS.pages)
      throw new Unreadable(`should have at most ${PDF_LIMITS.pages} pages, got ${document.numPages}`);
    const sections: { heading: string; text: string }[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      page.cleanup();
      length += text.length;
      if (length > PDF_LIMITS.text) throw new Unreadable(`should hold at most ${PDF_LIMITS.text} characters of text`);
      sections.push({ heading: `Page ${number}`, text });
    }
    const { info } = await document.getMetadata();
    const title = (info as { Title?: string }).Title?.trim();
    return { parts: { title: title || undefined, head: {}, sections, bytes } };
  } finally {
    await task.destroy();
  }
}
