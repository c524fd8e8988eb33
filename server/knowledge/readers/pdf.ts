/** PDF: the text of each page, without scripts, fonts and pictures. */
import { type ReadParts, Unreadable } from './reader.ts';

const MOST_PAGES = 2_000;
const MOST_CHARACTERS = 20_000_000;

export async function readPdf(content: Uint8Array): Promise<ReadParts> {
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
      if (length > MOST_CHARACTERS) throw new Unreadable(`should hold at most ${MOST_CHARACTERS} characters of text`);
      sections.push({ heading: `Page ${number}`, text });
    }
    const { info } = await document.getMetadata();
    const title = (info as { Title?: string }).Title?.trim();
    return { title: title || undefined, head: {}, sections, bytes };
  } finally {
    await task.destroy();
  }
}
