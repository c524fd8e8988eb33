/** One document of somebody else, played through the router against the fake that serves it: reads, and a create that is read back. */
import { type FakeApi, startFakeApi } from '#fake-api';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import type { Result } from '../../dispatch/dispatch-call.ts';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { importDocument } from '../../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../../import/user-platform.ts';
import { openRouter, type Router } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { approver } from './approvers.ts';
import { fitting } from './fitting-argument.ts';
import { sampleInstallation } from './sample-installation.ts';

export interface PlayedDocument {
  operations: number;
  tools: number;
  reads: number;
  /** Reads that the router answered without an error. */
  answered: number;
  creates: number;
  /** Creates whose thing a list or a read showed afterwards. */
  shown: number;
  /** The document asks for credentials, and the fake let the router in. */
  met: boolean;
  problems: string[];
}

const NAME = 'played';
type Play = Omit<PlayedDocument, 'operations' | 'tools' | 'met'>;

/** `bodies` has the body of a create by its path template; without one, an empty object is sent. */
export async function playDocument(file: string, bodies: ReadonlyMap<string, unknown>): Promise<PlayedDocument> {
  const fake = await startFakeApi({ documents: new Map(), foreign: [{ file, name: NAME }] });
  using installation = sampleInstallation();
  try {
    const { platform: served, refusal } = fake.foreign[0] as FakeApi['foreign'][number];
    if (served === null) throw refusal;
    const taken = await importDocument(file);
    const platform = definePlatform({ name: NAME, baseUrl: fake.platforms[NAME] ?? '' }, taken);
    writeUserPlatform(installation.config().configDir, platform, taken);
    const env = credentialsOf(platform);
    const config = installation.config({ ...env, [platform.gate?.variable ?? '']: '1' });
    const router = await openRouter(config, createLogger('silent'));
    try {
      const { dispatch } = openDispatch(config, router.catalog, createLogger('silent'));
      const invoke: Invoke = async (name, args, dispatcher) => {
        const result: Result = await dispatch.invoke({
          dispatcher,
          name,
          arguments: args,
          principal: 'local',
          approver: approver(),
        });
        return result.kind === 'done'
          ? result.result
          : result.kind === 'refused'
            ? { refused: result.refusal }
            : { refused: 'asked' };
      };
      const tools = toolsOf(router);
      const schemaOf = (name: string) => router.catalog.schema(name) as ArgumentSchema;
      const play = await played({ tools, schemaOf }, invoke, bodies);
      return { operations: served.operations.length, tools: tools.length, ...play, met: await isMet(fake) };
    } finally {
      router.close();
    }
  } finally {
    await fake.close();
  }
}

/** A value for every variable that an account of the platform can have, of single and of declared schemes. */
export function credentialsOf({ auth }: PlatformDefinition): Record<string, string> {
  const ways = [
    auth.variables,
    ...(auth.schemes ?? []).flatMap(({ ways: own }) => own.map(({ variables }) => variables)),
  ];
  const secrets = ways
    .flatMap((variables) => Object.entries(variables ?? {}))
    .filter(([field]) => field !== 'base_url');
  return Object.fromEntries(secrets.map(([field, variable]) => [variable, `played-${field}`]));
}

type Invoke = (
  name: string,
  args: Record<string, unknown>,
  dispatcher: 'invoke_read_tool' | 'invoke_tool',
) => Promise<unknown>;

function toolsOf({ catalog }: Router): Tool[] {
  return catalog
    .names()
    .flatMap((name) => catalog.tool(name) ?? [])
    .filter(({ platform, local }) => platform === NAME && local !== true);
}

async function isMet(fake: FakeApi): Promise<boolean> {
  const answer = await fetch(`${fake.control}/namespaces/default/ledger`);
  const { entries } = (await answer.json()) as { entries: { status: number }[] };
  return entries.length > 0 && entries.every(({ status }) => status !== 401 && status !== 403);
}

