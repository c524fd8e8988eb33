/** What a terminal shows, as a page: text with the sequences that select colours (ECMA-48, 8.3.117), in a dark window. */
const COLORS = ['#1c2128', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#e6edf3'];

/** Parameter → declarations of CSS; an empty value takes one away. */
const RENDITIONS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  0: { color: '', 'font-weight': '', opacity: '' },
  1: { 'font-weight': 'bold' },
  2: { opacity: '.65' },
  22: { 'font-weight': '', opacity: '' },
  39: { color: '' },
  ...Object.fromEntries(COLORS.flatMap((color, at) => [30, 90].map((first) => [first + at, { color }]))),
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function styled(text: string, style: Readonly<Record<string, string>>): string {
  const rules = Object.entries(style).flatMap(([name, value]) => (value === '' ? [] : [`${name}:${value}`]));
  return rules.length === 0 || text === '' ? escaped(text) : `<span style="${rules.join(';')}">${escaped(text)}</span>`;
}

/** HTML of a whole page. */
export function terminalPage(text: string): string {
  const style: Record<string, string> = {};
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  const parts = text.trimEnd().split(/\u001b\[([\d;]*)m/);
  const html = parts.map((part, place) => {
    if (place % 2 === 0) return styled(part, style);
    for (const code of part.split(';')) Object.assign(style, RENDITIONS[Number(code)]);
    return '';
  });
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #0d1117; }
pre { display: inline-block; margin: 0; padding: 16px 20px; color: #e6edf3; font: 14px/1.35 "DejaVu Sans Mono", monospace; }
</style><pre>${html.join('')}</pre>`;
}
