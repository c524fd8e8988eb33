/**
 * One document of somebody else, tried in full: added to a router that talks to the fake over a contract-checking proxy, every read,
 * every write confirmed, broken arguments, and a create that is read back. Arguments are drawn from the schemas of the tools.
 */
import { readFileSync } from 'node:fs';
import { type FakeApi, startFakeApi } from '#fake-api';
import { startContractProxy, UNJUDGED, type Violation } from '#fake-api/contract-proxy';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import type { Result } from '../../dispatch/dispatch-call.ts';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { importDocument } from '../../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../../import/user-platform.ts';
import { openRouter } from '../../router.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { approver } from './approvers.ts';
import { UPLOADED } from './drawn-argument.ts';
import { credentialsOf } from './foreign-play.ts';
import { oddFolder } from './malformed-documents.ts';
import { sampleInstallation } from './sample-installation.ts';
import { playAll, type Received, type Testbed, type TrialCounts } from './trial-calls.ts';

export interface Trial extends TrialCounts {
  problems: string[];
}

interface LedgerAnswer {
  entries: Received[];
}

const NAME = 'tried';

export async function tryDocument(file: string): Promise<Trial> {
  const fake = await startFakeApi({ documents: new Map(), foreign: [{ file, name: NAME }] });
  using installation = sampleInstallation();
  using uploads = oddFolder();
  uploads.write(UPLOADED, 'a,b\n1,2\n');
  try {
    const { platform: served, refusal } = fake.foreign[0] as FakeApi['foreign'][number];
    if (served === null) throw refusal;
    await using proxy = await startContractProxy(fake.platforms[NAME] ?? '', [JSON.parse(readFileSync(file, 'utf8'))]);
    const taken = await importDocument(file);
    const stated = definePlatform({ name: NAME, baseUrl: proxy.url }, taken);
    const platform = definePlatform({ name: NAME, baseUrl: proxy.url, ...tokenUrlOf(stated) }, taken);
    writeUserPlatform(installation.config().configDir, platform, taken);
    const config = installation.config({
      ...credentialsOf(platform),
      [platform.gate?.variable ?? '']: '1',
      SVC_MCP_RATE_PER_SECOND: '0',
      SVC_MCP_UPLOAD_DIR: uploads.path,
    });
    const router = await openRouter(config, createLogger('silent'));
    try {
      const { dispatch } = openDispatch(config, router.catalog, createLogger('silent'));
      const tools = router.catalog
        .names()
        .flatMap((name) => router.catalog.tool(name) ?? [])
        .filter(({ platform: id, local }) => id === NAME && local !== true);
      const counts: TrialCounts = {
        operations: served.operations.length, tools: tools.length, reads: 0, answered: 0, valid: 0, undeclared: 0, broken: 0, refused: 0,
        writes: 0, single: 0, unsent: 0, creates: 0, shown: 0, met: 1,
      }; // biome-ignore format: counts side by side
      const testbed: Testbed = {
        tools,
        counts,
        problems: [],
        seen: new Map(),
        schemaOf: (name) => router.catalog.schema(name) as JsonSchema,
        invoke: async (tool, args) =>
          outcomeOf(
            await dispatch.invoke({
              dispatcher: tool.capability === 'read' ? 'invoke_read_tool' : 'invoke_tool',
              name: tool.name,
              arguments: args,
              principal: 'local',
              approver: approver(),
            }),
          ),
        received: ledgerReader(fake.control),
        objections: objectionReader(proxy.violations),
      };
      await playAll(testbed);
      return { ...counts, problems: testbed.problems };
    } finally {
      router.close();
    }
  } finally {
    await fake.close();
  }
}

/** The fake has the token endpoint of any host at the path that the document states. */
function tokenUrlOf({ auth }: PlatformDefinition): { tokenUrl?: string } {
  const ways = [auth, ...(auth.schemes ?? []).flatMap((scheme) => scheme.ways)];
  const stated = ways.flatMap(({ stated_token_url: url }) => url ?? [])[0];
  return stated === undefined ? {} : { tokenUrl: new URL(stated).pathname };
}

function ledgerReader(control: string): Testbed['received'] {
  let last = 0;
  return async () => {
    const answer = await fetch(`${control}/namespaces/default/ledger?after=${last}`);
    const { entries } = (await answer.json()) as LedgerAnswer;
    last = entries.at(-1)?.seq ?? last;
    return entries;
  };
}

/** What the validator could not judge is no objection. */
function objectionReader(violations: readonly Violation[]): Testbed['objections'] {
  let judged = 0;
  return () => {
    const fresh = violations.slice(judged);
    judged = violations.length;
    return fresh
      .filter(({ operation, side }) => operation !== null && side === 'response')
      .filter(({ problem }) => !problem.includes(UNJUDGED))
      .map(({ call, problem }) => `${call}: ${problem}`);
  };
}

function outcomeOf(result: Result): unknown {
  if (result.kind === 'done') return result.result;
  return { refused: result.kind === 'refused' ? result.refusal : 'asked' };
}