interface ArgumentSchema {
  properties?: Record<string, JsonSchema>;
  $defs?: object;
}

interface Surface {
  tools: readonly Tool[];
  schemaOf: (name: string) => ArgumentSchema;
}

async function played(surface: Surface, invoke: Invoke, bodies: ReadonlyMap<string, unknown>): Promise<Play> {
  const { tools } = surface;
  const play: Play = { reads: 0, answered: 0, creates: 0, shown: 0, problems: [] };
  const keys = await playReads(surface, invoke, play);
  for (const tool of tools.filter((each) => each.method === 'POST' && bodies.has(each.path)))
    await playCreate(tools, invoke, tool, { body: bodies.get(tool.path), keys }, play);
  return play;
}

/** Lists first: they name the things that the other reads ask for. */
async function playReads({ tools, schemaOf }: Surface, invoke: Invoke, play: Play): Promise<Record<string, unknown>> {
  const keys: Record<string, unknown> = {};
  const reads = tools.filter(({ method, capability }) => method === 'GET' && capability === 'read');
  for (const tool of reads.toSorted((left, right) => left.path.split('{').length - right.path.split('{').length)) {
    const needed = tool.parameters.filter(({ required }) => required);
    const { properties = {}, $defs = {} } = schemaOf(tool.name);
    const args = Object.fromEntries(
      needed.map(({ argument, name }) => [argument, fitting(properties[argument], keys[name], $defs)]),
    );
    play.reads += 1;
    const answer = await invoke(tool.name, args, 'invoke_read_tool');
    if (isRefused(answer)) play.problems.push(`${tool.method} ${tool.path}: ${JSON.stringify(answer).slice(0, 300)}`);
    else play.answered += 1;
    const found = valuesNamed(answer, ['id', 'name']);
    for (const item of reads.filter(({ path }) => path.startsWith(tool.path) && path.includes('{')))
      for (const { name } of item.parameters.filter((each) => each.in === 'path')) keys[name] ??= found[0];
  }
  return keys;
}

async function playCreate(
  tools: readonly Tool[],
  invoke: Invoke,
  tool: Tool,
  { body, keys }: { body: unknown; keys: Record<string, unknown> },
  play: Play,
): Promise<void> {
  play.creates += 1;
  const place = Object.fromEntries(
    tool.parameters.filter(({ required }) => required).map(({ argument, name }) => [argument, keys[name]]),
  );
  const args = { ...place, body };
  const preview = (await invoke(tool.name, args, 'invoke_tool')) as { plan_token?: string };
  const more = { dry_run: false, confirm: true, plan_token: preview.plan_token };
  const made = await invoke(tool.name, { ...args, ...more }, 'invoke_tool');
  const list = tools.find(({ method, path }) => method === 'GET' && path === tool.path);
  const shown = list === undefined ? made : await invoke(list.name, place, 'invoke_read_tool');
  const marks = marksIn(body);
  const isShown = !isRefused(made) && marks.every((mark) => JSON.stringify(shown).includes(mark));
  if (isShown) play.shown += 1;
  else
    play.problems.push(
      `${tool.method} ${tool.path}: ${JSON.stringify(preview).slice(0, 200)} ${JSON.stringify(made).slice(0, 200)} ${JSON.stringify(shown).slice(0, 200)}`,
    );
}

function isRefused(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

/** Values under these names, those nearest to the top first. */
export function valuesNamed(value: unknown, names: readonly string[]): unknown[] {
  const found: unknown[] = [];
  for (let level = [value]; level.length > 0; ) {
    const entries = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.entries(each) : []));
    const stated = entries.filter(([name]) => name !== 'next_step');
    found.push(
      ...stated.flatMap(([name, entry]) => (names.includes(name) && typeof entry !== 'object' ? [entry] : [])),
    );
    level = stated.map(([, entry]) => entry).filter((entry) => typeof entry === 'object' && entry !== null);
  }
  return found;
}

/** Texts of a body that tell it from others. */
function marksIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('mark-') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(marksIn) : [];
}
