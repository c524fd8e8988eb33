/** The line that stands for an operation of a user's document: about this operation, and shared with as few others as can be. */
import { linesOf, repeatsId, type StatedTexts } from './describe.ts';
import { snake } from './name.ts';
import { beginsWithVerb } from './verbs.ts';

/** Begins a remark about an operation, which does not say what it does. */
const REMARK =
  /^_?(?:note|notes|important|warning|caution|tip|hint|deprecated|legacy|beta|preview|experimental|early access|see also|internal|required scope|to learn|learn more|read more|for more|refer to|use open source|\[|this parameter|this (?:endpoint|api|operation|method|call|resource|feature) (?:is|was|has been|will be) (?:deprecated|in |only|not |currently|now |part |available))/i;

export interface DescribedOperation extends StatedTexts {
  operationId: string | null;
}

/** @returns the lines of the operations of one document, in the order given */
export function distinctLines(operations: readonly DescribedOperation[]): string[] {
  const candidates = operations.map(ranked);
  const users = new Map<string, number>();
  for (const text of candidates.flat()) users.set(text, (users.get(text) ?? 0) + 1);
  return candidates.map((texts, at) => {
    // A remark tells operations apart and says of none what it does.
    const own = texts.find((text, rank) => users.get(text) === 1 && (rank === 0 || !REMARK.test(text)));
    const { method = '', path = '' } = operations[at] ?? {};
    // Where all of its texts are shared, the request tells operations apart.
    return own ?? `${(texts[0] ?? '').replace(/\.$/, '')} (${method} ${path}).`;
  });
}

/** The first sentence and the summary, the one that names more of the operation's object or says what is done first; then others; remarks last. */
function ranked({ operationId, ...stated }: DescribedOperation): string[] {
  // A summary made of the operationId would name the most of it.
  const own = new Set(repeatsId(stated.summary, operationId) ? [] : wordsIn(`${operationId ?? ''} ${stated.path}`));
  const rank = (text: string) => (text.includes(' ') ? new Set(wordsIn(text).filter((word) => own.has(word))).size : 0);
  const texts = linesOf(stated, operationId);
  const best = texts
    .slice(0, 2)
    .sort((a, b) => rank(b) - rank(a) || Number(beginsWithVerb(b)) - Number(beginsWithVerb(a)));
  const all = [...best, ...texts.slice(2)];
  return [...all.filter((text) => !REMARK.test(text)), ...all.filter((text) => REMARK.test(text))];
}

/** They tell a method, not an object. */
const VERBS = new Set([
  'get',
  'list',
  'create',
  'update',
  'delete',
  'post',
  'put',
  'patch',
  'retrieve',
  'return',
  'set',
]);

const wordsIn = (text: string) =>
  snake(text)
    .split('_')
    .filter((word) => word.length > 2 && !VERBS.has(word.replace(/s$/, '')))
    .map((word) => word.replace(/(?<=.{3})(?:ies|es|s|ed|d|ing|e)$/, ''));
