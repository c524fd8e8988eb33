/**
 * Solves intents without a language model: search for a tool, fill its inputs with the typed values of the intent,
 * look up what is only named, run it. It knows three roles and no tool, so its score is a fact about the subject's
 * discovery and descriptions, and it can fail.
 */
import type { Agent } from './mcp/agent.ts';
import { CallLimitReached, type ToolAnswer } from './mcp/agent-client.ts';
import { objectIn } from './mcp/confirmed-write.ts';
import { codeOf } from './mcp/refusal.ts';
import { type Candidate, candidatesFor } from './retrieval/choose.ts';
import { openToolbox, type Toolbox } from './retrieval/discovery.ts';
import { itemsOf } from './retrieval/items.ts';
import { lookUp } from './retrieval/lookup.ts';
import { narrowedList } from './retrieval/narrow.ts';
import { assign } from './retrieval/operation.ts';
import { type Intent, readIntent, sentencesOf } from './retrieval/task-intent.ts';

const HITS = 8;
const TRIED = 4;

export default {
  id: 'retrieval',
  about: 'plans from discovery, schemas and typed values alone; no language model, no ground truth',
  role: 'contestant',
  seesSteps: false,
  solve: async (task, mcp) => {
    if (task.roles === undefined) return undefined;
    const tools = openToolbox(mcp, task.roles);
    const intent = readIntent(task.intent);
    try {
      for (const query of queriesFor(task.intent)) {
        const end = await attempt(tools, intent, query);
        if (end !== undefined) return end.isError ? undefined : objectIn(end.json);
      }
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    return undefined;
  },
} satisfies Agent;

/**
 * The queries in order: first the request, then the whole text, then the rest, because users explain a request around
 * it.
 */
function queriesFor(intent: string): string[] {
  const sentences = sentencesOf(intent);
  const questions = sentences.filter((sentence) => sentence.endsWith('?'));
  return [...new Set([...(questions.length === 1 ? questions : []), intent, ...sentences.reverse()])];
}

/** The first candidate that answers, or the person's no, which ends the matter. */
async function attempt(tools: Toolbox, intent: Intent, query: string): Promise<ToolAnswer | undefined> {
  let tried = 0;
  for await (const candidate of candidatesFor(tools, await tools.search(query, HITS), intent)) {
    if (++tried > TRIED) return undefined;
    const answer = await play(tools, candidate, intent);
    if (answer !== undefined && (!answer.isError || wasDeclined(answer))) return answer;
  }
  return undefined;
}

const wasDeclined = (answer: ToolAnswer): boolean => ['declined', 'cancelled'].includes(codeOf(answer) ?? '');

async function play(tools: Toolbox, { operation, filled }: Candidate, intent: Intent): Promise<ToolAnswer | undefined> {
  if (filled.missing.length > 0) {
    const found = await lookUp(tools, operation, filled.missing, intent);
    if (found === undefined) return undefined;
    for (const [path, value] of Object.entries(found)) assign(filled.arguments, path.split('.'), value);
  }
  const hasFields = operation.inputs.some((input) => input.path[0] === 'body');
  const isUpdate =
    operation.hasBody &&
    hasFields &&
    operation.capability === 'write' &&
    !operation.inputs.some((i) => i.required && i.path[0] === 'body');
  if (isUpdate && filled.body === 0 && /^(change|update|modify|set)\b/i.test(operation.description)) return undefined;
  if (operation.hasBody && filled.arguments['body'] === undefined) filled.arguments['body'] = {};
  if (operation.read_only && operation.inputs.every((input) => !input.required)) {
    return narrowedList(tools, operation, filled.arguments, intent);
  }
  const answer = await tools.run(operation, filled.arguments);
  // An empty list answers nothing that was asked about something.
  return operation.read_only && itemsOf(answer.json)?.length === 0 ? undefined : answer;
}
