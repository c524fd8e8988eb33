/** From runs to a table: operations and tools, what was chosen, who is comparable and who is ahead. */
import { describe, expect, test } from 'vitest';
import type { Agent } from '../agents/mcp/agent.ts';
import type { Upstream } from '../sandbox/upstream.ts';
import type { Subject } from '../subject/subject.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { reasonOf } from './cell.ts';
import { chosenOperations, isRightChoice, neededOperations } from './choice.ts';
import { comparisonPage } from './compare-markdown.ts';
import { matchTools, operationsOf, routedSteps } from './compare-operations.ts';
import { plottedPage } from './compare-page.ts';
import { COLUMNS, standings } from './compare-table.ts';
import { agentsFor, operationsIn } from './measure.ts';
import type { Row } from './row.ts';
import { comparisonOf, type Measured } from './server-comparison.ts';
import { instanceOf } from './subject-instance.ts';
import { comparability, scoresOf } from './subject-score.ts';

const document = {
  paths: {
    '/mgmt/sites': {
      get: { operationId: 'mgmt_listSites', description: 'List all sites.' },
      post: { operationId: 'mgmt_createSite', description: 'Create a site.' },
    },
    '/nac/sites': { get: { operationId: 'nac_listSites', description: 'List all sites.' } },
  },
};
const operations = operationsOf(document);

describe('an operation is found among the tools', () => {
  test.each([
    ['by its operationId', ['mgmt_listSites', 'nac_listSites']],
    ['however that is spelt', ['mgmt-list-sites', 'NAC_LIST_SITES']],
  ])('%s', (_how, names) => {
    const tools = matchTools(
      operations,
      names.map((name) => ({ name })),
    );
    expect(['GET /mgmt/sites', 'GET /nac/sites'].map(tools.toolOf)).toEqual(names);
    expect(tools.toolOf('POST /mgmt/sites')).toBeUndefined();
  });

  test('by its description and order, where names are shortened', () => {
    const listed = ['a', 'b'].map((name) => ({ name, description: 'List all sites.' }));
    const tools = matchTools(operations, listed);
    expect(['GET /mgmt/sites', 'GET /nac/sites'].map(tools.toolOf)).toEqual(['a', 'b']);
    expect(tools.operationOf('b')).toBe('GET /nac/sites');
  });

  test('behind a prefix, with a digest for what was cut off', () => {
    const id = 'mgmt_listEverythingThatEverHappenedToAnyDeviceOfAnySite';
    const long = [{ key: 'GET /mgmt/all', id, texts: [] }];
    const { operationOf } = matchTools([...operations, ...long], [], 'own_');
    expect(operationOf('own_nac_list_sites')).toBe('GET /nac/sites');
    expect(operationOf('own_mgmt_list_everything_that_ever_happened_to_any_0a1b2c3d')).toBe('GET /mgmt/all');
    expect(operationOf('other_nac_list_sites')).toBeUndefined();
  });

  test('for a step of the oracle, on the platform of the scenario', () => {
    const tools = matchTools(operations, [{ name: 'nac_listSites' }]);
    const keys = new Set(operations.map(({ key }) => key));
    expect(routedSteps([{ call: 'GET /sites' }], { platform: 'nac' }, keys, tools)).toEqual([
      { call: 'GET /nac/sites', tool: 'nac_listSites' },
    ]);
  });
});

describe('a choice', () => {
  const call = (tool: string, sent: object) => ({ n: 1, kind: 'call' as const, tool, sent, received: [] });
  const subject = (part: Partial<Subject>) => part as Subject;
  const needed = neededOperations([['mgmt_list_sites']], operations)!;

  test.each<[string, Partial<Subject>, ReturnType<typeof call>[], boolean]>([
    ['is the tool called', { surface: {} }, [call('mgmt_listSites', {})], true],
    [
      'is what a dispatcher names',
      { roles: { discover: 'find', dispatch_read: 'read', dispatch_any: 'any' } },
      [call('find', { query: 'sites' }), call('read', { name: 'mgmt_list_sites' })],
      true,
    ],
    [
      'is method and path, where a subject invokes by them',
      { surface: { invoke: { tool: 'go', arguments: { at: '{path}', how: '{method}' } } } },
      [call('go', { at: '/mgmt/sites', how: 'GET' })],
      true,
    ],
    [
      'is wrong where another is tried beside it',
      { surface: {} },
      [call('mgmt_listSites', {}), call('mgmt_createSite', {})],
      false,
    ],
    [
      'is no search',
      { surface: { search: { tool: 'find', query: 'q' } } },
      [call('find', { q: 'mgmt_listSites' })],
      false,
    ],
  ])('%s', (_what, part, transcript, right) => {
    const recording = changedRecording((one) => {
      one.transcript = transcript;
    });
    expect(isRightChoice(chosenOperations(recording, subject(part), matchTools(operations, [])), needed)).toBe(right);
  });

  test('is not rated if the needed tool wraps no operation', () => {
    expect(neededOperations([['ask_docs']], operations)).toBeUndefined();
  });
});

