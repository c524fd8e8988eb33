/** Carries out one change: the tool that does what the clause says, its address from the intent or a list, its body from the intent. */
import type { ToolAnswer } from '../mcp/agent-client.ts';
import { withContract } from './contract-values.ts';
import type { Toolbox } from './discovery.ts';
import { type Filled, fill } from './fill.ts';
import { fieldFor } from './items.ts';
import { mentions } from './name-words.ts';
import { subjectNounsOf } from './need-queries.ts';
import { type Need, namedBy } from './needs.ts';
import { assign, type Descriptor, type Json, type Operation } from './operation.ts';
import { type Reading, readList } from './read-tool.ts';
import { rowsMeant } from './row-choice.ts';
import { type Mention, strongMentions } from './task-intent.ts';
import { operationVerbs, verbFit } from './verbs.ts';
import { alike, stems } from './word-likeness.ts';

/** Of everything that the searches found, so many tools are looked at with their schemas. */
const OPENED = 8;
/** How many searches at most are made before the candidates are compared. */
const NOUNS = 3;

export type Outcome = { kind: 'done'; answer: ToolAnswer } | { kind: 'refused'; reason: string } | { kind: 'none' };

interface Plan {
  operation: Operation;
  filled: Filled;
  cost: number;
}

interface Candidate {
  hit: Descriptor;
  /** How well its places in all searches speak for it. */
  found: number;
}

/** Compares what several searches find, by verb, by thing and by arguments, and carries out the best that can be addressed. */
export async function carryOutChange(reading: Reading): Promise<Outcome> {
  const { tools, need } = reading;
  const pool = new Map<string, Candidate>();
  const plans: Plan[] = [];
  for (const { query, only, weight } of changeQueries(need)) {
    const platform = need.isPlatformNamed ? need.platform : undefined;
    const hits = await tools.search(query, { platform, ...only });
    for (const [rank, hit] of hits.filter((one) => suits(one, need)).entries()) {
      const isNear = need.platform !== undefined && tools.platforms.of(hit.name) === need.platform;
      const found = Math.min(1, (pool.get(hit.name)?.found ?? (isNear ? 0.2 : 0)) + weight / (2 + rank));
      pool.set(hit.name, { hit, found });
    }
  }
  for (const { hit, cost } of ordered([...pool.values()], need).slice(0, OPENED)) {
    const operation = await tools.open(hit);
    const filled = withContract(operation, fill(operation, need), need);
    plans.push({ operation, filled, cost: cost + fillCost(operation, filled, need) });
  }
  for (const plan of plans.sort((one, other) => one.cost - other.cost)) {
    const outcome = await tryPlan(reading, plan);
    if (outcome.kind !== 'none') return outcome;
  }
  return NONE;
}

interface ChangeQuery {
  query: string;
  only: { capability?: 'write' | 'diagnostic' };
  weight: number;
}

/** The clause and the whole intent as they stand, and what the contract says that it is done to, with each verb that fits. */
function changeQueries(need: Need): ChangeQuery[] {
  const nouns = subjectNounsOf(need.asks).slice(0, NOUNS);
  const text = withoutQuotes(need.text);
  const spoken = operationVerbs(text);
  const runs = need.asks.flatMap(({ description }) => RUN.exec(description)?.[1] ?? []);
  const isRun = need.class === 'diagnose' || runs.length > 0;
  // What runs to an end is a test or a change.
  const only: ChangeQuery['only'] =
    need.class === 'diagnose' ? { capability: 'diagnostic' } : runs.length > 0 ? {} : { capability: 'write' };
  const verbs = [...new Set([...spoken.slice(-1), isRun ? 'start' : 'update'])];
  const acts = nouns.flatMap((noun) => verbs.map((verb) => ({ query: `${verb} ${noun}`, only, weight: 0.7 })));
  const states = need.asks.filter(({ description }) => !isEarlier(description));
  const told = states.map(({ words }) => words.join(' ')).join(', ');
  return [
    { query: need.text, only: {}, weight: 2 },
    ...(need.whole.text === need.text ? [] : [{ query: withoutQuotes(need.whole.text), only: {}, weight: 1 }]),
    ...acts,
    ...runs.map((run) => ({ query: `start ${run} ${nouns[0] ?? ''}`, only, weight: 1 })),
    { query: `${verbs.join(' ')} ${nouns[0] ?? ''}: ${told}`, only, weight: 0.7 },
  ];
}

/** "Whether the ping ran to its end": what is to be run. */
const RUN = /^whether (?:the|it|that|this) ?([a-z][a-z -]*?)? ?(?:ran|came|finished|completed|ended)\b/i;

const isEarlier = (description: string): boolean =>
  /\b(before|previous|previously|so far|until now)\b/i.test(description);

const withoutQuotes = (text: string): string => text.replaceAll(/"[^"]*"/g, ' ');

const NONE: Outcome = { kind: 'none' };

const suits = (hit: Descriptor, { class: wanted }: Need): boolean =>
  !hit.read_only && (wanted === 'change' || hit.capability === 'diagnostic');

