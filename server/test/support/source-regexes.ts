/** Every regular expression that is written out in a piece of TypeScript, found by reading it letter by letter. */

export interface Written {
  source: string;
  flags: string;
  line: number;
}

/** After these a slash begins an expression and no division. */
const BEFORE = /(?:^|[=(,:[!&|?{};+>~]|\breturn|\bcase|=>)\s*$/;

export function regexesIn(text: string): Written[] {
  const found: Written[] = [];
  let at = 0;
  let line = 1;
  /** Braces of templates that are open. */
  const templates: number[] = [];
  const upTo = (end: number) => {
    line += text.slice(at, end).split('\n').length - 1;
    at = end;
  };
  while (at < text.length) {
    const letter = text[at] as string;
    const rest = text.slice(at, at + 2);
    if (rest === '//' || rest === '/*') upTo(endOfComment(text, at, rest));
    else if (letter === '"' || letter === "'") upTo(endOf(text, at + 1, letter));
    else if (letter === '/' && BEFORE.test(text.slice(Math.max(0, at - 40), at))) {
      const end = endOf(text, at + 1, '/');
      const flags = /^[a-z]*/.exec(text.slice(end))?.[0] ?? '';
      found.push({ source: text.slice(at + 1, end - 1), flags, line });
      upTo(end + flags.length);
    } else upTo(endInTemplates(text, at, letter, templates));
  }
  return found;
}

function endOfComment(text: string, at: number, mark: '//' | '/*'): number {
  if (mark === '/*') return text.indexOf('*/', at) + 2;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The position after a character that may open or close a template or one of its expressions. */
function endInTemplates(text: string, at: number, letter: string, templates: number[]): number {
  if (letter === '`') return endOfTemplateText(text, at + 1, templates);
  if (letter === '}' && templates.at(-1) === 0) {
    templates.pop();
    return endOfTemplateText(text, at + 1, templates);
  }
  countBrace(templates, letter);
  return at + 1;
}

/** Behind the text of a template; where an expression of it begins there, one more is open. */
function endOfTemplateText(text: string, from: number, templates: number[]): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '`') return i + 1;
    else if (text[i] === '$' && text[i + 1] === '{') {
      templates.push(0);
      return i + 2;
    }
  }
  return text.length;
}

/** Within the innermost template that is open, if there is one. */
function countBrace(templates: number[], letter: string): void {
  const open = templates.length - 1;
  if (open < 0) return;
  if (letter === '{') templates[open] = (templates[open] as number) + 1;
  if (letter === '}') templates[open] = (templates[open] as number) - 1;
}

/** Behind the closing mark; one that is escaped, or in a class of an expression, closes nothing. */
function endOf(text: string, from: number, mark: string): number {
  let inClass = false;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (mark === '/' && text[i] === '[') inClass = true;
    else if (mark === '/' && text[i] === ']') inClass = false;
    else if (text[i] === mark && !inClass) return i + 1;
  }
  return text.length;
}
