/**
 * Calls of every operation of a document through a router: reads, broken arguments, confirmed writes, creates that are read back.
 * Arguments are drawn from the schemas of the tools.
 */
import { isObject } from '../../catalog/platform-document.ts';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import { brokenVariants, chosenMark, marked } from './altered-arguments.ts';
import { type DrawnArguments, drawnArguments } from './drawn-argument.ts';
import { valuesNamed } from './foreign-play.ts';

export interface TrialCounts {
  operations: number;
  tools: number;
  /** Reads of which the document declares more than a redirect, which the router does not follow. */
  reads: number;
  /** Reads that the router answered without an error. */
  answered: number;
  /** Answered reads whose answer the proxy's validator takes for what the document declares. */
  valid: number;
  /** Answered reads of which the document declares failures alone: no answer is right. */
  undeclared: number;
  /** Calls with a broken argument, and those of them that were refused as `invalid_arguments` without a request. */
  broken: number;
  refused: number;
  /** Confirmed writes, and those of them that the ledger shows as exactly one request. */
  writes: number;
  single: number;
  /** Writes without a plan: no arguments were drawn, or the preview was refused. */
  unsent: number;
  creates: number;
  shown: number;
  /** 1 where no request of the router was refused for its credentials. */
  met: number;
}

export interface Received {
  seq: number;
  method: string;
  status: number;
  path: string;
}

export interface Testbed {
  tools: readonly Tool[];
  schemaOf: (name: string) => JsonSchema;
  invoke: (tool: Tool, args: Record<string, unknown>) => Promise<unknown>;
  /** Requests since the last time, as the fake's ledger has them. */
  received: () => Promise<Received[]>;
  /** What the proxy's validator said since the last time. */
  objections: () => string[];
  /** What reads answered, by path template: they name the things that other calls ask for. */
  seen: Map<string, unknown>;
  counts: TrialCounts;
  problems: string[];
}

const isRefused = (answer: unknown): answer is { refused: { code?: string; reason?: string } } =>
  typeof answer === 'object' && answer !== null && 'refused' in answer;

/** Lists first: they name the things that the other reads ask for. Destroying comes last. */
export async function playAll(testbed: Testbed): Promise<void> {
  const depth = ({ path }: Tool) => path.split('{').length;
  const reads = testbed.tools.filter(({ capability }) => capability === 'read');
  const writes = testbed.tools.filter(({ capability }) => capability !== 'read');
  // What stands inside of a thing goes before the thing.
  const turn = (tool: Tool) => (tool.method === 'DELETE' ? -tool.path.split('/').length : depth(tool));
  const order = ({ method }: Tool) => ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
  for (const tool of reads.toSorted((left, right) => depth(left) - depth(right))) await playRead(testbed, tool);
  for (const tool of testbed.tools) await playBroken(testbed, tool);
  for (const tool of writes.toSorted((left, right) => order(left) - order(right) || turn(left) - turn(right)))
    await playWrite(testbed, tool);
  if ((await testbed.received()).some(isUnauthorised)) testbed.counts.met = 0;
}

const FAILURES_ALONE = /: 200: status is not declared \([45]\d\d(?:, [45]\d\d)*\)$/;

const lacksCredentials = (answer: unknown): boolean =>
  isRefused(answer) && answer.refused.code === 'credentials_missing';

const isUnauthorised = ({ status }: { status: number }) => status === 401 || status === 403;

function note(testbed: Testbed, tool: Tool, what: string, found: unknown): void {
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  testbed.problems.push(`${what} ${tool.method} ${tool.path}: ${text?.slice(0, 400)}`);
}

function argumentsFor(testbed: Testbed, tool: Tool): DrawnArguments | undefined {
  const needed = tool.parameters.filter(({ required }) => required);
  const known: Record<string, unknown> = {};
  for (const { argument, name } of needed.filter((each) => each.in === 'path')) {
    const found = keyOf(testbed, tool, name);
    if (found !== undefined) known[argument] = found;
  }
  const names = [...needed.map(({ argument }) => argument), ...(tool.body === null ? [] : ['body'])];
  return drawnArguments(testbed.schemaOf(tool.name), names, known, 1);
}