function ordered(candidates: readonly Candidate[], need: Need): { hit: Descriptor; cost: number }[] {
  const spoken = need.words.flatMap(stems);
  const nouns = subjectNounsOf(need.asks).map((noun) => stems(noun).at(-1) ?? '');
  const text = withoutQuotes(need.text);
  return candidates
    .map(({ hit, found }) => {
      const words = stems(hit.name.replace(/_by_.*$/, '').replaceAll('_', ' ')).slice(1);
      const extra = words.filter((word) => ![...spoken, ...nouns].some((one) => alike(one, word) > 0)).length;
      const isOfThing = nouns.some((thing) => words.some((word) => alike(word, thing) >= 0.6));
      const verb = verbFit(text, hit.name, hit.description);
      return {
        hit,
        cost:
          extra * 0.3 -
          (verb > 0 ? 1.6 : 0.7) * verb -
          2 * found -
          (isOfThing ? 1 : 0) -
          keyFit(hit, need) +
          (hit.capability === 'diagnostic' && need.class === 'change' && !asksForRun(need) ? 0.7 : 0),
      };
    })
    .sort((a, b) => a.cost - b.cost);
}

const asksForRun = ({ asks }: Need): boolean => asks.some(({ description }) => RUN.test(description));

/** The form of a key that the hit states is that of a value of the intent: nothing says more of what is meant. */
function keyFit(hit: Descriptor, need: Need): number {
  const patterns = Object.values(hit.formats ?? {}).filter((format) => format.startsWith('^') && !format.includes('…'));
  return patterns.some((pattern) => need.mentions.some(({ value }) => new RegExp(pattern, 'u').test(value))) ? 1.5 : 0;
}

function fillCost(operation: Operation, filled: Filled, need: Need): number {
  const own = need.mentions.filter(({ value, secret }) => need.text.includes(value) || secret);
  const isStrong = (one: Mention) => strongMentions(need).includes(one);
  const ignored = own
    .filter((one) => !filled.used.has(one))
    .reduce((sum, one) => sum + (isStrong(one) ? 1.8 : ['moment', 'number'].includes(one.kind) ? 1 : 0), 0);
  const lacking = filled.missing.filter(({ path }) => path[0] === 'body').length;
  // What is named only in the body may come into being by the change.
  const inAddress = Object.keys(filled.arguments).some((name) => name !== 'body');
  const creates = verbFit('create', operation.name, operation.description) > 0;
  const mayCreate = !inAddress && filled.missing.length === lacking && verbFit(need.text, 'x_create', '') <= 0;
  const lookUp = filled.missing.length > lacking ? 0.5 : 0;
  // The key of the object that is changed is in the address, and no new value of it.
  const body = JSON.stringify(filled.arguments['body'] ?? {}).toLowerCase();
  const rekeys = !creates && own.some(({ kind, value }) => kind === 'mac' && body.includes(value.toLowerCase()));
  return (
    (mayCreate ? 1 : 0) +
    ignored +
    lacking * 2 +
    lookUp +
    (rekeys ? 2 : 0) +
    (changesNothing(operation, filled) ? 3 : 0)
  );
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
  const before = await readObject(tools, operation, args);
  if (before?.isError === true) return NONE;
  const answer = await tools.run(operation, args);
  if (answer.isError) return wasDeclined(answer) ? { kind: 'refused', reason: reasonOf(answer) } : NONE;
  if (operation.capability !== 'diagnostic' && (await readObject(tools, operation, args)) === undefined)
    await readBeside(tools, operation, args);
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
  const keys = filled.missing.map(({ name }) => name);
  const row = await objectMeant(reading, operation, keys);
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
async function readObject(tools: Toolbox, { siblings }: Operation, args: Json): Promise<ToolAnswer | undefined> {
  const one = Object.entries(siblings ?? {}).find(
    ([, required]) => required.length > 0 && required.every((name) => args[name] !== undefined),
  );
  return one === undefined
    ? undefined
    : tools.read(one[0], Object.fromEntries(one[1].map((name) => [name, args[name]])));
}

/** As `readObject`, by the tool that a search for such an object finds. */
async function readBeside(tools: Toolbox, { name }: Operation, args: Json): Promise<void> {
  const platform = tools.platforms.of(name);
  const hits = await tools.search(`get ${nounOf(name, platform)}`, { platform, capability: 'read' });
  const [one] = hits.filter(
    ({ required = [] }) => required.length > 0 && required.every((key) => args[key] !== undefined),
  );
  if (one === undefined) return;
  await tools.read(one.name, Object.fromEntries((one.required ?? []).map((key) => [key, args[key]])));
}

/** The row of the object's list that the clause names. */
async function objectMeant(reading: Reading, operation: Operation, keys: readonly string[]): Promise<Json | undefined> {
  const { tools, need, aliases } = reading;
  const platform = tools.platforms.of(operation.name);
  const noun = nounOf(operation.name, platform);
  const hits = await tools.search(`list all ${noun}s`, { platform, capability: 'read' });
  for (const hit of hits.filter(({ required }) => (required ?? []).length === 0).slice(0, 2)) {
    const rows = await readList(reading, hit);
    const meant = rowsMeant(rows ?? [], need.text, namedBy(need), aliases);
    // Only what the clause names is changed; that a state fits is not enough.
    if (meant.score > 0 && meant.rows.length === 1 && meant.explained.size > 0) return meant.rows[0];
    const called = (rows ?? []).filter((row) => keys.some((key) => isSpoken(fieldFor(row, key), need.text)));
    if (called.length === 1) return called[0];
  }
  return undefined;
}

/** A plain word is a name where the list of such objects has one that is called so. */
const isSpoken = (key: unknown, text: string): boolean => typeof key === 'string' && mentions(text, key);

/** "update_wlan_ssid" changes a WLAN SSID. */
const nounOf = (name: string, platform: string | undefined): string =>
  name
    .slice(platform === undefined ? 0 : name.indexOf(platform) + platform.length + 1)
    .split('_')
    .slice(1)
    .join(' ')
    .replace(/ by .*$/, '');
