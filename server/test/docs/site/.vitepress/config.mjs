/** The documentation as a site. `docs-site.ts` puts its pages into `pages/`, at the paths that they have in the repository. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, root, sidebar } from '../pages.ts';

/** A link to the README leads to the first page; a file that is no page is named and not linked. */
function ownLinks(md) {
  const linked = { tag: 'a' };
  const plain = { type: 'text', tag: '', content: '', hidden: true, nesting: 0 };
  const adapt = (token, folder) => {
    const [path = '', anchor] = token.attrGet('href').split('#');
    if (path === '' || /^\w+:/.test(path)) return linked;
    const target = join(folder, path);
    if (target === 'README.md') token.attrSet('href', `/index.md${anchor ? `#${anchor}` : ''}`);
    return path.endsWith('.md') || !existsSync(join(root, target)) ? linked : plain;
  };
  md.core.ruler.push('own-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let now = linked;
      for (const token of children ?? []) {
        if (token.type === 'link_open') now = adapt(token, dirname(env.relativePath));
        if (token.type.startsWith('link_')) Object.assign(token, now);
      }
    }
  });
}

/** Vue would take two braces for the begin of an expression. */
function ownBraces(md) {
  for (const rule of ['text', 'code_inline']) {
    const before = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...words) => before(...words).replaceAll('{{', '&#123;&#123;');
  }
}

export default defineConfig({
  title: 'MCP Tool Router',
  description: 'Thousands of network-platform API operations behind three tools.',
  srcDir: 'pages',
  outDir: '../../../../var/site',
  cacheDir: '../../../../var/site-cache',
  rewrites: { 'README.md': 'index.md' },
  markdown: {
    // What looks like an element is text, such as `<name>` in a table.
    html: false,
    anchor: { slugify: anchorOf },
    config: (md) => {
      ownLinks(md);
      ownBraces(md);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'Results', link: '/docs/results' },
      { text: 'All pages', link: '/docs/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
