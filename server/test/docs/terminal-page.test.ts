import { expect, test } from 'vitest';
import { terminalPage } from './terminal-page.ts';

const bodyOf = (text: string) => /<pre>(.*)<\/pre>/s.exec(terminalPage(text))?.[1];

test('colours and weights become styles and end where the terminal ends them', () => {
  expect(bodyOf('a \u001b[32mpass\u001b[39m: <b> \u001b[1m\u001b[31mred\u001b[0m & plain\n\n')).toBe(
    'a <span style="color:#56d364">pass</span>: &lt;b> <span style="color:#ff7b72;font-weight:bold">red</span> &amp; plain',
  );
  expect(bodyOf('\u001b[2mdim\u001b[22m \u001b[38;5;300mplain')).toBe('<span style="opacity:.65">dim</span> plain');
});