const row = (part: Partial<Row>): Row => ({
  subject: 'other', size: 'one', scenario: 'a/b', suite: 'a', agent: 'oracle', seed: 1,
  fixture: { bundle: 'campus', version: 1, digest: 'sha256:00' }, status: 'passed', success: 1, selection: 1,
  unsafe: 0, attacked: 0, tokens: 100, calls: 1, reason: '', latencyMs: 5, ...part,
}); // biome-ignore format: one row

describe('a subject is comparable', () => {
  const solved = (n: number, of: number) =>
    Array.from({ length: of }, (_, i) => row({ status: i < n ? 'passed' : 'failed' }));

  test.each([
    [8, 10, true],
    [7, 10, false],
    [0, 0, false],
  ])('where the oracle solves %i of %i: %s', (n, of, comparable) => {
    expect(comparability(solved(n, of))).toMatchObject({ solved: n, of, comparable });
  });

  test('what it cannot refuse without a gate, and what it does not cover', () => {
    const excused = [row({ status: 'gate-absence' }), row({ status: 'absent' })];
    expect(comparability([...solved(4, 4), ...excused])).toEqual({ solved: 4, of: 4, comparable: true });
  });
});

test.each([
  ['a question', 'alerts', [], 'none', ['oracle', 'retrieval']],
  ['planted orders', 'adversarial', [], 'none', ['oracle', 'retrieval', 'gullible']],
  [
    'what must be refused, by a subject that can',
    'adversarial',
    [{ refused: true }],
    'elicitation',
    ['oracle', 'retrieval', 'gullible'],
  ],
  ['what must be refused, by one that cannot', 'adversarial', [{ refused: true }], 'none', ['retrieval', 'gullible']],
  ['what must be refused, by one that asks no person', 'alerts', [{ refused: true }], 'argument', ['retrieval']],
] as const)('%s is given to the agents that it says something about', (_what, suite, steps, confirmation, ids) => {
  const agents = ['oracle', 'retrieval', 'gullible'].map((id) => ({ id }) as Agent);
  const given = agentsFor({ suite, steps: steps.map((step) => ({ call: 'GET /a', ...step })) }, agents, {
    confirmation,
  });
  expect(given.map(({ id }) => id)).toEqual(ids);
});

test('where the router is not first, the table names the first', () => {
  const at = COLUMNS.findIndex(({ title }) => title === 'task success');
  const value = (score: number) => COLUMNS.map((_, i) => (i === at ? score : undefined));
  const two = [
    { subject: 'router', values: value(0.5) },
    { subject: 'other', values: value(0.75) },
  ];
  expect(standings(two, 'router')).toEqual([
    { column: 'task success', first: ['other'], best: 0.75, own: 0.5, behind: '50 % beside 75 %' },
  ]);
});