/** The key of the first row of the list that stands above a place in the path. */
function keyOf({ seen }: Testbed, tool: Tool, name: string): unknown {
  const at = tool.path.indexOf(`{${name}}`);
  const above = seen.get(tool.path.slice(0, at).replace(/\/$/, ''));
  if (above === undefined) return undefined;
  const short = name.replace(/^.*_|.*(?=Id$)/, '');
  return valuesNamed(above, [name])[0] ?? valuesNamed(above, ['id', short, short.toLowerCase(), 'name'])[0];
}

async function playRead(testbed: Testbed, tool: Tool): Promise<void> {
  const { counts } = testbed;
  counts.reads += 1;
  const drawn = argumentsFor(testbed, tool);
  if (drawn === undefined) return note(testbed, tool, 'no arguments for', testbed.schemaOf(tool.name));
  testbed.objections();
  const answer = await testbed.invoke(tool, drawn.values);
  const said = testbed.objections().filter((problem) => problem.startsWith('GET '));
  if (lacksCredentials(answer)) counts.met = 0;
  if (isRefused(answer) && answer.refused.reason === 'UPSTREAM_REDIRECTED') {
    counts.reads -= 1;
    return;
  }
  if (isRefused(answer)) return note(testbed, tool, 'read', answer);
  counts.answered += 1;
  if (said.length === 0) counts.valid += 1;
  else if (said.every((problem) => FAILURES_ALONE.test(problem))) counts.undeclared += 1;
  else note(testbed, tool, 'invalid', said.join('; '));
  testbed.seen.set(tool.path.replace(/\/$/, ''), answer);
}

async function playBroken(testbed: Testbed, tool: Tool): Promise<void> {
  const drawn = argumentsFor(testbed, tool);
  if (drawn === undefined) return;
  for (const { values, what } of brokenVariants(testbed.schemaOf(tool.name), drawn)) {
    testbed.counts.broken += 1;
    if ((await testbed.received()).some(isUnauthorised)) testbed.counts.met = 0;
    const answer = await testbed.invoke(tool, values);
    const sent = await testbed.received();
    if (isRefused(answer) && answer.refused.code === 'invalid_arguments' && sent.length === 0)
      testbed.counts.refused += 1;
    else note(testbed, tool, `broken (${what})`, answer);
  }
}

async function playWrite(testbed: Testbed, tool: Tool): Promise<void> {
  const { counts } = testbed;
  const drawn = argumentsFor(testbed, tool);
  if (drawn === undefined) {
    counts.unsent += 1;
    return note(testbed, tool, 'no arguments for', testbed.schemaOf(tool.name));
  }
  const mark = mayCreate(testbed, tool)
    ? chosenMark(markable(tool, drawn.values['body']), readsOf(testbed, tool))
    : undefined;
  const values = mark === undefined ? drawn.values : marked(drawn, mark);
  const preview = await testbed.invoke(tool, values);
  const token = (preview as { plan_token?: string } | null)?.plan_token;
  if (token === undefined) {
    if (lacksCredentials(preview)) counts.met = 0;
    counts.unsent += 1;
    return note(testbed, tool, 'preview', preview);
  }
  if ((await testbed.received()).some(isUnauthorised)) counts.met = 0;
  testbed.objections();
  const done = await testbed.invoke(tool, {
    ...values,
    dry_run: false,
    confirm: true,
    plan_token: token,
    ...namedIn(preview),
  });
  const sent = (await testbed.received()).filter(({ path }) => isCallOf(tool, path));
  const requests = sent.filter(({ method }) => method === tool.method);
  if (sent.some(isUnauthorised)) counts.met = 0;
  counts.writes += 1;
  if (requests.length === 1) counts.single += 1;
  else note(testbed, tool, `${requests.length} requests`, done);
  const said = testbed.objections();
  if (said.length > 0) note(testbed, tool, 'objection', said.join('; '));
  if (isRefused(done)) note(testbed, tool, 'write', done);
  if (mark !== undefined && values !== drawn.values) await readBack(testbed, tool, values, done, mark.text);
}

/** The last part of the one address in an answer that stands below the path of the create. */
function keyInPlace(done: unknown, home: string): string | undefined {
  const below = `${home.split('/').at(-1)}/`;
  const places = [...JSON.stringify(done ?? null).matchAll(/"([^"]*\/[^"/]+)"/g)].map(([, text = '']) => text);
  const place = places.find((text) => text.slice(0, text.lastIndexOf('/') + 1).endsWith(below));
  return place === undefined ? undefined : decodeURIComponent(place.slice(place.lastIndexOf('/') + 1));
}

