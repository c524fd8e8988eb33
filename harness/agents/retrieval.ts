/**
 * Solves intents without a language model: search for a tool, fill its inputs with the typed values of the intent,
 * look up what is only named, run it. It knows three roles and no tool, so its score is a fact about the subject's
 * discovery and descriptions, and it can fail.
 */
import type { Agent } from '../agent.ts';
import { CallLimitReached, type ToolAnswer } from './mcp/client.ts';
import { openToolbox, type Toolbox } from './retrieval/discovery.ts';
import { fill } from './retrieval/fill.ts';
import { type Intent, readIntent, sentencesOf } from './retrieval/intent.ts';
import { lookUp } from './retrieval/lookup.ts';
import { narrowedList } from './retrieval/narrow.ts';
import { assign, type Descriptor, type Operation } from './retrieval/operation.ts';

const HITS = 6;
const CANDIDATES = 3;

export default {
  id: 'retrieval',
  about: 'plans from discovery, schemas and typed values alone; no language model, no ground truth',
  role: 'contestant',
  seesSteps: false,
  solve: async (task, mcp) => {
    if (task.roles === undefined) return undefined;
    const tools = openToolbox(mcp, task.roles);
    let last: unknown;
    try {
      for (const query of queriesFor(task.intent)) {
        const answer = await attempt(tools, readIntent(task.intent), query);
        if (answer === undefined) continue;
        last = answer.json;
        break;
      }
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    return last;
  },
} satisfies Agent;

/** The whole intent first; if that leads nowhere, each sentence, the last one first: that is where people ask. */
function queriesFor(intent: string): string[] {
  const sentences = sentencesOf(intent);
  return sentences.length < 2 ? [intent] : [intent, ...sentences.reverse()];
}

/** The first candidate whose inputs can be filled and that answers. */
async function attempt(tools: Toolbox, intent: Intent, query: string): Promise<ToolAnswer | undefined> {
  const hits = (await tools.search(query, HITS)).filter((hit) => suits(hit, intent)).slice(0, CANDIDATES);
  for (const hit of hits) {
    const answer = await play(tools, await tools.open(hit), intent);
    if (answer !== undefined && !answer.isError) return answer;
  }
  return undefined;
}

/** A question never runs what changes something; a request for a change is not answered by a list. */
function suits(hit: Descriptor, intent: Intent): boolean {
  if (intent.wish === 'read') return hit.read_only;
  if (intent.wish === 'diagnose') return hit.read_only || hit.capability === 'diagnostic';
  return !hit.read_only;
}

async function play(tools: Toolbox, operation: Operation, intent: Intent): Promise<ToolAnswer | undefined> {
  const filled = fill(operation, intent);
  if (filled.missing.length > 0) {
    const found = await lookUp(tools, operation, filled.missing, intent);
    if (found === undefined) return undefined;
    for (const [path, value] of Object.entries(found)) assign(filled.arguments, path.split('.'), value);
  }
  const changesNothing =
    operation.hasBody && filled.body === 0 && operation.inputs.some((input) => input.path[0] === 'body');
  if (changesNothing && !operation.read_only && operation.capability !== 'diagnostic' && !operation.destructive)
    return undefined;
  if (operation.hasBody && filled.arguments['body'] === undefined) filled.arguments['body'] = {};
  if (operation.read_only && operation.inputs.every((input) => !input.required)) {
    return narrowedList(tools, operation, filled.arguments, intent);
  }
  return tools.run(operation, filled.arguments);
}
