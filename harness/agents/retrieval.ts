/**
 * Solves intents without a language model: cuts the intent into parts, finds tools for each, fills their inputs with the typed
 * values of the intent, looks up what is only named, and fills the contract from what it read. It knows three roles and no
 * tool, so its score is a fact about the subject's discovery and descriptions, and it can fail.
 */
import type { Agent, AgentTask } from './mcp/agent.ts';
import { CallLimitReached, type McpClient } from './mcp/agent-client.ts';
import { type Aliases, aliasesOf } from './retrieval/aliases.ts';
import type { Asked } from './retrieval/asked.ts';
import { carryOutChange } from './retrieval/change.ts';
import { openToolbox, type Toolbox } from './retrieval/discovery.ts';
import type { Fact } from './retrieval/fact-fields.ts';
import { type Answer, EARLIER, factsWanted, fillAnswer } from './retrieval/fill-answer.ts';
import { type Need, needOf, needsIn, withChange } from './retrieval/needs.ts';
import { readNeed } from './retrieval/read-need.ts';
import type { Reading } from './retrieval/read-tool.ts';
import { cannotBeDecided, readIntent } from './retrieval/task-intent.ts';

/** From this much on a fact counts as found, and nothing more is read for it. */
const FOUND = 5;
/** Owners that are looked up for one part. */
const LOOK_UPS = 2;
/** Calls kept for the parts that follow, and the least that one part may make. */
const RESERVE = 3;
const LEAST_SHARE = 9;

export default {
  id: 'retrieval',
  about: 'plans from discovery, schemas and typed values alone; no language model, no ground truth',
  role: 'contestant',
  seesSteps: false,
  solve: async (task, mcp) => {
    if (task.roles === undefined) return undefined;
    const solver = await openSolver(task, mcp);
    const refused = await solver.work().catch((error: unknown) => {
      if (!(error instanceof CallLimitReached)) throw error;
      return undefined;
    });
    const { facts } = solver.answer();
    const answer = { ...facts, ...(refused === undefined ? {} : { refused }) };
    return Object.keys(answer).length === 0 ? undefined : answer;
  },
} satisfies Agent;

async function openSolver(task: AgentTask, mcp: McpClient) {
  const tools = await openToolbox(mcp, task.roles!);
  const aliases = aliasesOf();
  const intent = readIntent(task.intent);
  const facts = factsWanted(task.answer);
  // A first look: what the server calls its parts.
  if (tools.platforms.known) await tools.search(task.intent);
  const needs = withChange(needsIn(intent, facts, tools.platforms), facts);
  const asked = needs.flatMap((need) => need.facts.map((fact) => askedOf(fact, need, tools)));
  const answer = rememberedAnswer(() => fillAnswer(asked, tools.evidence(), aliases), tools, aliases);
  return { answer, work: () => work({ tools, aliases, needs, answer, left: () => task.limits.maxCalls - mcp.calls }) };
}

/** Filled anew only where something more is known. */
function rememberedAnswer(fill: () => Answer, tools: Toolbox, aliases: Aliases): () => Answer {
  let last: { known: unknown[]; answer: Answer } | undefined;
  return () => {
    const evidence = tools.evidence();
    const known = [evidence.length, evidence.at(-1), aliases.count()];
    if (last === undefined || known.some((one, i) => one !== last?.known[i])) last = { known, answer: fill() };
    return last.answer;
  };
}

const askedOf = (fact: Fact, need: Need, { platforms }: Toolbox): Asked => ({
  fact,
  need,
  platform: platforms.namedIn(fact.description) ?? need.platform,
});

interface Work {
  tools: Toolbox;
  aliases: Aliases;
  needs: readonly Need[];
  answer: () => Answer;
  left: () => number;
}

/** What is asked for as it was before has to be read before the change. */
async function readBefore(reading: Reading, isFound: (fact: Fact) => boolean, share: () => number): Promise<void> {
  const { need } = reading;
  for (const fact of need.asks.filter(({ description }) => EARLIER.test(description))) {
    const own = { ...needOf(fact, need.platform, need.whole, need), facts: [fact] };
    const most = share() - 8;
    if (!isFound(fact)) await readNeed({ ...reading, need: own }, isFound, () => share() - most);
  }
}

/** What an earlier part brought is what a later one may speak of: "which release does it run?" */
function withFound(need: Need, facts: Record<string, unknown>): Need {
  const found = Object.values(facts).flatMap((value) => (typeof value === 'string' ? readIntent(value).mentions : []));
  const known = new Set(need.mentions.map(({ value }) => value));
  const keys = found.filter(({ value, kind }) => ['mac', 'identifier'].includes(kind) && !known.has(value));
  return keys.length === 0 ? need : { ...need, mentions: [...need.mentions, ...keys] };
}

/** Every part of the intent in its order. Returns the reason where one is refused, which ends the changes. */
async function work({ tools, aliases, needs, answer, left }: Work): Promise<string | undefined> {
  let refused: string | undefined;
  const isFound = (fact: Fact) => (answer().scores[fact.name] ?? 0) >= FOUND;
  for (const [at, need] of needs.entries()) {
    if (need.class === 'read' && need.facts.length === 0 && needs.length > 1) continue;
    const reading = { tools, need: withFound(need, answer().facts), aliases, lookUps: { left: LOOK_UPS } };
    const share = shareOf(left, needs.slice(at + 1));
    if (need.class === 'read') await readNeed(reading, isFound, share);
    else refused ??= await change(reading, isFound, share);
  }
  for (const need of needs) {
    for (const fact of need.facts.filter((one) => !isFound(one))) {
      const own = needOf(fact, tools.platforms.namedIn(fact.description) ?? need.platform, need.whole, need);
      await readNeed({ tools, need: own, aliases, lookUps: { left: 1 } }, isFound, left);
    }
  }
  return refused;
}

/** How many calls a part may still make when others follow. */
function shareOf(left: () => number, following: readonly Need[]): () => number {
  const open = following.filter((one) => one.facts.length > 0 || one.class !== 'read').length;
  const least = left() - Math.max(LEAST_SHARE, Math.floor((left() - RESERVE) / (open + 1)));
  return () => left() - Math.max(least, RESERVE * open);
}

/** The reason why it was not carried out, or undefined. */
async function change(
  reading: Reading,
  isFound: (fact: Fact) => boolean,
  share: () => number,
): Promise<string | undefined> {
  const undecided = cannotBeDecided(reading.need.text);
  if (undecided !== undefined) return undecided;
  await readBefore(reading, isFound, share);
  const outcome = await carryOutChange(reading);
  if (outcome.kind === 'refused') return outcome.reason;
  return outcome.kind === 'none' ? 'no tool was found that does this with the values given' : undefined;
}
