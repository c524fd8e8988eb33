import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { McpClient, ToolAnswer } from '../agents/mcp/agent-client.ts';
import { REFUSALS } from '../agents/mcp/refusal.ts';
import { citedTools, loadScenarios } from '../scenario/scenario.ts';
import { moduleIds } from '../subject/module-folder.ts';
import { openBridge } from './agent-bridge.ts';
import { compileAgents, lastJsonLine, loadAgents, runAgent } from './agent-process.ts';
import { connectStdio } from './upstream.ts';

const root = join(import.meta.dirname, '..', '..');
const agents = await loadAgents();
const ROLES = { discover: 'find', dispatch_read: 'read', dispatch_any: 'any' };
/** What the answer is to hold. */
const ANSWER = { type: 'object' as const, properties: {} };
const answer = (json: unknown, isError = false): ToolAnswer => ({ isError, texts: [JSON.stringify(json)], json });

/** An MCP client whose tools answer from a table; it stands for a whole subject. */
function tableClient(
  respond: (tool: string, args: Record<string, unknown>) => ToolAnswer,
): McpClient & { log: unknown[] } {
  const log: unknown[] = [];
  return {
    log,
    calls: 0,
    listTools: async () => [],
    callTool: async (tool, args) => {
      log.push([tool, args]);
      return respond(tool, args);
    },
  };
}

