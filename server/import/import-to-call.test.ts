/**
 * A public document of 1,223 operations that nobody here wrote goes the whole road: added, found, looked up, read, previewed,
 * confirmed, written, and seen in the ledger of the fake that serves it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicDocument } from '#bench/packages';
import { startFakeApi } from '#fake-api';
import type { Call, Result } from '../dispatch/dispatch-call.ts';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import { openCatalog } from '../open-catalog.ts';
import { openRouter, type Router } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { importDocument } from './import-document.ts';
import { definePlatform, writeUserPlatform } from './user-platform.ts';

const FILE = publicDocument();
const OPEN = { SVC_MCP_GITHUB_WRITES: '1' };

let fake: Awaited<ReturnType<typeof startFakeApi>>;
let installation: SampleInstallation;
let router: Router;
beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'], foreign: [{ file: FILE, name: 'github' }] });
  installation = sampleInstallation();
  const taken = await importDocument(FILE);
  const platform = definePlatform({ name: 'github', baseUrl: fake.platforms['github'] ?? '', auth: 'none' }, taken);
  writeUserPlatform(installation.config().configDir, platform, taken);
  router = await openRouter(installation.config(OPEN), createLogger('silent'));
});
afterAll(async () => {
  router?.close();
  await fake?.close();
  installation?.[Symbol.dispose]();
});

interface Entry {
  method: string;
  path: string;
  operationId: string | null;
  capability: string;
  status: number;
}

async function ledger(): Promise<Entry[]> {
  const response = await fetch(`${fake.control}/namespaces/default/ledger`);
  return ((await response.json()) as { entries: Entry[] }).entries;
}

const asked: string[] = [];
async function invoke(name: string, args: Record<string, unknown>, dispatcher: Call['dispatcher'] = 'invoke_tool') {
  const somebody = approver();
  const result: Result = await dispatch().invoke({
    dispatcher,
    name,
    arguments: args,
    principal: 'local',
    approver: somebody,
  });
  asked.push(...somebody.asked);
  if (result.kind === 'ask') throw new Error('the person was already asked');
  return (result.kind === 'done' ? result.result : result.refusal) as Record<string, unknown>;
}

let opened: ReturnType<typeof openDispatch>['dispatch'] | undefined;
function dispatch() {
  const config = installation.config(OPEN);
  opened ??= openDispatch(config, router.catalog, createLogger('silent')).dispatch;
  return opened;
}

test.each([
  ['list the labels of a repository', 'github_issues_list_labels_for_repo'],
  ['create a label', 'github_issues_create_label'],
  ['issues/create-label', 'github_issues_create_label'],
  ['DELETE /repos/{owner}/{repo}/labels/{name}', 'github_issues_delete_label'],
])('%j finds %s', (query, name) => {
  expect(router.finder.find({ query, topK: 5 }).hits.map(({ tool }) => tool.name)).toContain(name);
});

describe('one label, from nothing to nothing', () => {
  const repository: Record<string, unknown> = {};
  const label = { name: 'router-made', color: 'ff8800', description: 'made by a test' };

  test('a list answers, and names the repository to work in', async () => {
    const answer = await invoke('github_repos_list_for_authenticated_user', { per_page: 2 }, 'invoke_read_tool');
    const [first] = answer['items'] as { name: string; owner: { login: string } }[];
    Object.assign(repository, { owner: first?.owner.login, repo: first?.name });
    expect(repository).toEqual({ owner: expect.any(String), repo: expect.any(String) });
  });

  test('a preview shows the exact request and sends nothing but reads', async () => {
    const before = await ledger();
    const preview = await invoke('github_issues_create_label', { ...repository, body: label });
    expect(preview).toMatchObject({
      status: 'dry_run',
      request: { method: 'POST', path: `/repos/${repository['owner']}/${repository['repo']}/labels`, body: label },
    });
    const since = (await ledger()).slice(before.length);
    expect(since.filter(({ capability }) => capability !== 'read')).toEqual([]);
  });

  const apply = async (name: string, args: Record<string, unknown>) => {
    const { plan_token } = await invoke(name, args);
    return invoke(name, { ...args, dry_run: false, confirm: true, plan_token });
  };

  test('confirmed, it is written once, and a read shows it', async () => {
    const before = await ledger();
    expect(await apply('github_issues_create_label', { ...repository, body: label })).toMatchObject({
      object: { name: 'router-made' },
    });
    expect(asked.at(-1)).toMatch(
      /object: POST \/repos\/.+\/labels\noperation: POST \/repos\/\{owner\}\/\{repo\}\/labels$/,
    );
    const since = (await ledger()).slice(before.length);
    expect(since.filter(({ method }) => method !== 'GET')).toEqual([
      expect.objectContaining({ method: 'POST', operationId: 'issues/create-label', capability: 'write', status: 201 }),
    ]);
    const read = { ...repository, name: 'router-made' };
    expect(await invoke('github_issues_get_label', read, 'invoke_read_tool')).toMatchObject({ color: 'ff8800' });
  });

  test('a deleted object is gone', async () => {
    const named = { ...repository, name: 'router-made' };
    await apply('github_issues_delete_label', named);
    const gone = await invoke('github_issues_get_label', named, 'invoke_read_tool');
    expect(gone).toMatchObject({ ok: false, status: 404, code: 'not_found' });
    const last = (await ledger()).filter(({ method }) => method === 'DELETE').at(-1);
    expect(last).toMatchObject({ operationId: 'issues/delete-label', capability: 'destructive', status: 204 });
  });

  test('wrong arguments are refused before anything is sent', async () => {
    const before = (await ledger()).length;
    const wrong = await invoke('github_issues_create_label', { ...repository, body: { color: 7 } });
    expect(wrong).toMatchObject({ code: 'invalid_arguments', pointer: expect.stringMatching(/^\/body/) });
    expect(await ledger()).toHaveLength(before);
  });
});

test('a read that is answered by a redirect says where the file is, and does not go there', async () => {
  const before = await ledger();
  const [{ name: repo, owner } = { name: '', owner: { login: '' } }] = (
    await invoke('github_repos_list_for_authenticated_user', { per_page: 1 }, 'invoke_read_tool')
  )['items'] as { name: string; owner: { login: string } }[];
  const named = { owner: owner.login, repo, ref: 'main' };
  const answer = await invoke('github_repos_download_zipball_archive', named, 'invoke_read_tool');
  expect(answer).toEqual({ location: expect.stringMatching(/^https?:\/\//) });
  expect((await ledger()).slice(before.length).map(({ status }) => status)).toEqual([200, 302]);
});

test('with its gate closed, which it is by default, not even a preview is made', async () => {
  const config = installation.config();
  const { catalog } = openCatalog(config);
  expect(catalog.summary.platforms['github']).toBe(1222);
  const { dispatch: closed } = openDispatch(config, catalog, createLogger('silent'));
  const before = (await ledger()).length;
  const result = await closed.invoke({
    dispatcher: 'invoke_tool',
    name: 'github_issues_delete_label',
    arguments: { owner: 'a', repo: 'b', name: 'c' },
    principal: 'local',
    approver: approver(),
  });
  expect(result).toMatchObject({
    kind: 'refused',
    refusal: { code: 'blocked', gate: { env_var: 'SVC_MCP_GITHUB_WRITES', source: 'platform_default' } },
  });
  expect(await ledger()).toHaveLength(before);
  catalog.close();
});
