/**
 * The table: every tool × setting × dispatcher × state × layer, each cell carried out by the router's own parts and held
 * against the reference. One worker takes every n-th tool.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import type { Result } from '../../dispatch/dispatch-call.ts';
import { Validators } from '../../dispatch/validate.ts';
import { openCatalog } from '../../open-catalog.ts';
import { type Cell, expected } from './access-reference.ts';
import { PLAIN_STATES, STATES, type State } from './access-states.ts';
import { CountedNetwork, configOf, GRANT_STATES, type Preview, Testbed } from './access-testbed.ts';
import type { SubjectTool } from './subject-tool.ts';
import { type TableCallers, tableSettings } from './table-principals.ts';
import { nameOf, type Setting } from './table-settings.ts';

export interface Deviation {
  tool: string;
  setting: string;
  layer: Cell['layer'];
  dispatcher: Cell['dispatcher'];
  state: string;
  expected: string;
  got: string;
}

export interface Tally {
  cells: number;
  /** Of these, the ones of a principal that narrows the server. */
  ofPrincipals: number;
  byLayer: Record<Cell['layer'], number>;
  deviations: number;
  /** Requests other than reads that reached a platform in a cell that must send none. */
  upstreamCalls: number;
  /** Deviations by layer, and the first few. */
  deviationsByLayer: Record<Cell['layer'], number>;
  examples: Deviation[];
}

export interface TableOptions {
  folder: string;
  tools: readonly SubjectTool[];
  /** This worker's number among so many. */
  share: number;
  of: number;
  /** Whole calls are made for one tool in so many, drawn by hash; the other layers take every tool. */
  callsOneIn: number;
  /** The other layers under the settings of the calls only, not under every combination of switches. */
  brief: boolean;
  callers: TableCallers;
  until?: FirstDeviation | undefined;
}

/** The table ends, in every worker, with the first tool that deviates in this layer: enough to know that a mutant is noticed. */
export interface FirstDeviation {
  layer: Cell['layer'];
  /** Shared by the workers; above zero once one did. */
  seen: Int32Array;
}

/** A plain read needs no grant, so what it brings can make no more difference than having one. */
const PLAIN_GRANT_STATES = GRANT_STATES.slice(0, 2);
const BATCHED_ONE_IN = 8;
const EXAMPLES = 20;

export const emptyTally = (): Tally => ({
  cells: 0,
  ofPrincipals: 0,
  byLayer: { list: 0, find: 0, dispatch: 0, outbound: 0 },
  deviations: 0,
  upstreamCalls: 0,
  deviationsByLayer: { list: 0, find: 0, dispatch: 0, outbound: 0 },
  examples: [],
});

export function add(a: Tally, b: Tally): Tally {
  return {
    cells: a.cells + b.cells,
    ofPrincipals: a.ofPrincipals + b.ofPrincipals,
    byLayer: added(a.byLayer, b.byLayer),
    deviations: a.deviations + b.deviations,
    upstreamCalls: a.upstreamCalls + b.upstreamCalls,
    deviationsByLayer: added(a.deviationsByLayer, b.deviationsByLayer),
    examples: [...a.examples, ...b.examples].slice(0, EXAMPLES),
  };
}

function added(a: Tally['byLayer'], b: Tally['byLayer']): Tally['byLayer'] {
  const layers = Object.keys(a) as Cell['layer'][];
  return Object.fromEntries(layers.map((layer) => [layer, a[layer] + b[layer]])) as Tally['byLayer'];
}

/** The same tools on every machine and in every run. */
export const isDrawn = (text: string, oneIn: number) =>
  oneIn <= 1 || createHash('sha256').update(text).digest().readUInt32BE() % oneIn === 0;

