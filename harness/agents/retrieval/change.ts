/** Carries out one change: the tool that does what the clause says, its address from the intent or a list, its body from the intent. */
import type { ToolAnswer } from '../mcp/agent-client.ts';
import type { Toolbox } from './discovery.ts';
import { type Filled, fill } from './fill.ts';
import { fieldFor, itemsOf } from './items.ts';
import { type Need, namedBy } from './needs.ts';
import { assign, type Descriptor, type Json, type Operation } from './operation.ts';
import { subjectNounsOf } from './read-need.ts';
import { type Reading, readList } from './read-tool.ts';
import { rowsMeant } from './row-choice.ts';
import { strongMentions } from './task-intent.ts';
import { operationVerbs, verbFit } from './verbs.ts';
import { alike, stems } from './word-likeness.ts';

const OPENED = 5;

export type Outcome = { kind: 'done'; answer: ToolAnswer } | { kind: 'refused'; reason: string } | { kind: 'none' };

interface Plan {
  operation: Operation;
  filled: Filled;
  cost: number;
}

export async function carryOutChange(reading: Reading): Promise<Outcome> {
  const { tools, need } = reading;
  const opened = new Set<string>();
  for (const query of changeQueries(need)) {
    const hits = (await tools.search(query, { platform: need.platform })).filter((hit) => suits(hit, need));
    const fresh = ordered(hits, need)
      .slice(0, OPENED)
      .filter(({ hit }) => !opened.has(hit.name));
    for (const { hit } of fresh) opened.add(hit.name);
    const outcome = await tryHits(reading, fresh);
    if (outcome.kind !== 'none') return outcome;
  }
  return NONE;
}

/** One that takes all values is tried at once, for nothing lower could fit better; the others once all are known. */
async function tryHits(reading: Reading, hits: readonly { hit: Descriptor; cost: number }[]): Promise<Outcome> {
  const later: Plan[] = [];
  for (const { hit, cost } of hits) {
    const operation = await reading.tools.open(hit);
    const filled = fill(operation, reading.need);
    const extra = fillCost(operation, filled, reading.need);
    const plan = { operation, filled, cost: cost + extra };
    const outcome = extra === 0 ? await tryPlan(reading, plan) : NONE;
    if (outcome.kind !== 'none') return outcome;
    if (extra > 0) later.push(plan);
  }
  for (const plan of later.sort((one, other) => one.cost - other.cost)) {
    const outcome = await tryPlan(reading, plan);
    if (outcome.kind !== 'none') return outcome;
  }
  return NONE;
}

/** As it is asked for, by what it is done to in the words of the contract, and the whole intent. */
function changeQueries(need: Need): string[] {
  const subjects = subjectNounsOf(need.asks);
  const [verb = need.class === 'diagnose' ? 'start' : 'update'] = operationVerbs(withoutQuotes(need.text)).slice(-1);
  return [need.text, `${verb} ${subjects[0] ?? ''}: ${withoutQuotes(need.text)}`, need.whole.text];
}

const withoutQuotes = (text: string): string => text.replaceAll(/"[^"]*"/g, ' ');

const NONE: Outcome = { kind: 'none' };

const suits = (hit: Descriptor, { class: wanted }: Need): boolean =>
  !hit.read_only && (wanted === 'change' || hit.capability === 'diagnostic');

function ordered(hits: readonly Descriptor[], need: Need): { hit: Descriptor; cost: number }[] {
  const spoken = need.words.flatMap(stems);
  return hits
    .map((hit, rank) => {
      const words = stems(hit.name.replaceAll('_', ' ')).slice(1);
      const extra = words.filter((word) => !spoken.some((one) => alike(one, word) > 0)).length;
      return {
        hit,
        cost: rank * 0.5 + extra * 0.3 - 2.5 * verbFit(withoutQuotes(need.text), hit.name, hit.description),
      };
    })
    .sort((a, b) => a.cost - b.cost);
}

function fillCost(operation: Operation, filled: Filled, need: Need): number {
  const ignored = strongMentions(need).filter((one) => need.text.includes(one.value) && !filled.used.has(one)).length;
  const lacking = filled.missing.filter(({ path }) => path[0] === 'body').length;
  // What is named only in the body may come into being by the change.
  const inAddress = Object.keys(filled.arguments).some((name) => name !== 'body');
  const mayCreate = !inAddress && filled.missing.length === lacking && verbFit(need.text, 'x_create', '') <= 0;
  const lookUp = filled.missing.length > lacking ? 0.5 : 0;
  return (mayCreate ? 1 : 0) + ignored * 1.5 + lacking * 2 + lookUp + (changesNothing(operation, filled) ? 3 : 0);
}

