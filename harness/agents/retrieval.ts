/**
 * Solves intents without a language model: search for a tool, fill its inputs with the typed values of the intent,
 * look up what is only named, run it. It knows three roles and no tool, so its score is a fact about the subject's
 * discovery and descriptions, and it can fail.
 */
import type { Agent } from './mcp/agent.ts';
import { CallLimitReached, type ToolAnswer } from './mcp/agent-client.ts';
import { objectIn } from './mcp/confirmed-write.ts';
import { codeOf } from './mcp/refusal.ts';
import { type Candidate, candidatesFor, strongMentions } from './retrieval/choose.ts';
import { openToolbox, type Toolbox } from './retrieval/discovery.ts';
import type { Fact } from './retrieval/fact-fields.ts';
import { factsWanted, fillAnswer } from './retrieval/fill-answer.ts';
import { itemsOf } from './retrieval/items.ts';
import { lookUp } from './retrieval/lookup.ts';
import { narrowedList } from './retrieval/narrow.ts';
import { assign } from './retrieval/operation.ts';
import { type Intent, readIntent, requestsIn } from './retrieval/task-intent.ts';

const HITS = 8;
const TRIED = 6;

/** Facts that are looked for on their own when the requests did not bring them. */
const LOOKED_FOR = 3;

export default {
  id: 'retrieval',
  about: 'plans from discovery, schemas and typed values alone; no language model, no ground truth',
  role: 'contestant',
  seesSteps: false,
  solve: async (task, mcp) => {
    if (task.roles === undefined) return undefined;
    const tools = openToolbox(mcp, task.roles);
    const intent = readIntent(task.intent);
    const wanted = factsWanted(task.answer);
    const filled = () => fillAnswer(wanted, tools.evidence(), intent);
    try {
      const refusal = await carryOut(tools, intent);
      if (refusal !== undefined) return { refused: refusal };
      for (const fact of filled().missing.slice(0, LOOKED_FOR)) {
        markAnswer(tools, await attempt(tools, { ...intent, class: 'read' }, queryFor(fact, intent)));
      }
    } catch (error) {
      if (!(error instanceof CallLimitReached)) throw error;
    }
    const { facts } = filled();
    return Object.keys(facts).length === 0 ? undefined : facts;
  },
} satisfies Agent;

/** Every request of the intent in its order. Returns the person's no, which ends the matter. */
async function carryOut(tools: Toolbox, intent: Intent): Promise<string | undefined> {
  for (const request of requestsIn(intent)) {
    for (const query of [...new Set([request.text, intent.text])]) {
      const end = await attempt(tools, request, query);
      if (end === undefined) continue;
      if (end.isError) return end.texts[0] ?? 'declined';
      markAnswer(tools, end);
      break;
    }
  }
  return undefined;
}

function markAnswer(tools: Toolbox, end: ToolAnswer | undefined): void {
  for (const one of tools.evidence()) if (end !== undefined && one.json === objectIn(end.json)) one.isAnswer = true;
}

const queryFor = (fact: Fact, intent: Intent): string =>
  [`get ${fact.words.join(' ')}`, fact.description, ...strongMentions(intent).map(({ value }) => value)].join(' ');

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

/** An update whose fields are all optional, and none of them was filled. */
function changesNothing({ inputs, hasBody, capability, description }: Candidate['operation'], filled: number): boolean {
  const fields = inputs.filter(({ path }) => path[0] === 'body');
  const isUpdate = hasBody && fields.length > 0 && capability === 'write' && fields.every(({ required }) => !required);
  return isUpdate && filled === 0 && /^(change|update|modify|set|replace)\b/i.test(description);
}

/** A change that leaves out what the intent names in particular is not the one that was asked for. */
const ignoresAny = (used: string, intent: Intent): boolean =>
  strongMentions(intent).some(
    ({ value }) => !used.toLowerCase().includes(JSON.stringify(value).slice(1, -1).toLowerCase()),
  );

async function play(tools: Toolbox, { operation, filled }: Candidate, intent: Intent): Promise<ToolAnswer | undefined> {
  let explained = '';
  if (filled.missing.length > 0) {
    const found = await lookUp(tools, operation, filled.missing, intent);
    if (found === undefined) return undefined;
    for (const [path, value] of Object.entries(found.values)) assign(filled.arguments, path.split('.'), value);
    explained = JSON.stringify(found.item);
  }
  if (!operation.read_only && ignoresAny(`${explained}${JSON.stringify(filled.arguments)}`, intent)) return undefined;
  if (changesNothing(operation, filled.body)) return undefined;
  if (operation.hasBody && filled.arguments['body'] === undefined) filled.arguments['body'] = {};
  if (operation.read_only && operation.inputs.every((input) => !input.required)) {
    return narrowedList(tools, operation, filled.arguments, intent);
  }
  const answer = await tools.run(operation, filled.arguments);
  // An empty list answers nothing that was asked about something.
  return operation.read_only && itemsOf(answer.json)?.length === 0 ? undefined : answer;
}
