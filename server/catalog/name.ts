/** Tool names: `<platform>_<snake(operationId)>`, at most 60 characters, unique, the same on every build. */
import { createHash } from 'node:crypto';
import { anyAscii } from '../lazy-import.ts';
import { shortened } from './shortened-name.ts';

export const NAME_LIMIT = 60;

export interface Nameable {
  platform: string;
  operationId: string | null;
  method: string;
  path: string;
}

/** Words that people write in mixed case and that are one word. */
const MIXED = /(IPv[46]|OAuth|QoS|PoE|WiFi|VoIP|MPSKs?|MACs|APs|IDs)(?![a-z])/g;

export function snake(text: string): string {
  return text
    .replace(MIXED, (word) => word.charAt(0) + word.slice(1).toLowerCase())
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

/** The name of an operation where nothing else has it, before it is shortened. */
export function wantedName({ platform, operationId, method, path }: Nameable): string {
  const own = snake(latin(operationId ? operationId : `${method} ${path}`));
  // Without an operationId nothing distinguishes the form; with one that repeats the platform, say it once.
  return own.startsWith(`${platform}_`) ? own : `${platform}_${own}`;
}

/** Own words only, so that a name does not depend on the other operations of a document. */
function shortenedName(operation: Nameable, limit: number): string {
  const name = wantedName(operation);
  if (name.length <= limit) return name;
  const own = name.slice(operation.platform.length + 1).split('_');
  const parameters = [...operation.path.matchAll(/\{([^}]*)\}/g)].map(([, parameter = '']) => snake(latin(parameter)));
  return `${operation.platform}_${shortened(own, parameters, limit - operation.platform.length - 1)}`;
}

/**
 * One name per operation, in the order given. A name that is too long loses words from its middle
 * (see `shortened`). Where two operations want the same name, the name ends in eight hex digits of the operation's
 * method and path: both get the ending, so that neither changes its name when the other one goes. `taken` are names of
 * tools that are no operations.
 */
export function nameOperations(operations: readonly Nameable[], taken: ReadonlySet<string> = new Set()): string[] {
  const wanted = operations.map((operation) => shortenedName(operation, NAME_LIMIT));
  const seen = new Map<string, number>();
  for (const name of wanted) seen.set(name, (seen.get(name) ?? 0) + 1);
  return wanted.map((name, i) => {
    if (seen.get(name) === 1 && !taken.has(name)) return name;
    const operation = operations[i] as Nameable;
    const digest = createHash('sha256').update(`${operation.method} ${operation.path}`).digest('hex').slice(0, 8);
    return `${shortenedName(operation, NAME_LIMIT - digest.length - 1)}_${digest}`;
  });
}

/** Text in Latin letters: other scripts are transliterated. ASCII, which nearly every document is, loads nothing. */
const latin = (text: string) => (/^\p{ASCII}*$/u.test(text) ? text : anyAscii()(text));
