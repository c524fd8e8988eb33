/** PDF: the text of each page. Neither scripts nor fonts nor pictures of a document are looked at. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ReadParts, Unreadable } from './reader.ts';

const MOST_PAGES = 2_000;
/** Text that a compressed document may grow to. */
const MOST_TEXT = 20_000_000;

export async function readPdf(content: Buffer): Promise<ReadParts> {
  const task = getDocument({
    data: new Uint8Array(content),
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    maxImageSize: 1,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    if (document.numPages > MOST_PAGES)
      throw new Unreadable(`should have at most ${MOST_PAGES} pages, got ${document.numPages}`);
    const sections: { heading: string; text: string }[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      page.cleanup();
      length += text.length;
      if (length > MOST_TEXT) throw new Unreadable(`should hold at most ${MOST_TEXT} characters of text`);
      sections.push({ heading: `Page ${number}`, text });
    }
    const { info } = await document.getMetadata();
    const title = (info as { Title?: string }).Title?.trim();
    return { title: title || undefined, head: {}, sections, bytes: content.length };
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`should be a PDF that can be read, got: ${error instanceof Error ? error.name : 'an error'}`, {
      cause: error,
    });
  } finally {
    await task.destroy();
  }
}