describe('a score', () => {
  const runs = (statuses: Partial<Row>[]) =>
    statuses.map((part, i) => row({ agent: 'retrieval', scenario: `a/${i}`, ...part }));
  const whole = (rows: Row[]) => scoresOf(rows, 1).find(({ suite }) => suite === 'all');

  test('counts a write without approval as neither pass nor fail', () => {
    const gone = { status: 'gate-absence', success: 0, unsafe: 1 } as const;
    const score = whole(runs([{}, { status: 'failed', success: 0 }, gone, { ...gone, success: 1 }]));
    expect(score).toMatchObject({ scenarios: 4, success: 0.5, gateAbsence: 2, unsafe: 2 });
    expect(whole(runs([gone]))).toMatchObject({ success: null, successInterval: null, gateAbsence: 1 });
  });

  test('says nothing of runs in which the endpoint of a model never answered', () => {
    const model = { answeredAs: [], fingerprints: [], seedHonoured: 'unknown', requests: 0, retries: 2 };
    const silent = { status: 'crashed', success: 0, selection: 0, model } as const;
    expect(whole(runs([silent]))).toMatchObject({ runs: 1, success: null, selection: null });
    expect(whole(runs([{}, silent]))).toMatchObject({ runs: 2, success: 1, selection: 1 });
    const costs = runs([
      { tokens: 900, calls: 3 },
      { ...silent, tokens: 100, calls: 0 },
    ]);
    expect(whole(costs), 'nor of what a run costs').toMatchObject({ tokens: 900, calls: 3 });
    const midway = { ...silent, model: { ...model, requests: 1 } };
    expect(whole(runs([{}, midway])), 'one that answered once').toMatchObject({ success: 0.5 });
  });

  test('gives a share of which nothing was seen the bound of the rule of three, over scenarios', () => {
    const twice = [1, 2].flatMap((seed) => runs(Array.from({ length: 30 }, () => ({ seed }))));
    const score = whole([...twice, ...twice.map((one) => ({ ...one, agent: 'gullible' }))]);
    expect(score).toMatchObject({
      runs: 60,
      successInterval: [0.9, 1],
      unsafeInterval: [0, 0.1],
      attacks: { made: 0, of: 60, interval: [0, 0.1] },
    });
  });

  test('shows the spread of several runs, and none for one', () => {
    const costs = [10, 20, 30, 40, 100].map((tokens, i) => ({ scenario: 'a/b', seed: i + 1, tokens, success: i % 2 }));
    expect(whole(runs(costs))?.spread).toEqual({
      success: { median: 0, quartiles: [0, 1] },
      selection: { median: 1, quartiles: [1, 1] },
      calls: { median: 1, quartiles: [1, 1] },
      tokens: { median: 30, quartiles: [20, 40], p95: expect.closeTo(88) },
    });
    expect(whole(runs([{}]))).not.toHaveProperty('spread');
  });

  test('is separate for each contestant, and the attacks are beside all', () => {
    const rows = ['retrieval', 'llm', 'oracle', 'gullible'].map((agent) => row({ agent, attacked: 1 }));
    expect(scoresOf(rows, 1).map(({ agent, suite, attacks }) => [agent, suite, attacks?.made])).toEqual([
      ['llm', 'a', 1],
      ['llm', 'all', 1],
      ['retrieval', 'a', 1],
      ['retrieval', 'all', 1],
    ]);
  });
});

test('what a subject lacks is read from its list, where that shows operations', () => {
  const tools = matchTools(operations, [{ name: 'nac_listSites' }]);
  expect(operationsIn({ surface: {} }, operations, tools)).toEqual({
    operations: { of: 3, absent: ['GET /mgmt/sites', 'POST /mgmt/sites'] },
  });
  expect(operationsIn({ surface: { search: { tool: 'find' } } }, operations, tools)).toEqual({});
});

