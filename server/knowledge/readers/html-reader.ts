/** HTML: the text of a page by its headings. The reader fetches nothing and runs no script. */
import { load } from 'cheerio';
import type { ReadParts } from './reader.ts';

const BLOCKS = 'p, li, td, th, pre, blockquote, dt, dd, div, section, article, tr, br';

export function readHtml(content: Uint8Array, text: string): ReadParts {
  const $ = load(text);
  const meta = (name: string) => $(`meta[name="${name}"]`).attr('content')?.trim();
  const head = Object.fromEntries(
    ['source', 'doc_type', 'platform', 'version', 'date', 'licence', 'superseded_by'].flatMap((name) => {
      const value = meta(name);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const title = $('title').first().text().trim() || $('h1').first().text().trim() || undefined;
  $('script, style, noscript, template, nav, iframe, object, svg, head').remove();
  $(BLOCKS).append('\n');
  // Private-use marks stand where headings begin and end, so that one walk over the text finds them.
  $('h1, h2, h3, h4, h5, h6').each((_, element) => {
    $(element).replaceWith(`\n\uE000${$(element).text().replaceAll(/\s+/g, ' ').trim()}\uE001\n`);
  });
  const body = $('body')
    .text()
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n\s*\n+/g, '\n\n');
  const [before = '', ...rest] = body.split('\uE000');
  const sections = rest.map((part) => {
    const [heading = '', own = ''] = part.split('\uE001');
    return { heading, text: own };
  });
  return { title, head, sections: [{ heading: '', text: before }, ...sections], bytes: content.length };
}
