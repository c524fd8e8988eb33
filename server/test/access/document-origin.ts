/**
 * The dimension "document origin" for a user's documents: the corpus of misleading documents is added, each as a platform, and
 * every one of its operations is called every way under every setting whose gates are shut. A recording server judges by the
 * labels made by hand: what arrives and is not labelled as reading is a deviation.
 */
import { join } from 'node:path';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import { RouterError } from '../../errors.ts';
import { importDocument } from '../../import/import-document.ts';
import { checkPlatformName } from '../../import/platform-name.ts';
import { definePlatform, writeUserPlatform } from '../../import/user-platform.ts';
import { takenNames, trialBuild } from '../../open-catalog.ts';
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { modernClient } from '../support/modern-client.ts';
import { type SampleInstallation, sampleInstallation } from '../support/sample-installation.ts';
import { type Arguments, byName, quietly, type TriedCall, triedCalls } from './document-calls.ts';
import { type MisleadingDocument, misleadingDocuments, writeDocument } from './misleading-document.ts';
import { asksForAnother, isLabelled, type RawRequest, type Recorder, startRecorder } from './request-recorder.ts';
import { callSettings, nameOf, type Setting, settings, variablesOf } from './table-settings.ts';

export interface OriginTally {
  documents: number;
  /** Operations labelled by hand, and those of them that change something. */
  operations: number;
  changing: number;
  tools: number;
  settings: number;
  cells: number;
  /** Requests that are not labelled as reads, or reached a server that no operator named; and names that were not refused. */
  deviations: number;
  /** Documents that have reads, and those of them of which none arrived: without them nothing would be proven. */
  readable: number;
  unread: string[];
  /** Operations labelled as changing that arrive once the gates are open: those that nothing but the gate stops. */
  changingWhenOpen: number;
  examples: string[];
}

const EXAMPLES = 20;
const OPEN: Setting = {
  profile: 'custom',
  readonly: false,
  productAccess: 'read-only',
  gate: '1',
  confirmation: 'elicit',
};

/** "blocks every write", the kill switch, "per-platform gates honored", and off unless it is set (specification 1.2). */
const isShut = ({ profile, readonly, gate }: Setting) =>
  readonly || profile === 'safe-read-only' || (profile === 'custom' && gate !== '1');

export interface OriginOptions {
  /** The settings under which whole calls are made, not every combination of switches. */
  brief: boolean;
  /** So many of them at most. */
  most?: number;
}

export async function overDocuments({ brief, most = Number.POSITIVE_INFINITY }: OriginOptions): Promise<OriginTally> {
  using installation = sampleInstallation();
  const [server, stranger] = await Promise.all([startRecorder(), startRecorder()]);
  try {
    const run = new Run(installation, server, stranger, misleadingDocuments());
    await run.addAll();
    const shut = (brief ? callSettings() : settings()).filter(isShut).slice(0, most);
    for (const setting of shut) {
      await run.throughThree(setting);
      await run.throughDefault(setting);
      await run.direct(setting);
    }
    run.tally.settings = shut.length;
    await run.opened();
    return run.result();
  } finally {
    await Promise.all([server.close(), stranger.close()]);
  }
}

class Run {
  readonly tally: OriginTally;
  readonly #installation: SampleInstallation;
  readonly #server: Recorder;
  readonly #stranger: Recorder;
  readonly #documents: readonly MisleadingDocument[];
  readonly #readSeen = new Set<string>();
  readonly #changeSeen = new Set<string>();

  constructor(
    installation: SampleInstallation,
    server: Recorder,
    stranger: Recorder,
    documents: readonly MisleadingDocument[],
  ) {
    this.#installation = installation;
    this.#server = server;
    this.#stranger = stranger;
    this.#documents = documents;
    const labels = documents.flatMap(({ reads, changes }) => [...reads, ...changes]);
    this.tally = {
      documents: documents.length,
      operations: labels.length,
      changing: documents.flatMap(({ changes }) => changes).length,
      tools: 0,
      settings: 0,
      cells: 0,
      deviations: 0,
      readable: documents.filter(({ reads }) => reads.length > 0).length,
      unread: [],
      changingWhenOpen: 0,
      examples: [],
    };
  }