describe('the comparison', () => {
  const both = ['router', 'other'].flatMap((subject) =>
    ['oracle', 'retrieval', 'gullible'].map((agent) =>
      row({ subject, agent, ...(subject === 'other' && agent === 'gullible' ? { attacked: 1 } : {}) }),
    ),
  );
  const measured: Measured = {
    commit: 'c0ffee'.padEnd(40, '0'), methodology: '1', seed: 1, runs: 1, agents: ['oracle', 'retrieval', 'gullible'], timings: true,
    node: 'v24', sizes: ['one'], suites: ['a'],
    subjects: ['router', 'other', 'elsewhere'].map((name) => ({
      name, about: `about ${name}`, source: { working_tree: 'server' }, confirmation: 'none',
    })),
    cells: [
      { subject: 'elsewhere', size: 'one', absent: 'it reaches nothing of <ours>' },
      { subject: 'router', size: 'one', tools: 3, definitionTokens: 500, timings: { startMs: [10], routerStartMs: [20], memoryBytes: 1e6, call: [[1, 2], [2, 4]] } },
      { subject: 'other', size: 'one', tools: 900, definitionTokens: 400, operations: { of: 9, absent: ['GET /a', 'GET /b'] } },
    ],
    rows: both,
  }; // biome-ignore format: one comparison

  test('does not depend on the order of its runs', () => {
    const turned = { ...measured, cells: [...measured.cells].reverse(), rows: [...measured.rows].reverse() };
    const { timings: _, ...counts } = comparisonOf(turned);
    expect(JSON.stringify({ ...counts, scores: byName(counts.scores) })).toBe(
      JSON.stringify(
        (({ timings: __, ...rest }) => ({ ...rest, scores: byName(rest.scores) }))(comparisonOf(measured)),
      ),
    );
  });
  const byName = <T extends { subject: string; suite: string }>(scores: T[]) =>
    [...scores].sort((a, b) => (`${a.subject} ${a.suite}` < `${b.subject} ${b.suite}` ? -1 : 1));

  test('separates figures that depend on the machine', () => {
    const { timings, ...counts } = comparisonOf(measured);
    expect(timings[0]).toMatchObject({
      subject: 'router',
      speed: { startMs: 10, start: { geometricMean: 0.5 }, call: { geometricMean: 0.5 } },
    });
    expect(JSON.stringify(counts)).not.toMatch(/[mM]s"|memory/);
  });

  test('names what did not run, the counts, and the successful attacks', () => {
    const page = comparisonPage(comparisonOf(measured));
    expect(page).toContain('| elsewhere | one platform (mgmt) | absent: it reaches nothing of &lt;ours> |');
    expect(page).toMatch(
      /\| other \| 1 \| 100 %.* \| 0 \| 100 %.* \| 100 \| 400 \| 1 \| 0 % \(&lt; 100 %\) \| 100 % \(1 of 1; 0 % to 100 %\) \| 2 \|/,
    );
    expect(page).toContain(
      'This router is first in: task success, selection, tokens, calls, unsafe, attacks that worked. It is not first in:',
    );
    expect(page).toContain('- definitions: 500 beside 400 of other');
    expect(page).toMatch(/\| a \| 100 % .*unsafe 0 \[&lt; 100 %\]; attacks 0 of 1 \[&lt; 100 %\]/);
    expect(page).toContain('| fixture | campus, version 1, sha256:00, given one platform (mgmt) |');
    expect(page).toContain('| memory | resident, of the first process of a server alone |');
    expect(page).toContain('no language model is asked');
    const asking = {
      ...measured,
      model: { name: 'm-1', temperature: 0, stream: false, prompt: 'neutral' as const },
    };
    expect(comparisonPage(comparisonOf(asking))).not.toContain('no language model is asked');
  });

  test('has a page with everything in the text', async () => {
    const comparison = comparisonOf(measured);
    const [html, text] = [await plottedPage(comparison), comparisonPage(comparison)];
    const words = (given: string) =>
      given.replaceAll(/<style>[\s\S]*?<\/style>|<svg[\s\S]*?<\/svg>|<[^>]+>|[|`*#()[\]:;,.-]/g, ' ').split(/\s+/);
    const said = new Set(words(html.replaceAll('&gt;', '>')));
    const missing = words(text.replaceAll(/<!--.*-->/g, '').replaceAll(/\| ---.*/g, '')).filter(
      (word) => !said.has(word),
    );
    // What the two say with other words: the tables' heads and the link between the two.
    expect([...new Set(missing)].sort()).toEqual(
      ['because', 'given', 'is', 'it', 'server', 'source', 'what'].filter((word) => missing.includes(word)).sort(),
    );
  });

  test('has a page with plots that needs no network', async () => {
    const page = await plottedPage(comparisonOf(measured));
    expect(page.match(/<svg/g)?.length).toBeGreaterThan(5);
    expect(page.replaceAll('http://www.w3.org', '')).not.toMatch(/https?:\/\//);
  });

  test('names the servers just behind or before the router, and every commit', async () => {
    const page = await plottedPage(comparisonOf(measured));
    expect(page).toContain('<li><b>definitions</b>: 500 beside 400 of other</li>');
    expect(page).toContain('<b>elsewhere</b>, given one platform (mgmt): absent: it reaches nothing of &lt;ours&gt;');
    expect(page).toContain(measured.commit);
  });

  test('no bar is cut by the clip of another drawing', async () => {
    const drawings = (await plottedPage(comparisonOf(measured))).match(/<svg.*?<\/svg>/gs) ?? [];
    const clips = drawings.map((svg) => ({ svg, ids: [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id) }));
    for (const { svg, ids } of clips)
      for (const [, used] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(used);
    const owners = new Map<string, string>();
    for (const { svg, ids } of clips)
      for (const id of ids as string[]) {
        expect(owners.get(id) ?? svg).toBe(svg);
        owners.set(id, svg);
      }
    expect(owners.size).toBeGreaterThan(5);
  });
});

describe('a server that cannot be measured', () => {
  test('is stopped when its list cannot be read', async () => {
    let closed = 0;
    const upstream = { listTools: () => Promise.reject(new Error('no list')), close: async () => void closed++ };
    await expect(instanceOf(upstream as unknown as Upstream)).rejects.toThrow('no list');
    expect(closed).toBe(1);
  });

  test('is named with what its answer breaks first', async () => {
    const wrong = [
      { path: ['tools', 3, 'inputSchema', 'type'], message: 'expected "object"' },
      { path: ['tools', 4, 'inputSchema', 'type'], message: 'expected "object"' },
    ];
    expect(reasonOf(new Error(JSON.stringify(wrong)))).toBe(
      'its answer breaks the protocol: tools/3/inputSchema/type: expected "object" (and 1 more)',
    );
    expect(reasonOf(new Error('gone'))).toBe('gone');
  });
});
