/**
 * Cells of the table again, over HTTP: the router as a process, the fake platforms behind it, and the fake's ledger as the
 * judge of what was sent. Which cells is drawn by hash, so it is the same ones everywhere.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { startFakeApi } from '#fake-api';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import type { Arguments } from '../support/every-argument.ts';
import type { Action, CallAnswer, ModernClient } from '../support/modern-client.ts';
import { type Cell, expected } from './access-reference.ts';
import { STATES, type State } from './access-states.ts';
import { cellOf, type Deviation } from './access-table.ts';
import { type Served, serve } from './served-router.ts';
import type { SubjectTool } from './subject-tool.ts';
import { callSettings, nameOf, type Setting } from './table-settings.ts';

/** The table in memory has these: over HTTP they would take 300 s, or need another setting or catalog of the router. */
const NOT_OVER_HTTP = ['expired token', 'token from other access settings', 'token of another catalog'];
const HTTP_STATES = STATES.filter(({ name }) => !NOT_OVER_HTTP.includes(name));
const DISPATCHERS = ['invoke_read_tool', 'invoke_tool', 'invoke_read_tool_batch', 'invoke_tools_batch'] as const;
const INVENTED = 'bG9va3Mgc2lnbmVk.bm90IHNpZ25lZA';
const EXAMPLES = 20;
export interface HttpTally {
  cells: number;
  mustRefuse: number;
  deviations: number;
  /** Ledger entries other than reads in cells that must send none. */
  upstreamCalls: number;
  examples: Deviation[];
}

export interface HttpOptions {
  folder: string;
  tools: readonly SubjectTool[];
  catalog: Catalog;
  cells: number;
}

interface Drawn {
  subject: SubjectTool;
  dispatcher: (typeof DISPATCHERS)[number];
  state: State;
}

export async function overHttp({ folder, tools, catalog, cells }: HttpOptions): Promise<HttpTally> {
  const platforms = [...new Set(tools.map(({ platform }) => platform))].filter((id) => id !== 'rag' && id !== 'router');
  const fake = await startFakeApi({ platformIds: platforms });
  const tally: HttpTally = { cells: 0, mustRefuse: 0, deviations: 0, upstreamCalls: 0, examples: [] };
  const remote = tools.filter(({ method }) => method !== 'LOCAL');
  const all = callSettings();
  try {
    for (const [at, setting] of all.entries()) {
      const namespace = `access-${at}`;
      const places = placesOf(fake, platforms, namespace);
      const lane = await Lane.open(setting, {
        folder: join(folder, namespace),
        places,
        tools: remote,
        catalog,
        control: fake.control,
        namespace,
      });
      try {
        let left = Math.ceil(cells / all.length);
        for (const drawn of inDrawnOrder(remote, setting)) {
          if (left === 0) break;
          if (await lane.settle(drawn, tally)) left--;
        }
      } finally {
        await lane.close();
      }
    }
  } finally {
    await fake.close();
  }
  return tally;
}

function placesOf(fake: Awaited<ReturnType<typeof startFakeApi>>, platforms: readonly string[], namespace: string) {
  const { origin } = new URL(String(fake.platforms[platforms[0] as string]));
  return new Map(platforms.map((id) => [id, `${origin}/ns/${namespace}/${id}`]));
}

const numberOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE();

/** Tools by their hash under this setting; what is done with each comes from another hash. */
function inDrawnOrder(tools: readonly SubjectTool[], setting: Setting): Drawn[] {
  const name = nameOf(setting);
  return tools
    .map((subject) => ({ subject, order: numberOf(`${name} ${subject.name} ${subject.capability}`) }))
    .sort((a, b) => a.order - b.order)
    .map(({ subject, order }) => ({
      subject,
      dispatcher: DISPATCHERS[numberOf(`dispatcher ${order}`) % DISPATCHERS.length] as Drawn['dispatcher'],
      state: HTTP_STATES[numberOf(`state ${order}`) % HTTP_STATES.length] as State,
    }));
}