/** `file_sha` may be called `sha` in the thing, `linkId` may be `id`. */
function endingsOf(name: string): string[] {
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);
  return words.slice(1).map((word) => word.toLowerCase());
}

/** The typed name that a destroying write asks for. */
function namedIn(preview: unknown): Record<string, string> {
  const text = /"confirm_object":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(preview))?.[0];
  return text === undefined ? {} : (JSON.parse(`{${text}}`) as Record<string, string>);
}

function isCallOf(tool: Tool, path: string): boolean {
  const pattern = tool.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]*');
  return new RegExp(`${pattern}$`).test(path);
}

/** A body without what the path states already: there it can only be the same. */
function markable({ parameters }: Tool, body: unknown): unknown {
  if (!isObject(body)) return body;
  const stated = new Set(parameters.filter((each) => each.in === 'path').map(({ name }) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !stated.has(name)));
}

/** Last words of paths that do something and make nothing, such as `/commands/send`. */
const ACTION =
  /\/(send|run|execute|generate|validate|check|test|preview|cancel|move|copy|sync|import|export|search|query)\/?$/i;

/** A POST at a list of things, or above the path of one of them. */
function mayCreate({ seen, tools }: Testbed, { method, path }: Tool): boolean {
  if (method !== 'POST' || ACTION.test(path)) return false;
  const home = path.replace(/\/$/, '');
  const hasItem = tools.some(
    (other) => other.path.startsWith(home) && /^\/\{[^}/]+\}\/?$/.test(other.path.slice(home.length)),
  );
  return hasItem || hasList(seen.get(home), 0);
}

/** A list of objects, itself or at most three objects further inside. */
function hasList(answer: unknown, depth: number): boolean {
  if (Array.isArray(answer)) return answer.some((entry) => typeof entry === 'object' && entry !== null);
  if (typeof answer !== 'object' || answer === null || depth > 3) return false;
  return Object.values(answer).some((entry) => hasList(entry, depth + 1));
}

/** What showed things of this kind before: the list of the same path, or reads of one below it. */
const readsOf = ({ seen }: Testbed, { path }: Tool): unknown[] => {
  const home = path.replace(/\/$/, '');
  return [...seen]
    .filter(([at]) => at === home || /^\/\{[^}/]+\}$/.test(at.slice(home.length)))
    .filter(([at]) => at.startsWith(home))
    .map(([, answer]) => answer);
};

async function readBack(
  testbed: Testbed,
  tool: Tool,
  values: Record<string, unknown>,
  done: unknown,
  text: string,
): Promise<void> {
  testbed.counts.creates += 1;
  const home = tool.path.replace(/\/$/, '');
  const list = testbed.tools.find(({ capability, path }) => capability === 'read' && path.replace(/\/$/, '') === home);
  const place = Object.fromEntries(
    Object.entries(values).filter(
      ([name]) => name !== 'body' && tool.parameters.some((each) => each.argument === name && each.in === 'path'),
    ),
  );
  const needed = list === undefined ? undefined : argumentsFor(testbed, list);
  const listed = list === undefined ? undefined : await testbed.invoke(list, { ...needed?.values, ...place });
  if (JSON.stringify(listed ?? null).includes(text)) {
    testbed.counts.shown += 1;
    return;
  }
  const item = testbed.tools.find(
    ({ capability, path }) =>
      capability === 'read' && path.startsWith(home) && /^\/\{[^}/]+\}\/?$/.test(path.slice(home.length)),
  );
  const last = item?.parameters.filter((each) => each.in === 'path').at(-1);
  const made = (done as { object?: unknown } | null)?.object ?? done;
  const key =
    last === undefined || typeof made !== 'object'
      ? made
      : (valuesNamed(made, [last.name])[0] ??
        valuesNamed(made, endingsOf(last.name))[0] ??
        valuesNamed(made, ['id', 'name'])[0] ??
        keyInPlace(done, home));
  if (item !== undefined && last !== undefined && key !== undefined) {
    const shown = await testbed.invoke(item, {
      ...argumentsFor(testbed, item)?.values,
      ...place,
      [last.argument]: key,
    });
    if (JSON.stringify(shown).includes(text)) {
      testbed.counts.shown += 1;
      return;
    }
  }
  note(
    testbed,
    tool,
    'create not shown',
    `${JSON.stringify(values).slice(0, 150)} → ${JSON.stringify(done).slice(0, 150)} → ${JSON.stringify(listed)?.slice(0, 150)}`,
  );
}