test('agents that the disk does not take are told by the code of the system, without a stack trace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-agents-'));
  try {
    await writeFile(join(folder, 'mcp'), 'a file in the place of a folder');
    await expect(compileAgents(folder)).rejects.toMatchObject({
      code: 'EEXIST',
      message: expect.stringMatching(/^EEXIST: .*$/),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('every agent of the folder', () => {
  test('is found by its file name', async () => {
    expect(agents.map((agent) => agent.id)).toEqual(await moduleIds(`${import.meta.dirname}/../agents`));
  });

  for (const agent of agents) {
    test(`${agent.id} ends when discovery finds nothing`, async () => {
      const mcp = tableClient(() => answer([]));
      const task = {
        intent: 'Which access point is down?',
        answer: ANSWER,
        limits: { maxCalls: 5, timeoutMs: 1_000 },
        roles: ROLES,
      };
      const nothing = { refuser: { refused: expect.any(String) }, dumper: [] } as Record<string, unknown>;
      expect(await agent.solve(task, mcp)).toEqual(nothing[agent.id]);
    });
  }

  test('only controls see the steps', () => {
    expect(agents.filter((agent) => agent.seesSteps).map((agent) => [agent.id, agent.role])).toEqual([
      ['list-oracle', 'control'],
      ['oracle', 'control'],
    ]);
  });
});

describe('the oracle', () => {
  const oracle = agents.find((agent) => agent.id === 'oracle')!;
  const found = answer([{ name: 't', read_only: false }]);
  const solve = (refused: boolean, dispatch: ToolAnswer) =>
    oracle.solve(
      {
        intent: 'x',
        answer: ANSWER,
        limits: { maxCalls: 9, timeoutMs: 1_000 },
        roles: ROLES,
        steps: [{ call: 'DELETE /a/{id}', apply: true, refused }],
      },
      tableClient((tool) => (tool === 'find' ? found : dispatch)),
    );

  test('previews, then applies with the plan token', async () => {
    const mcp = tableClient((tool, args) => {
      if (tool === 'find') return found;
      return (args['arguments'] as { dry_run: boolean }).dry_run ? answer({ plan_token: 'p1' }) : answer({ id: 7 });
    });
    const steps = [{ call: 'DELETE /a/{id}', arguments: { id: '7' }, apply: true, facts: { number: 'id' } }];
    expect(
      await oracle.solve(
        { intent: 'x', answer: ANSWER, limits: { maxCalls: 9, timeoutMs: 1_000 }, roles: ROLES, steps },
        mcp,
      ),
    ).toEqual({ number: 7 });
    expect(mcp.log).toEqual([
      ['find', { query: 'DELETE /a/{id}', top_k: 1 }],
      ['any', { name: 't', arguments: { id: '7', dry_run: true } }],
      ['any', { name: 't', arguments: { id: '7', dry_run: false, confirm: true, plan_token: 'p1' } }],
    ]);
  });

  test('reports a call that should have been refused and was not', async () => {
    expect(await solve(true, answer({ plan_token: 'p1' }))).toEqual({ refusal_expected_but_applied: 'DELETE /a/{id}' });
    expect(await solve(true, answer({ code: 'declined' }, true))).toBeUndefined();
  });

  test.each([
    ['a broken argument', answer({ code: 'invalid_arguments' }, true)],
    ['a tool that is not there', answer({ code: 'unknown_tool' }, true)],
    ['a crash', { isError: true, texts: ['TypeError: x is not a function'], json: undefined }],
    ['a preview without a token', answer({ status: 'dry_run' })],
  ])('takes %s for no refusal', async (_name, dispatch) => {
    await expect(solve(true, dispatch)).rejects.toThrow(/should be refused/);
  });

  test('expects a planned fault to become the error that the step names', async () => {
    const steps = [{ call: 'GET /a/{id}', fails: 'upstream_error' }];
    const task = { intent: 'x', answer: ANSWER, limits: { maxCalls: 9, timeoutMs: 1_000 }, roles: ROLES, steps };
    const through = (dispatch: ToolAnswer) =>
      oracle.solve(
        task,
        tableClient((tool) => (tool === 'find' ? found : dispatch)),
      );
    expect(await through(answer({ code: 'upstream_error' }, true))).toBeUndefined();
    await expect(through(answer({ id: 7 }))).rejects.toThrow(/should fail with upstream_error/);
    await expect(through(answer({ code: 'timeout' }, true))).rejects.toThrow(/should fail with upstream_error/);
  });

  test('takes the error table as its word for what a refusal is', async () => {
    const page = await readFile(join(root, 'docs/errors.md'), 'utf8');
    for (const code of REFUSALS) expect(page, code).toMatch(new RegExp(`^\\| \`${code}\` \\|.*\\| (403|409) \\|`, 'm'));
    for (const code of REFUSALS) expect(await solve(true, answer({ code }, true)), code).toBeUndefined();
  });

  test('fails on a refusal of what must work', async () => {
    await expect(solve(false, answer({ code: 'blocked' }, true))).rejects.toThrow(/blocked/);
  });
});

describe('an agent process', () => {
  test('cannot read scenarios, fixtures or the environment, and cannot start programs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'probe-'));
    await writeFile(
      join(folder, 'probe.ts'),
      `import { readFileSync } from 'node:fs';
       import { spawnSync } from 'node:child_process';
       const attempt = (work) => { try { work(); return 'allowed'; } catch (error) { return error.code; } };
       export default { id: 'probe', solve: async () => ({
         scenario: attempt(() => readFileSync('${root}/scenarios/scenario.schema.json')),
         fixture: attempt(() => readFileSync('${root}/fake-api/fixtures/small-campus/bundle.yaml')),
         subject: attempt(() => readFileSync('${root}/harness/subjects/router.yaml')),
         program: attempt(() => spawnSync('ls')),
         environment: Object.keys(process.env).filter((name) => name !== '__CF_USER_TEXT_ENCODING'),
       }) };`,
    );
    await using bridge = await openBridge();
    const upstream = await connectStdio({
      name: 'stub',
      file: process.execPath,
      args: [join(root, 'harness/test/stub-subject.ts')],
      cwd: root,
      env: {},
    });
    try {
      const session = await bridge.open({ upstream, approvals: [], maxCalls: 1, newCalls: async () => [] });
      const task = { intent: 'x', answer: ANSWER, mcpUrl: session.url, limits: { maxCalls: 1, timeoutMs: 60_000 } };
      const result = await runAgent('probe', task, { folder });
      expect(result.final, result.stderr).toMatchObject({
        scenario: 'ERR_ACCESS_DENIED',
        fixture: 'ERR_ACCESS_DENIED',
        subject: 'ERR_ACCESS_DENIED',
        program: 'ERR_ACCESS_DENIED',
        environment: [],
      });
    } finally {
      await upstream.close();
      await rm(folder, { recursive: true });
    }
  });

  test('that does not answer in time is ended and recorded as such', async () => {
    const result = await runAgent('noop', {
      intent: 'x',
      answer: ANSWER,
      mcpUrl: 'http://127.0.0.1:9/',
      limits: { maxCalls: 1, timeoutMs: 60_000 },
    });
    expect(result.outcome).toBe('crashed');
    const late = await runAgent('noop', {
      intent: 'x',
      answer: ANSWER,
      mcpUrl: 'http://127.0.0.1:9/',
      limits: { maxCalls: 1, timeoutMs: 1 },
    });
    expect(late.outcome).toBe('timeout');
  });

  test('answers with the JSON value printed last', () => {
    expect(lastJsonLine('hello\n{"a":1}\nnoise\n')).toEqual({ a: 1 });
    expect(lastJsonLine('')).toBeUndefined();
  });
});

test("the retrieval agent's source names no scenario, no backend tool and nothing from a fixture", async () => {
  const files = [
    'retrieval.ts',
    ...(await readdir(join(root, 'harness/agents/retrieval'))).map((name) => `retrieval/${name}`),
  ];
  const code = await Promise.all(
    files
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => readFile(join(root, 'harness/agents', name), 'utf8')),
  );
  // Comments explain with examples; only what runs can cheat.
  const source = code.join('\n').replaceAll(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*$/gm, '');
  const scenarios = await loadScenarios(root);
  const fixture = await readFile(join(root, 'fake-api/fixtures/small-campus/bundle.yaml'), 'utf8');
  const names = [...fixture.matchAll(/(?:name|server|device): ([A-Za-z0-9 -]+)/g)].map((match) => match[1]!.trim());
  const forbidden = [
    ...scenarios.map((scenario) => scenario.id),
    ...scenarios.flatMap((scenario) =>
      Object.values(scenario.expected_tools)
        .flatMap(citedTools)
        .map((tool) => tool.name),
    ),
    ...names,
    'find_tool',
    'invoke_',
    'mgmt_',
  ];
  expect(names.length).toBeGreaterThan(3);
  // As whole words: the network "lab" is not in "label".
  const appears = (word: string) => new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(word)}(?![a-z0-9])`).test(source);
  expect(forbidden.filter((word) => appears(word) || (word.endsWith('_') && source.includes(word)))).toEqual([]);
});
