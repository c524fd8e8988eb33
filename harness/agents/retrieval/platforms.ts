/**
 * Parts that a server divides its tools into, and what people call them. Both come from the server: the discovery tool
 * lists `id (name)` and takes one of the ids, and each found tool ends its description with "… in the <name>".
 */
import type { McpTool } from '../mcp/agent-client.ts';
import { wordsOf } from './name-words.ts';
import type { Descriptor } from './operation.ts';

export interface Platforms {
  /** Whether the server's search takes a platform. */
  known: boolean;
  /** The platform that a text names, or undefined; of several the one that is named first. */
  namedIn: (text: string) => string | undefined;
  /** Every platform that a text names, in the order of the text. */
  allIn: (text: string) => { id: string; at: number }[];
  of: (tool: string) => string | undefined;
  learn: (hits: readonly Descriptor[]) => void;
}

const LISTED = /\b([a-z][a-z0-9-]*) \(([^)]{3,60})\)/g;
const CALLED = /\b(?:from|in|of|on|at) the ([A-Za-z][A-Za-z -]{3,40}?)(?: library)?\.?$/;

export function platformsOf(discover: McpTool | undefined): Platforms {
  const properties = (discover?.inputSchema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {};
  const known = 'platform' in properties;
  const names = new Map<string, Set<string>>();
  for (const [, id = '', name = ''] of known ? (discover?.description ?? '').matchAll(LISTED) : [])
    names.set(id, new Set([wordsOf(id).join(' '), ...formsOf(name)]));
  // Where a name begins with something else, its platform is still a word of it.
  const of = (tool: string) => [...names.keys()].find((id) => tool.split('_').slice(0, 2).includes(id));
  const allIn = (text: string) => {
    const spoken = ` ${wordsOf(text).join(' ')} `;
    return [...names]
      .map(([id, forms]) => ({ id, at: firstOf(spoken, forms) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at);
  };
  return {
    known,
    of,
    allIn,
    namedIn: (text) => allIn(text)[0]?.id,
    learn: (hits) => {
      for (const { name, description } of hits) {
        const called = CALLED.exec(description.split('. ')[0] ?? '')?.[1];
        const id = of(name);
        if (called !== undefined && id !== undefined && wordsOf(called).length > 1)
          names.get(id)?.add(wordsOf(called).join(' '));
      }
    },
  };
}

/** A name of several words is recognised by two of them in a row, or by its first and last: "security edge". */
function formsOf(name: string): readonly string[] {
  const words = wordsOf(name);
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  const last = words.at(-1) ?? '';
  const owner = SYSTEMS.has(last) ? words.at(-2) : last;
  const others = [...SYSTEMS].map((system) => `${owner} ${system}`);
  const old = words[0] === 'legacy' ? [`old ${last}`] : [];
  return words.length < 2 ? words : [...pairs, `${words[0]} ${last}`, ...others, ...old];
}

/** Nouns for a system: one person's "policy server" is another's "policy manager". */
const SYSTEMS = new Set([
  'manager',
  'server',
  'orchestrator',
  'controller',
  'platform',
  'system',
  'console',
  'dashboard',
]);

function firstOf(spoken: string, forms: ReadonlySet<string>): number {
  // "SD-WAN" is two words in a sentence and one in an id.
  const closed = spoken.replace(/ sd wan /g, ' sdwan ');
  const found = [...forms].map((form) => closed.indexOf(` ${form} `)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}