interface LaneOptions {
  folder: string;
  tools: readonly SubjectTool[];
  places: ReadonlyMap<string, string>;
  catalog: Catalog;
  control: string;
  namespace: string;
}

interface Entry {
  seq: number;
  capability: string;
}

/** One setting: two routers over one state folder, so that there are two principals, and a namespace of the fake. */
class Lane {
  readonly #setting: Setting;
  readonly #options: LaneOptions;
  readonly #routers: readonly Served[];
  #seen = 0;

  private constructor(setting: Setting, options: LaneOptions, routers: readonly Served[]) {
    this.#setting = setting;
    this.#options = options;
    this.#routers = routers;
  }

  static async open(setting: Setting, options: LaneOptions): Promise<Lane> {
    const reset = await fetch(`${options.control}/namespaces/${options.namespace}/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    if (!reset.ok) throw new Error(`reset answered ${reset.status}: ${await reset.text()}`);
    const routers = await Promise.all(
      ['first', 'second'].map((bearer) => serve(setting, options, `${bearer}-bearer-token-of-a-caller`)),
    );
    return new Lane(setting, options, routers);
  }

  async close(): Promise<void> {
    await Promise.all(this.#routers.map(({ stop }) => stop()));
  }

  /** False where a tool cannot be brought into its state: other arguments of one that takes none, an object deleted before. */
  async settle({ subject, dispatcher, state }: Drawn, tally: HttpTally): Promise<boolean> {
    const [own, other] = this.#routers.map(({ client }) => client) as [ModernClient, ModernClient];
    const cell = cellOf(this.#setting, subject, { layer: 'dispatch', dispatcher, state: state.name });
    const want = expected(cell);
    const prepared = await this.#prepare(subject, state, own, other);
    if (prepared === undefined) return false;
    await this.#entries();
    const answer = await callThrough(own, dispatcher, subject, prepared.args, actionOf(state));
    const entries = await this.#entries();
    const changes = entries.filter(({ capability }) => !['read', 'poll', 'diagnostic'].includes(capability));
    const gated = subject.capability === 'write' || subject.capability === 'destructive';
    const sent = gated ? changes.length > 0 : entries.length > 0;
    const got = verdictOf(answer, dispatcher, sent);
    // An earlier cell deleted the object, so there is nothing to preview.
    if (got === 'no_such_object' && want === 'preview') return false;
    tally.cells++;
    if (want !== 'sent') {
      tally.mustRefuse++;
      tally.upstreamCalls += entries.filter(({ capability }) => capability !== 'read' && capability !== 'poll').length;
    }
    if (got === want) return true;
    tally.deviations++;
    if (tally.examples.length < EXAMPLES)
      tally.examples.push({
        tool: subject.name,
        setting: nameOf(this.#setting),
        layer: 'dispatch',
        dispatcher,
        state: state.name,
        expected: want,
        got: `${got}: ${(answer.texts[0] ?? '').slice(0, 200)}`,
      });
    return true;
  }

  /** The arguments of the state, with a real token where one can be had; undefined where this tool has no such state. */
  async #prepare(
    subject: SubjectTool,
    state: State,
    own: ModernClient,
    other: ModernClient,
  ): Promise<{ args: Arguments } | undefined> {
    const { args } = subject;
    const gated = subject.capability === 'write' || subject.capability === 'destructive';
    if (state.token === 'none' || !gated) return { args: { ...args, ...state.controls } };
    const previewed = this.#previewedFor(subject, state);
    if (previewed === undefined) return undefined;
    const from = state.name === 'token of another principal' ? other : own;
    const preview = state.token === 'invented' ? undefined : await previewOf(from, previewed);
    if (preview === 'no such object') return undefined;
    const could = { ...cellOf(this.#setting, subject, { layer: 'dispatch' }), dispatcher: 'invoke_tool' as const };
    if (preview === undefined && state.token !== 'invented' && expected({ ...could, state: 'dry run' }) === 'preview')
      throw new Error(`${previewed.name} should be previewed, or ${state.name} proves nothing`);
    const named = preview === undefined ? {} : { confirm_object: preview.object };
    const apply = { ...args, ...state.controls, plan_token: preview?.plan_token ?? INVENTED };
    if (state.token === 'used') await callThrough(own, 'invoke_tool', subject, { ...apply, ...named }, 'accept');
    return { args: { ...apply, ...(state.named ? named : {}) } };
  }

  /** The call whose dry run gives the token. */
  #previewedFor(subject: SubjectTool, { name }: State): Pick<SubjectTool, 'name' | 'args'> | undefined {
    if (name === 'token of another tool')
      // Of the same platform, or another gate would decide about its dry run.
      return this.#options.tools.find(
        (tool) =>
          tool.name !== subject.name && tool.platform === subject.platform && tool.capability === subject.capability,
      );
    if (name !== 'token of other arguments') return subject;
    const args = this.#fewerArguments(subject);
    return args && { name: subject.name, args };
  }

  /** The same call without one thing that may be left out. */
  #fewerArguments({ name, args }: SubjectTool): Arguments | undefined {
    const schema = this.#options.catalog.schema(name) as {
      required?: string[];
      $defs?: Record<string, { required?: string[] }>;
    };
    const optional = Object.keys(args).find((key) => key !== 'body' && !schema.required?.includes(key));
    if (optional === undefined) return undefined;
    const { [optional]: _, ...others } = args;
    return others;
  }

  /** New ledger entries since the last call, without logins. */
  async #entries(): Promise<Entry[]> {
    const { control, namespace } = this.#options;
    const answer = (await (await fetch(`${control}/namespaces/${namespace}/ledger?after=${this.#seen}`)).json()) as {
      entries: Entry[];
    };
    this.#seen = answer.entries.at(-1)?.seq ?? this.#seen;
    return answer.entries.filter(({ capability }) => capability !== 'auth');
  }
}

async function previewOf(client: ModernClient, { name, args }: Pick<SubjectTool, 'name' | 'args'>) {
  const { texts } = await client.call('invoke_tool', { name, arguments: args });
  const value = JSON.parse(texts[0] ?? 'null') as { plan_token?: string; object?: string; code?: string } | null;
  if (value?.code === 'no_such_object') return 'no such object' as const;
  return value?.plan_token === undefined ? undefined : (value as { plan_token: string; object: string });
}

const actionOf = ({ answer }: State): Action | null =>
  answer === 'nobody' ? null : answer === 'yes' ? 'accept' : answer === 'declined' ? 'decline' : 'cancel';

function callThrough(
  client: ModernClient,
  dispatcher: (typeof DISPATCHERS)[number],
  { name }: Pick<SubjectTool, 'name'>,
  args: Arguments,
  action: Action | null,
): Promise<CallAnswer> {
  const inner = { name, arguments: args };
  if (dispatcher === 'invoke_read_tool' || dispatcher === 'invoke_tool') return client.call(dispatcher, inner, action);
  const outer = dispatcher === 'invoke_tools_batch' ? 'invoke_tool' : 'invoke_read_tool';
  return client.call(outer, { name: dispatcher, arguments: { calls: [inner] } }, action);
}

/** Codes of a refusal that the platform made: the request was sent. */
const FROM_UPSTREAM = ['not_found', 'upstream_rejected', 'upstream_error', 'forbidden', 'timeout', 'outcome_unknown'];

function verdictOf({ texts }: CallAnswer, dispatcher: Cell['dispatcher'], sent: boolean): string {
  const outer = JSON.parse(texts[0] ?? 'null') as Record<string, unknown> | null;
  const batch = dispatcher.endsWith('_batch')
    ? (outer?.['results'] as Record<string, unknown>[] | undefined)?.[0]
    : undefined;
  const value = (batch ? (batch['refusal'] ?? batch['result']) : outer) as {
    code?: unknown;
    ok?: unknown;
    status?: unknown;
  } | null;
  if (value?.ok === false && typeof value.code === 'string' && !FROM_UPSTREAM.includes(value.code))
    return sent ? `${value.code}, yet sent` : value.code;
  if (value?.status === 'dry_run') return sent ? 'preview, yet sent' : 'preview';
  return sent ? 'sent' : 'done, yet not sent';
}