export async function fillTable(options: TableOptions): Promise<Tally> {
  const { folder, tools, share, of, callsOneIn, brief, until } = options;
  const { shown: all, called } = tableSettings(options);
  const config = configOf(all[0] as Setting, folder);
  const network = new CountedNetwork(config.known);
  const { catalog: opened } = openCatalog(config);
  const catalog = remembering(opened);
  const validators = new Validators((name) => opened.schema(name));
  const parts = { folder, catalog, findable: withoutRanking(catalog, folder), validators };
  const table = new Table(network, until);
  const beds = all.map((setting) => ({ setting, testbed: new Testbed(setting, parts) }));
  const mine = (_: unknown, at: number) => at % of === share;
  for (const { setting, testbed } of table.askedOf(beds.filter(mine))) await table.list(setting, testbed, tools);
  const calling = called.map((setting) => ({ setting, testbed: new Testbed(setting, parts) }));
  for (const subject of table.askedOf(tools.filter(mine))) {
    const tool = catalog.tool(subject.name) as Tool;
    const isCalled = isDrawn(subject.name, callsOneIn);
    const counts = ({ setting: { principal } }: { setting: Setting }) => principal === undefined || !brief || isCalled;
    for (const { setting, testbed } of beds.filter(counts)) {
      table.find(setting, testbed, subject);
      // The outbound client knows no principal: dispatch gave it the grant, or none.
      if (!tool.local && setting.principal === undefined) await table.outbound(setting, testbed, subject, tool);
    }
    if (isCalled) for (const { setting, testbed } of calling) await table.calls(setting, testbed, subject);
  }
  opened.close();
  return table.tally;
}

class Table {
  readonly tally = emptyTally();
  readonly #network: CountedNetwork;
  readonly #until: FirstDeviation | undefined;

  constructor(network: CountedNetwork, until: FirstDeviation | undefined) {
    this.#network = network;
    this.#until = until;
  }