/** An update whose fields are all optional, and none of them was filled. */
function changesNothing({ inputs, hasBody, description }: Operation, { body }: Filled): boolean {
  const fields = inputs.filter(({ path }) => path[0] === 'body');
  const isUpdate = hasBody && fields.length > 0 && fields.every(({ required }) => !required);
  return isUpdate && body === 0 && /^(change|update|modify|set|replace)\b/i.test(description);
}

async function tryPlan(reading: Reading, { operation, filled }: Plan): Promise<Outcome> {
  const { tools, need } = reading;
  const lacking = filled.missing.some(({ path }) => path[0] === 'body');
  if (lacking || changesNothing(operation, filled)) return NONE;
  const found = await addressed(reading, operation, filled);
  if (found === undefined || ignoresAny(`${found.explained}${JSON.stringify(found.args)}`, need)) return NONE;
  const { args } = found;
  if (operation.hasBody && args['body'] === undefined) args['body'] = {};
  await readObject(tools, operation, args);
  const answer = await tools.run(operation, args);
  if (answer.isError) return wasDeclined(answer) ? { kind: 'refused', reason: reasonOf(answer) } : NONE;
  if (operation.capability !== 'diagnostic') await readObject(tools, operation, args);
  return { kind: 'done', answer };
}

/** The arguments with the keys of the object, which is looked up where the intent only names it. */
async function addressed(
  reading: Reading,
  operation: Operation,
  filled: Filled,
): Promise<{ args: Json; explained: string } | undefined> {
  const args = structuredClone(filled.arguments);
  if (filled.missing.length === 0) return { args, explained: '' };
  const row = await objectMeant(reading, operation);
  if (row === undefined) return undefined;
  for (const input of filled.missing) {
    const value = fieldFor(row, input.name);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    assign(args, input.path, value);
  }
  return { args, explained: JSON.stringify(row) };
}

/** A change that leaves out what the clause names in particular is not the one that was asked for. */
const ignoresAny = (used: string, need: Need): boolean =>
  strongMentions(need)
    .filter(({ value }) => need.text.includes(value))
    .some(({ value }) => !used.toLowerCase().includes(JSON.stringify(value).slice(1, -1).toLowerCase()));

const codeOf = ({ json }: ToolAnswer): unknown => (json as { code?: unknown } | undefined)?.code;
const wasDeclined = (answer: ToolAnswer): boolean => ['declined', 'cancelled'].includes(String(codeOf(answer)));
const reasonOf = (answer: ToolAnswer): string =>
  String((answer.json as { message?: unknown } | undefined)?.message ?? 'the person declined');

/** The object as it is now, read by the tool that stands beside the change and takes the same address. */
async function readObject(tools: Toolbox, { siblings }: Operation, args: Json): Promise<void> {
  const one = Object.entries(siblings ?? {}).find(
    ([, required]) => required.length > 0 && required.every((name) => args[name] !== undefined),
  );
  if (one === undefined) return;
  await tools.read(one[0], Object.fromEntries(one[1].map((name) => [name, args[name]])));
}

/** The row of the object's list that the clause names. */
async function objectMeant(reading: Reading, operation: Operation): Promise<Json | undefined> {
  const { tools, need, aliases } = reading;
  const platform = tools.platforms.of(operation.name);
  const noun = nounOf(operation.name, platform);
  const hits = await tools.search(`list all ${noun}s`, { platform, capability: 'read' });
  for (const hit of hits.filter(({ required }) => (required ?? []).length === 0).slice(0, 2)) {
    const rows = await readList(reading, hit);
    const meant = rowsMeant(rows ?? itemsOf([]) ?? [], need.text, namedBy(need), aliases);
    if (meant.score > 0 && meant.rows.length === 1) return meant.rows[0];
  }
  return undefined;
}

/** "update_wlan_ssid" changes a WLAN SSID. */
const nounOf = (name: string, platform: string | undefined): string =>
  name
    .slice(platform === undefined ? 0 : name.indexOf(platform) + platform.length + 1)
    .split('_')
    .slice(1)
    .join(' ')
    .replace(/ by .*$/, '');