  result(): OriginTally {
    const unread = this.#documents.filter(({ id, reads }) => reads.length > 0 && !this.#readSeen.has(id));
    return { ...this.tally, unread: unread.map(({ id }) => id), changingWhenOpen: this.#changeSeen.size };
  }

  /** As `add` does; a document that is refused makes no tools, and what it is refused for is not asked here. */
  async addAll(): Promise<void> {
    const config = this.#installation.config();
    const taken = takenNames(config);
    for (const entry of this.#documents) {
      const { id } = entry;
      const addresses = { base: `${this.#server.origin}/${id}`, stranger: this.#stranger.origin };
      if (entry.by_hand) this.#mustBeRefused(id, () => checkPlatformName(id, taken));
      else checkPlatformName(id, taken);
      const path = writeDocument(join(this.#installation.root, 'documents', id), entry, addresses);
      try {
        const documents = await importDocument(path);
        const platform = definePlatform({ name: id }, documents);
        trialBuild(
          platform,
          documents.documents.map((document) => ({ ...document, file: document.id })),
        );
        writeUserPlatform(config.configDir, platform, documents);
      } catch (error) {
        if (!(error instanceof RouterError)) throw error;
        if (!entry.unreachable) throw new Error(`${id} should be taken in: ${error.message}`, { cause: error });
      }
    }
  }

  #mustBeRefused(name: string, check: () => void): void {
    this.tally.cells++;
    try {
      check();
    } catch (error) {
      if (error instanceof RouterError && error.code === 'NAME_RESERVED') return;
      throw error;
    }
    this.#deviate(`a platform may be called ${name}`);
  }

  /** Through the three tools, in a batch and alone. */
  async throughThree(setting: Setting): Promise<void> {
    using router = await this.#router(setting, 'minimal');
    const run = byName(router.tools);
    for (const { tool, args } of this.#calls(router.catalog)) {
      const inner = { name: tool.name, arguments: args };
      const calls = { calls: [inner] };
      for (const [way, name, outer] of [
        ['invoke_read_tool', 'invoke_read_tool', inner],
        ['invoke_tool', 'invoke_tool', inner],
        ['invoke_read_tool_batch', 'invoke_read_tool', { name: 'invoke_read_tool_batch', arguments: calls }],
        ['invoke_tools_batch', 'invoke_tool', { name: 'invoke_tools_batch', arguments: calls }],
      ] as const)
        await this.#cell(`${nameOf(setting)}: ${tool.name} by ${way}`, () => run(name, outer));
    }
  }

  /** The batches as tools of their own, and every name that is listed. */
  async throughDefault(setting: Setting): Promise<void> {
    using router = await this.#router(setting, 'default');
    const run = byName(router.tools);
    const listed = router.tools.map(({ definition }) => definition.name);
    await this.#publicNames(setting, listed, run);
    // Where everything is silenced, the batch of anything is not even listed.
    const batches = ['invoke_read_tool_batch', 'invoke_tools_batch'].filter((name) => listed.includes(name));
    for (const { tool, args } of this.#calls(router.catalog))
      for (const name of batches)
        await this.#cell(`${nameOf(setting)}: ${tool.name} by ${name} in default mode`, () =>
          run(name, { calls: [{ name: tool.name, arguments: args }] }),
        );
  }

  /** Each tool under its own name, listed or not, over HTTP. */
  async direct(setting: Setting): Promise<void> {
    using router = await this.#router(setting, 'direct', { MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' });
    const { url, close } = await router.serveHttp();
    try {
      const client = modernClient(url);
      const call = (name: string, args: Arguments) => quietly(client, name, args);
      await this.#publicNames(
        setting,
        (await client.list()).map(({ name }) => String(name)),
        call,
      );
      for (const { tool, args } of this.#calls(router.catalog))
        await this.#cell(`${nameOf(setting)}: ${tool.name} in direct mode`, () => call(tool.name, args));
    } finally {
      await close();
    }
  }

  /** No name twice, and none of ours leads to a platform of somebody's. */
  async #publicNames(
    setting: Setting,
    names: readonly string[],
    run: (name: string, args: Arguments) => Promise<unknown>,
  ): Promise<void> {
    if (new Set(names).size !== names.length) this.#deviate(`${nameOf(setting)}: a name is listed twice`);
    const { tools } = takenNames(this.#installation.config());
    for (const name of names.filter((listed) => tools.includes(listed))) {
      this.tally.cells++;
      await run(name, { query: 'things', name: 'mgmt_list_auth_servers' });
      for (const request of this.#server.take()) this.#deviate(`${name} reached ${request.method} ${request.url}`);
    }
  }

  /** With the gates open and a yes to each: shows that the labels are about what arrives, and what the gate alone stops. */
  async opened(): Promise<void> {
    using router = await this.#router(OPEN, 'minimal');
    const run = byName(router.tools);
    for (const { tool, args } of this.#calls(router.catalog).filter(({ applied }) => !applied)) {
      const previewed = (await run('invoke_tool', { name: tool.name, arguments: args })) as { texts?: string[] };
      const { plan_token } = (JSON.parse(previewed.texts?.[0] ?? 'null') ?? {}) as { plan_token?: string };
      const applied = { ...args, dry_run: false, confirm: true, plan_token };
      if (plan_token !== undefined) await run('invoke_tool', { name: tool.name, arguments: applied });
      const entry = this.#documents.find(({ id }) => id === tool.platform);
      for (const request of this.#server.take())
        for (const label of entry?.changes ?? [])
          if (isLabelled(request, `/${entry?.id}`, label)) this.#changeSeen.add(`${entry?.id} ${label}`);
    }
    this.#stranger.take();
  }

  #calls(catalog: Catalog): TriedCall[] {
    const calls = triedCalls(catalog, this.#documents);
    this.tally.tools = new Set(calls.map(({ tool }) => tool.name)).size;
    return calls;
  }

  #router(setting: Setting, mode: string, more: Record<string, string> = {}) {
    const gates =
      setting.gate === undefined ? [] : this.#documents.map(({ id }) => [gateOf(id), setting.gate as string]);
    const accounts = this.#documents.flatMap(({ id, account = {} }) =>
      Object.entries(account).map(([field, value]) => [
        `SVC_${id.toUpperCase()}_${field.toUpperCase()}`,
        value.replaceAll('{base}', `${this.#server.origin}/${id}`),
      ]),
    );
    const config = this.#installation.config({
      SVC_MCP_ROUTER_MODE: mode,
      SVC_MCP_AUDIT_LOG: '0',
      ...variablesOf(setting),
      ...Object.fromEntries([...gates, ...accounts]),
      ...more,
    });
    return openRouter(config, createLogger('silent'));
  }

  async #cell(what: string, call: () => Promise<unknown>): Promise<void> {
    this.tally.cells++;
    await call();
    for (const request of this.#server.take()) this.#judge(what, request);
    for (const { method, url } of this.#stranger.take())
      this.#deviate(`${what}: ${method} ${url} reached the stranger`);
  }

  #judge(what: string, request: RawRequest): void {
    const entry = this.#documents.find(({ id }) => request.url.startsWith(`/${id}/`));
    const reads =
      entry !== undefined &&
      !asksForAnother(request) &&
      entry.reads.some((label) => isLabelled(request, `/${entry.id}`, label)) &&
      !entry.changes.some((label) => isLabelled(request, `/${entry.id}`, label));
    if (reads) this.#readSeen.add(entry.id);
    else this.#deviate(`${what}: ${request.method} ${request.url} arrived`);
  }

  #deviate(example: string): void {
    this.tally.deviations++;
    if (this.tally.examples.length < EXAMPLES) this.tally.examples.push(example);
  }
}

const gateOf = (id: string) => `SVC_MCP_${id.toUpperCase()}_WRITES`;
