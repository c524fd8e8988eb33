/** The contract of every local tool, and lookup_api on its way through find and dispatch. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { decideFor } from '../../access/access-policy.ts';
import type { Call } from '../../dispatch/dispatch-call.ts';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { openCatalog } from '../../open-catalog.ts';
import { openFinder } from '../../search/open-finder.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { nobody } from '../../test/support/approvers.ts';
import { sampleInstallation } from '../../test/support/sample-installation.ts';
import { declarationFiles } from './declaration-files.ts';
import { LOCAL_TOOLS, localToCatalog, openLocalTools } from './registry.ts';

test('the folder holds exactly these tools, each in the file of its name', () => {
  expect(LOCAL_TOOLS.map(({ name, backend, toolset, capability }) => [name, backend, toolset, capability])).toEqual([
    ['ask_docs', 'rag-core', 'rag', 'read'],
    ['check_credentials', 'workspace-core', 'workspace-core', 'read'],
    ['collect_stream_events', 'mgmt-streaming', 'mgmt', 'read'],
    ['corpus_provenance', 'rag-core', 'rag', 'read'],
    ['design_export_drawio', 'design', 'design', 'read'],
    ['design_export_flow', 'design', 'design', 'read'],
    ['design_export_graphviz', 'design', 'design', 'read'],
    ['design_export_topology_page', 'design', 'design', 'read'],
    ['design_list_icons', 'design', 'design', 'read'],
    ['design_list_roles', 'design', 'design', 'read'],
    ['design_resolve_icon', 'design', 'design', 'read'],
    ['design_validate_model', 'design', 'design', 'read'],
    ['hardware_compare_models', 'catalog', 'catalog', 'read'],
    ['hardware_search_models', 'catalog', 'catalog', 'read'],
    ['interop_normalise_trend', 'interop', 'interop', 'read'],
    ['interop_translate_site_to_cloudwlan', 'interop', 'interop', 'read'],
    ['interop_translate_site_to_mgmt', 'interop', 'interop', 'read'],
    ['interop_translate_wlan_to_cloudwlan', 'interop', 'interop', 'read'],
    ['interop_translate_wlan_to_mgmt', 'interop', 'interop', 'read'],
    ['invoke_read_tool_batch', 'router', 'router', 'read'],
    ['invoke_tools_batch', 'router', 'router', 'destructive'],
    ['legacy_apply_migration_run', 'migration', 'migration', 'write'],
    ['legacy_create_migration_run', 'migration', 'migration', 'write'],
    ['legacy_execute_migration_rollback', 'migration', 'migration', 'destructive'],
    ['legacy_get_migration_run', 'migration', 'migration', 'read'],
    ['legacy_list_migration_runs', 'migration', 'migration', 'read'],
    ['legacy_plan_migration_rollback', 'migration', 'migration', 'read'],
    ['legacy_preview_migration_run', 'migration', 'migration', 'read'],
    ['legacy_verify_migration_run', 'migration', 'migration', 'read'],
    ['lookup_api', 'rag-core', 'rag', 'read'],
    ['plan_tool_workflow', 'router', 'router', 'read'],
    ['resolve_identifier', 'router', 'router', 'read'],
    ['search_docs', 'rag-core', 'rag', 'read'],
    ['search_internal_docs', 'rag-core', 'rag', 'read'],
    ['site_health_overview', 'site-health', 'site-health', 'read'],
  ]);
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('/') && /(?<!\.test)\.ts$/.test(file))
    .map((file) => basename(file))
    .sort();
  expect(files.map((file) => file.replace('.ts', '').replaceAll('-', '_'))).toEqual(
    LOCAL_TOOLS.map(({ name }) => name),
  );
});

test.each(LOCAL_TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s has a closed schema and a short line',
  (_, tool) => {
    const { tool: kept, schema } = localToCatalog(tool);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(kept.line.length).toBeLessThanOrEqual(200);
    expect(kept.name.length).toBeLessThanOrEqual(60);
  },
);

function opened(variables: Record<string, string> = {}) {
  const installation = sampleInstallation();
  // A budget that one platform call would exhaust for minutes: a local call must not notice.
  const config = installation.config({ SVC_MCP_RATE_PER_SECOND: '0.001', ...variables });
  const { catalog } = openCatalog(config);
  const visible = (tool: { platform: string; capability: 'read' | 'diagnostic' | 'write' | 'destructive' }) =>
    decideFor(config, tool.platform, tool.capability).visible;
  const local = openLocalTools({ config, catalog, visible, choose: () => [] }, config.localToolsets);
  const { dispatch, waits } = openDispatch(config, catalog, createLogger('silent'), local);
  const invoke = async (args: Record<string, unknown>, dispatcher: Call['dispatcher'] = 'invoke_read_tool') => {
    const result = await dispatch.invoke({
      dispatcher,
      name: 'lookup_api',
      arguments: args,
      principal: 'local',
      approver: nobody,
    });
    return result.kind === 'done' ? (result.result as Record<string, unknown>) : result;
  };
  const close = () => {
    catalog.close();
    installation[Symbol.dispose]();
  };
  return { config, catalog, finder: openFinder(config, catalog), invoke, waits, close };
}

test('lookup_api is found, described and run by both dispatchers, without a platform or its budget', async () => {
  const { finder, invoke, waits, close } = opened();
  const { hits } = finder.find({ query: 'look up the API reference of a field', topK: 1 });
  expect(hits.map(({ tool }) => finder.describe(tool))).toEqual([
    expect.objectContaining({ name: 'lookup_api', server: 'rag-core', capability: 'read', read_only: true }),
  ]);
  for (let i = 0; i < 20; i++)
    for (const dispatcher of ['invoke_read_tool', 'invoke_tool'] as const)
      expect(await invoke({ query: 'POST /auth-servers/{name}' }, dispatcher)).toMatchObject({
        items: [
          {
            text: expect.stringMatching(/^POST \/auth-servers\/\{name\} \(createAuthServer\): Create a new/),
            source: 'Sample',
            file_path: 'mgmt/config-security#/paths/~1auth-servers~1{name}/post',
            kind: 'endpoint',
            score: 100,
            tool: 'mgmt_create_auth_server',
          },
        ],
        _pagination: { total: 1, truncated: false },
      });
  expect(waits().count).toBe(0);
  close();
});

test('a field says what a caller must keep to, and its secret-looking name is not a secret here', async () => {
  const { invoke, close } = opened();
  const { items } = (await invoke({ query: 'shared-secret', include_metadata: true })) as { items: unknown[] };
  expect(items[0]).toMatchObject({
    text: 'AuthServer.shared-secret: string (password) 8.. characters, never returned.',
    kind: 'field',
    platform: 'mgmt',
    document_version: '1',
    match: 'exact',
  });
  close();
});

test('nothing known is an empty list; wrong arguments are refused with the rule they broke', async () => {
  const { invoke, close } = opened();
  expect(await invoke({ query: 'espresso machine descaling' })).toMatchObject({ items: [] });
  expect(await invoke({ query: 'Wlan', platform: 'nac' })).toMatchObject({ items: [] });
  expect(await invoke({ query: 'Wlan', top_k: 21 })).toMatchObject({
    kind: 'refused',
    refusal: { code: 'invalid_arguments', pointer: '/top_k' },
  });
  close();
});

test('without its index it says so instead of answering nothing', async () => {
  const { invoke, catalog, close } = opened();
  rmSync(join(catalog.folder, 'spec-index.sqlite'));
  expect(await invoke({ query: 'Wlan' })).toEqual({
    error: 'the spec index is missing or cannot be read',
    degraded: true,
    hint: expect.stringContaining('svc-mcp-catalog build'),
  });
  close();
});

test('a profile that hides writes hides their tools from look-ups too', async () => {
  const { invoke, close } = opened({ SVC_MCP_ACCESS_PROFILE: 'safe-read-only' });
  const { items } = (await invoke({ query: '/auth-servers/{name}' })) as { items: { text: string; tool?: string }[] };
  expect(items.map(({ text, tool }) => [text.split(' ')[0], tool])).toEqual([
    ['GET', 'mgmt_get_auth_server'],
    ['POST', undefined],
    ['PATCH', undefined],
    ['DELETE', undefined],
  ]);
  close();
});

test('without the rag toolset it is neither found nor run', async () => {
  const { finder, invoke, close } = opened({ SVC_MCP_TOOLSETS: 'mgmt' });
  expect(finder.find({ query: 'lookup_api', topK: 3 }).hits.map(({ tool }) => tool.name)).not.toContain('lookup_api');
  expect(await invoke({ query: 'Wlan' })).toMatchObject({ kind: 'refused', refusal: { code: 'unknown_tool' } });
  close();
});

test('what a declaration takes from elsewhere is among the files that a start looks at', () => {
  const looked = declarationFiles();
  const missed = looked
    .filter((file) => file.startsWith(import.meta.dirname))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const declared = text.slice(0, text.indexOf('\n  open:')).replaceAll(/^import [^;]+;$/gm, '');
      return [...text.matchAll(/^import \{([^}]+)\} from '(\.[^']+)';$/gm)].flatMap(([, names = '', from = '']) => {
        const values = names.split(',').flatMap((name) => name.trim().match(/^(?!type )\w+/)?.[0] ?? []);
        const used = values.some((name) => new RegExp(`\\b${name}\\b`).test(declared));
        const source = join(dirname(file), from);
        return used && text.includes('\n  open:') && !looked.includes(source) ? [`${basename(file)}: ${from}`] : [];
      });
    });
  expect(missed).toEqual([]);
  expect(looked.length).toBeGreaterThan(LOCAL_TOOLS.length);
});