  /** One after the other, as long as nothing has deviated that is waited for. */
  *askedOf<T>(list: readonly T[]): Generator<T> {
    for (const one of list) {
      if (this.#isEnough()) return;
      yield one;
    }
  }

  #isEnough(): boolean {
    if (this.#until === undefined) return false;
    if (this.tally.deviationsByLayer[this.#until.layer] > 0) Atomics.store(this.#until.seen, 0, 1);
    return Atomics.load(this.#until.seen, 0) > 0;
  }

  /** Also what a listed tool says of itself: hints that make it look harmless are as good as a wrong listing. */
  async list(setting: Setting, testbed: Testbed, tools: readonly SubjectTool[]): Promise<void> {
    const listed = await testbed.listed();
    for (const subject of tools) {
      const found = listed.get(subject.name);
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = found?.annotations ?? {};
      const honest =
        readOnlyHint === (subject.capability === 'read') &&
        (destructiveHint === true || subject.capability !== 'destructive') &&
        idempotentHint !== undefined &&
        openWorldHint !== undefined;
      const got = found === undefined ? 'absent' : honest ? 'listed' : 'listed with dishonest hints';
      this.#settle(cellOf(setting, subject, { layer: 'list' }), subject, setting, got, false);
    }
  }

  find(setting: Setting, testbed: Testbed, subject: SubjectTool): void {
    const shown = testbed.found(subject.name);
    const got = !shown ? 'absent' : shown.gate === 'closed' ? 'found, gate closed' : 'found';
    this.#settle(cellOf(setting, subject, { layer: 'find' }), subject, setting, got, false);
  }

  async outbound(setting: Setting, testbed: Testbed, subject: SubjectTool, tool: Tool): Promise<void> {
    const plain = subject.capability === 'read' && subject.method === 'GET';
    for (const state of plain ? PLAIN_GRANT_STATES : GRANT_STATES) {
      this.#network.take();
      const said = await testbed.send(tool, subject.args, subject.capability, state);
      const sent = this.#network.take().length > 0;
      const got = said === 'sent' || !sent ? said : 'blocked, yet sent';
      this.#settle(cellOf(setting, subject, { layer: 'outbound', state }), subject, setting, got, sent);
    }
  }

  async calls(setting: Setting, testbed: Testbed, subject: SubjectTool): Promise<void> {
    const gated = subject.capability === 'write' || subject.capability === 'destructive';
    const own = gated && subject.method !== 'LOCAL';
    const preview = own ? await testbed.preview(subject) : undefined;
    const batched = subject.method !== 'LOCAL' && isDrawn(`batched ${subject.name}`, BATCHED_ONE_IN);
    const dispatchers: Cell['dispatcher'][] = batched
      ? ['invoke_read_tool', 'invoke_tool', 'invoke_read_tool_batch', 'invoke_tools_batch']
      : ['invoke_read_tool', 'invoke_tool'];
    for (const dispatcher of dispatchers)
      for (const state of statesOf(setting, own))
        if (own || subject.method !== 'LOCAL' || state === PLAIN_STATES[0])
          await this.#call(setting, testbed, subject, dispatcher, state, preview);
  }

  async #call(
    setting: Setting,
    testbed: Testbed,
    subject: SubjectTool,
    dispatcher: Cell['dispatcher'],
    state: State,
    preview: Preview | undefined,
  ): Promise<void> {
    this.#network.take();
    const result = await testbed.call(subject, dispatcher, state, preview);
    // A dry run reads the object, so only a request with the method of the write itself is the write.
    const sent = this.#network.take().some(({ method }) => method === subject.method);
    const cell = cellOf(setting, subject, { layer: 'dispatch', dispatcher, state: state.name });
    this.#settle(
      cell,
      subject,
      setting,
      verdictOf(innerOf(result, dispatcher), sent, subject.method === 'LOCAL'),
      sent,
    );
  }

  #settle(cell: Cell, subject: SubjectTool, setting: Setting, got: string, sent: boolean): void {
    const { tally } = this;
    const want = expected(cell);
    tally.cells++;
    if (setting.principal !== undefined) tally.ofPrincipals++;
    tally.byLayer[cell.layer]++;
    if (sent && want !== 'sent' && subject.capability !== 'read') tally.upstreamCalls++;
    if (want === got) return;
    tally.deviations++;
    tally.deviationsByLayer[cell.layer]++;
    const { layer, dispatcher, state } = cell;
    if (tally.examples.length < EXAMPLES)
      tally.examples.push({
        tool: subject.name,
        setting: nameOf(setting),
        layer,
        dispatcher,
        state,
        expected: want,
        got,
      });
  }
}

/** A principal decides who may call, not what a plan token is worth; a few states show both. */
function statesOf({ principal }: Setting, isWrite: boolean): readonly State[] {
  if (!isWrite) return PLAIN_STATES;
  return principal === undefined ? STATES : STATES.filter(({ name }) => PRINCIPAL_STATES.includes(name));
}
const PRINCIPAL_STATES = ['nothing said', 'token of another principal', 'agreed', 'agreed, object named'];

export function cellOf(
  setting: Setting,
  { platform, method, capability, statedCapability }: SubjectTool,
  more: Pick<Cell, 'layer'> & Partial<Cell>,
): Cell {
  const stated = statedCapability === undefined ? {} : { statedCapability };
  return { dispatcher: 'none', state: 'nothing said', platform, method, capability, ...stated, ...setting, ...more };
}

type Ended = { kind: 'done'; result: unknown } | { kind: 'refused'; refusal: { code: string } };

/** The one call inside a batch; a batch that was refused stands for it. */
function innerOf(result: Result, dispatcher: Cell['dispatcher']): Ended {
  if (result.kind === 'ask') throw new Error('somebody who answers at once was asked twice');
  if (result.kind === 'refused' || dispatcher === 'invoke_read_tool' || dispatcher === 'invoke_tool') return result;
  const [entry] = (result.result as { results: { result?: unknown; refusal?: { code: string } }[] }).results;
  return entry?.refusal ? { kind: 'refused', refusal: entry.refusal } : { kind: 'done', result: entry?.result };
}

function verdictOf(end: Ended, sent: boolean, local: boolean): string {
  if (end.kind === 'refused') return sent ? `${end.refusal.code}, yet sent` : end.refusal.code;
  const status = (end.result as { status?: unknown } | null)?.status;
  if (status === 'dry_run') return sent ? 'preview, yet sent' : 'preview';
  return sent || local ? 'sent' : 'done, yet not sent';
}

/** Tools are asked for in runs of the same name. */
function remembering(catalog: Catalog): Catalog {
  const known = new Map<string, Tool | undefined>();
  const tool = (name: string) => {
    if (!known.has(name)) {
      if (known.size > 64) known.clear();
      known.set(name, catalog.tool(name));
    }
    return known.get(name);
  };
  return new Proxy(catalog, {
    get: (target, key) => {
      if (key === 'tool') return tool;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function withoutRanking(catalog: Catalog, folder: string): Catalog {
  const own = join(folder, 'next-to-nothing');
  mkdirSync(own, { recursive: true });
  return new Proxy(catalog, {
    get: (target, key) => {
      if (key === 'folder') return own;
      if (key === 'all') return () => [...target.all()].slice(0, 1);
      return Reflect.get(target, key, target);
    },
  });
}
