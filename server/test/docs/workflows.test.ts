/** Workflows run with other people's code and our permissions, so what they may use is checked here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadJobs, type NightlyJob } from '../bench/nightly/nightly-job.ts';
import { shardOf } from '../bench/nightly/nightly-shards.ts';
import { root } from './source-imports.ts';

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Record<string, unknown>;
  readonly env?: Record<string, string>;
}

interface Job {
  readonly if?: string;
  readonly permissions?: Record<string, string>;
  readonly 'runs-on'?: string;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly needs?: string | readonly string[];
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on?: unknown;
  readonly permissions?: unknown;
  readonly concurrency?: { readonly group?: string };
  readonly jobs?: Record<string, Job>;
}

/** The permissions of a job beyond reading the repository, with the reason. Everything else is a violation. */
const GRANTED: Record<string, string[]> = {
  // The page becomes a branch and a request to take it; a person merges it.
  'compare.yml/report': ['contents: write', 'pull-requests: write'],
  // Findings are uploaded to the security tab.
  'security.yml/codeql': ['security-events: write'],
  'security.yml/packages': ['security-events: write'],
  'security.yml/scorecard': ['security-events: write'],
  // The registry knows the workflow by its identity; provenance is signed with it.
  'release.yml/package': ['id-token: write'],
  // The image, its signature and where it came from are written to the registry.
  'image.yml/build': ['packages: write', 'id-token: write', 'attestations: write'],
  'image.yml/scan': ['packages: read'],
  'image.yml/promote': ['packages: write'],
};

/** Values that an outsider cannot choose, so a shell may contain them. */
const HARMLESS = /^(matrix\.[\w-]+|runner\.[\w-]+|github\.(sha|run_id|run_number|workspace))$/;

/** Every rule that a workflow breaks, in words. */
function violations(name: string, { on, permissions, concurrency, jobs = {} }: Workflow): string[] {
  const found: string[] = [];
  const triggers = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys((on as object | null) ?? {});
  if (triggers.includes('workflow_run')) found.push('runs behind a change of a stranger, with our secrets');
  if (triggers.includes('pull_request_target')) found.push("runs a stranger's pull request with our secrets");
  if (JSON.stringify(permissions) !== '{}') found.push('grants something by default');
  if (!concurrency?.group) found.push('names no concurrency group');
  if (Object.keys(jobs).length === 0) found.push('has no job');
  for (const [id, job] of Object.entries(jobs)) {
    const minutes = job['timeout-minutes'] ?? 0;
    if (!(minutes > 0 && minutes <= 120)) found.push(`${id}: is not bounded in time`);
    if (!/^ubuntu-\d+\.\d+$/.test(job['runs-on'] ?? '')) found.push(`${id}: runs on whatever is newest`);
    const identity = job.permissions?.['id-token'] === 'write';
    if (identity && triggers.includes('pull_request')) found.push(`${id}: a change of a stranger has our identity`);
    const granted = ['contents: read', ...(GRANTED[`${name}/${id}`] ?? [])];
    if (job.permissions === undefined) found.push(`${id}: names no permissions`);
    for (const [scope, level] of Object.entries(job.permissions ?? {})) {
      if (!granted.includes(`${scope}: ${level}`)) found.push(`${id}: may ${level} ${scope}`);
    }
    for (const step of job.steps ?? []) found.push(...stepViolations(id, step));
  }
  return found;
}

function stepViolations(id: string, { uses, run, with: inputs }: Step): string[] {
  const found: string[] = [];
  if (uses !== undefined && !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses))
    found.push(`${id}: ${uses} is no full commit`);
  if (uses?.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false) {
    found.push(`${id}: leaves a token in the checkout`);
  }
  for (const script of [run, inputs?.['script']])
    for (const [, expression = ''] of String(script ?? '').matchAll(/\$\{\{(.*?)\}\}/gs))
      if (!HARMLESS.test(expression.trim())) found.push(`${id}: puts what strangers write into a shell`);
  return found;
}

const folder = join(root, '.github/workflows');
const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
const load = (name: string) => parse(readFileSync(join(folder, name), 'utf8')) as Workflow;

/** `uses: owner/name@commit # v1.2.3`, in every workflow. */
const pins = names.flatMap((name) =>
  [...readFileSync(join(folder, name), 'utf8').matchAll(/uses: ([\w.-]+\/[\w.-]+)\S*?@(\S+)(?: # (\S+))?$/gm)].map(
    ([, action = '', commit = '', version = '']) => ({ name, action, commit, version }),
  ),
);

test('one action is one commit everywhere, and says beside it which version that is', () => {
  const known = new Map<string, string>();
  for (const { name, action, commit, version } of pins) {
    expect(version, `${name}: ${action}`).toMatch(/^v\d+\.\d+\.\d+$/);
    expect(`${commit} ${version}`, `${name}: ${action}`).toBe(known.get(action) ?? `${commit} ${version}`);
    known.set(action, `${commit} ${version}`);
  }
  expect(known.size).toBeGreaterThan(5);
});

test.each(names)('%s breaks no rule', (name) => {
  expect(violations(name, load(name))).toEqual([]);
});

test('tests that a program or an engine is installed for fail where they skip', () => {
  const steps = names.flatMap((name) => Object.values(load(name).jobs ?? {}).flatMap((job) => job.steps ?? []));
  const testing = steps.filter(({ run = '' }) => /\.ci\/run|test:containers/.test(run));
  expect(testing.map(({ env }) => env?.['SVC_TEST_REQUIRE_ALL'])).toEqual(['1', '1']);
});

test('a release is validated against the floor of its tools before it is packed', () => {
  const steps = Object.values(load('release.yml').jobs ?? {}).flatMap((job) => job.steps ?? []);
  const at = (command: string) => steps.findIndex(({ run }) => run === command);
  const [build, validate] = ['catalog', 'catalog -- validate --strict-tool-index'].map((words) =>
    at(`npm run --silent ${words}`),
  ) as [number, number];
  const packed = steps.findIndex(({ run }) => run?.startsWith('npm pack'));
  expect(build).toBeGreaterThan(-1);
  expect(validate).toBeGreaterThan(build);
  expect(packed).toBeGreaterThan(validate);
});

describe('a rule is broken by', () => {
  const sha = 'a'.repeat(40);
  const checkout = { uses: `actions/checkout@${sha}`, with: { 'persist-credentials': false } };
  const job = { permissions: { contents: 'read' }, 'runs-on': 'ubuntu-24.04', 'timeout-minutes': 5, steps: [checkout] };
  const good = { on: { push: null }, permissions: {}, concurrency: { group: 'x' }, jobs: { a: job } };

  test('nothing, to begin with', () => expect(violations('w.yml', good)).toEqual([]));

  test.each<[string, object, string]>([
    [
      'a tag',
      { jobs: { a: { ...job, steps: [{ uses: 'actions/checkout@v5' }] } } },
      'a: actions/checkout@v5 is no full commit',
    ],
    [
      'a short commit',
      { jobs: { a: { ...job, steps: [{ uses: 'a/b@abc1234' }] } } },
      'a: a/b@abc1234 is no full commit',
    ],
    [
      'a token left behind',
      { jobs: { a: { ...job, steps: [{ uses: checkout.uses }] } } },
      'a: leaves a token in the checkout',
    ],
    ['no bound in time', { jobs: { a: { ...job, 'timeout-minutes': undefined } } }, 'a: is not bounded in time'],
    ['no permissions of a job', { jobs: { a: { ...job, permissions: undefined } } }, 'a: names no permissions'],
    ['a permission to write', { jobs: { a: { ...job, permissions: { contents: 'write' } } } }, 'a: may write contents'],
    ['default permissions', { permissions: undefined }, 'grants something by default'],
    ['no concurrency group', { concurrency: undefined }, 'names no concurrency group'],
    ['a privileged trigger', { on: ['pull_request_target'] }, "runs a stranger's pull request with our secrets"],
    [
      'a title in a shell',
      { jobs: { a: { ...job, steps: [{ run: ['echo $', '{{ github.event.pull_request.title }}'].join('') }] } } },
      'a: puts what strangers write into a shell',
    ],
    [
      'the name of a branch in a script',
      {
        jobs: {
          a: { ...job, steps: [{ uses: `a/b@${sha}`, with: { script: ['x($', '{{ github.ref_name }})'].join('') } }] },
        },
      },
      'a: puts what strangers write into a shell',
    ],
    ['what another workflow leaves', { on: ['workflow_run'] }, 'runs behind a change of a stranger, with our secrets'],
    ['the newest machine', { jobs: { a: { ...job, 'runs-on': 'ubuntu-latest' } } }, 'a: runs on whatever is newest'],
    [
      'our identity in a change of a stranger',
      { on: ['pull_request'], jobs: { a: { ...job, permissions: { 'id-token': 'write' } } } },
      'a: a change of a stranger has our identity',
    ],
    ['no job at all', { jobs: {} }, 'has no job'],
  ])('%s', (_name, change, violation) => {
    expect(violations('w.yml', { ...good, ...change } as Workflow)).toContain(violation);
  });
});

describe('image.yml', () => {
  const { jobs = {}, on } = load('image.yml');
  const stepsOf = (id: string) => jobs[id]?.steps ?? [];
  const using = (id: string, action: string) => stepsOf(id).find(({ uses }) => uses?.startsWith(`${action}@`));

  const pushed = "github.event_name == 'push'";
  const onPush = `\${{ ${pushed} }}`;

  test('started by hand it is tested and built, and nobody logs in, signs, scans or names anything', () => {
    for (const id of ['scan', 'promote']) expect(jobs[id]?.if).toBe(pushed);
    const writing = stepsOf('build').filter(({ uses = '', run = '' }) => /login|cosign|attest/.test(uses + run));
    expect(writing.map((step) => step.if)).toEqual(Array(4).fill(pushed));
  });

  test('is built once, by nobody but who may publish it, and named after its commit', () => {
    expect(on).toEqual({
      push: { branches: ['main'], tags: ['v[0-9]+.[0-9]+.[0-9]+*'] },
      workflow_dispatch: null,
    });
    const builders = Object.keys(jobs).filter((id) => using(id, 'docker/build-push-action') !== undefined);
    expect(builders).toEqual(['build']);
    const { with: inputs } = using('build', 'docker/build-push-action') ?? {};
    expect(inputs).toMatchObject({ push: onPush, sbom: true, provenance: 'mode=max', target: 'router' });
    expect(inputs?.['tags']).toMatch(/:sha-\$\{\{ steps\.names\.outputs\.short \}\}$/);
    expect(stepsOf('build').some(({ run }) => run?.includes('short=$' + '{GITHUB_SHA:0:7}'))).toBe(true);
  });

  test('is signed, its origin is attested, and what is scanned and promoted is that digest', () => {
    expect(stepsOf('build').some(({ run }) => run === 'cosign sign --yes "$IMAGE@$DIGEST"')).toBe(true);
    expect(using('build', 'actions/attest-build-provenance')).toBeDefined();
    expect(using('scan', 'anchore/scan-action')?.with).toMatchObject({
      image: '$' + '{{ needs.build.outputs.image }}@$' + '{{ needs.build.outputs.digest }}',
      'severity-cutoff': 'high',
      'fail-build': true,
    });
    const promotion = stepsOf('promote').find(({ run }) => run !== undefined)?.run ?? '';
    expect(promotion).toContain('imagetools create --tag "$IMAGE:$name" "$IMAGE@$DIGEST"');
    expect(promotion).toContain('[ "$promoted" = "$DIGEST" ] ||');
  });

  test('no name but its commit before the containers were tested and the scan passed', () => {
    expect(jobs['build']?.needs).toBe('test');
    expect(jobs['scan']?.needs).toBe('build');
    expect(jobs['promote']?.needs).toEqual(['build', 'scan']);
    for (const job of Object.values(jobs)) expect(Object.keys(job)).not.toContain('continue-on-error');
  });
});

describe('check.yml', () => {
  const { jobs = {}, on } = load('check.yml');

  test('runs the golden gate with the command of a developer, on every change, and keeps the recordings', () => {
    expect(Object.keys(on as object)).toEqual(expect.arrayContaining(['push', 'pull_request']));
    const steps = jobs['golden']?.steps ?? [];
    expect(steps.filter((step) => step.run !== undefined).map((step) => step.run)).toEqual(['npm start']);
    const kept = steps.find((step) => step.uses?.startsWith('actions/upload-artifact@'));
    expect(kept).toMatchObject({ if: 'always()', with: { path: 'reports/runs' } });
  });

  test('runs no server but our own', () => {
    const scripts = Object.values(jobs).flatMap((job) => (job.steps ?? []).flatMap((step) => step.run ?? []));
    expect(scripts.filter((script) => /compare|--subject/.test(script))).toEqual([]);
  });
});

describe('security.yml', () => {
  const { jobs = {}, on } = load('security.yml');
  const uses = Object.values(jobs).flatMap((job) =>
    (job.steps ?? []).flatMap((step) => step.uses?.split('@')[0] ?? []),
  );

  test('looks at the code, the packages and the repository, on every change and every week', () => {
    expect(Object.keys(on as object)).toEqual(expect.arrayContaining(['push', 'pull_request', 'schedule']));
    const wanted = [
      'github/codeql-action/analyze',
      'google/osv-scanner-action/osv-scanner-action',
      'ossf/scorecard-action',
    ];
    expect(wanted.filter((action) => !uses.includes(action))).toEqual([]);
  });
});

describe('release.yml', () => {
  const { jobs = {}, on } = load('release.yml');
  const scripts = Object.values(jobs).flatMap((job) => (job.steps ?? []).flatMap((step) => step.run ?? []));

  test('publishes with provenance, only for a release, and tries it out first', () => {
    expect(Object.keys(on as object).sort()).toEqual(['release', 'workflow_dispatch']);
    const published = scripts.filter((script) => script.startsWith('npm publish'));
    expect(published.map((script) => [script.includes('--provenance'), script.includes('--dry-run')])).toEqual([
      [true, true],
      [true, false],
    ]);
    const real = jobs['package']?.steps?.find(
      ({ run }) => run?.startsWith('npm publish') && !run.includes('--dry-run'),
    );
    expect(real).toMatchObject({ if: "github.event_name == 'release'" });
    expect(jobs['package']?.environment).toBe('release');
  });

  test('makes a bill of materials', () => expect(scripts.join('\n')).toContain('npm run --silent sbom'));
});

describe('nightly.yml', () => {
  const { jobs = {} } = load('nightly.yml');
  const { steps = [], strategy } = jobs['play'] as Job & { strategy: { matrix: { kind: string[]; shard: number[] } } };
  const minutes = (index: number, of: (line: NightlyJob) => number) =>
    shardOf(
      loadJobs().map((line) => ({ id: line.id, minutes: of(line) })),
      index,
      strategy.matrix.shard.length,
    ).reduce((sum, line) => sum + line.minutes, 0);

  test('plays as many shards as it names, and none takes longer than its machine has', () => {
    const script = steps.find(({ run }) => run?.includes('npm run nightly'))?.run ?? '';
    expect(script).toContain(`--shard "$SHARD/${strategy.matrix.shard.length}"`);
    const [, within] = /--within (\d+)/.exec(script) ?? [];
    for (const shard of strategy.matrix.shard) {
      expect(minutes(shard, (line) => line.minutes)).toBeLessThan(Number(within));
      expect(minutes(shard, (line) => line.sabotage.minutes)).toBeLessThan(Number(within));
    }
  });
});

describe('compare.yml', () => {
  const { jobs = {}, on } = load('compare.yml');
  const runs = (job: string) => (jobs[job]?.steps ?? []).flatMap((step) => step.run ?? []);

  test('other servers run on a release or by hand, never on a change', () => {
    expect(on).toEqual({ push: { tags: ['v*'] }, workflow_dispatch: null });
  });

  test('its shards hold every subject once, and every size', () => {
    const { matrix } = (jobs['shard'] as { strategy: { matrix: { size: string[]; subjects: string[] } } }).strategy;
    expect(matrix.subjects.flatMap((group) => group.split(',')).sort()).toEqual([...subjects.keys()].sort());
    expect(matrix.size).toEqual(['one', 'all', 'github']);
  });

  test('the shards are merged without measuring again, and nothing but the request may write', () => {
    expect(runs('report').some((run) => run.includes('compare -- --merge'))).toBe(true);
    expect(jobs['report']).toMatchObject({ needs: ['shard', 'results'] });
    expect(jobs['shard']?.permissions).toEqual({ contents: 'read' });
    expect(jobs['results']?.permissions).toEqual({ contents: 'read' });
  });

  test('a release gets its results page and its comparison from recordings, held against them byte for byte', () => {
    const release = "startsWith(github.ref, 'refs/tags/v')";
    expect(jobs['results']).toMatchObject({ if: release });
    expect(runs('results').join('\n')).toMatch(/run --runs 5 [\s\S]*reproduce "\$VERSION" --from latest/);
    const report = runs('report').join('\n');
    expect(report).toMatch(
      /--merge --record "\$VERSION"[\s\S]*reproduce "\$VERSION"\n[\s\S]*reproduce "\$VERSION" --check/,
    );
    expect(report).toMatch(/git add "docs\/benchmark-results-\$VERSION\.md" "reports\/recordings\/\$VERSION"/);
  });
});

/** Subject → whether it comes from outside; one that is absent everywhere is never installed. */
const subjects = new Map(
  readdirSync(join(root, 'harness/subjects'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => {
      const { source, absent } = parse(readFileSync(join(root, 'harness/subjects', file), 'utf8')) as {
        source: object;
        absent?: string;
      };
      return [file.replace('.yaml', ''), !('working_tree' in source) && absent === undefined];
    }),
);

describe("other people's servers", () => {
  const SWITCH = 'SVC_COMPARE_SUBJECTS';
  const OWN = '.subjects.test.ts';

  /**
   * Foreign software that a test would install or start. A comparison without a named subject runs all, unless it only
   * renders stored results.
   */
  function started(text: string): string[] {
    const named = [
      ...text.matchAll(/'--subjects?',\s*'([^']+)'/g),
      ...text.matchAll(/\b(?:loadSubject)\('([^']+)'\)/g),
    ].flatMap(([, names = '']) => names.split(','));
    const all = /\[\s*'compare'(?!,\s*'--from')/.test(text) && !text.includes("'--subjects',") ? ['all of them'] : [];
    const each = /'\.\.', 'subjects'\)\)/.test(text) ? ['each of them'] : [];
    return [...named.filter((name) => subjects.get(name)), ...all, ...each];
  }

  const tests = ['server', 'fake-api', 'harness', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  const read = (file: string) => readFileSync(join(root, file), 'utf8');

  test('are started by no test that runs on a change', () => {
    expect(tests.length).toBeGreaterThan(100);
    const found = tests
      .filter((file) => !file.endsWith(OWN))
      .flatMap((file) => started(read(file)).map((name) => `${file}: ${name}`));
    expect(found).toEqual([]);
  });

  test('and such a test would be noticed', () => {
    const own = tests.filter((file) => file.endsWith(OWN));
    expect(own.map((file) => [file, started(read(file)).length > 0])).toEqual([
      ['harness/compare/compare.subjects.test.ts', true],
      ['harness/try/try-ours.subjects.test.ts', true],
    ]);
    const [quote, outside] = ["'", 'fastmcp-openapi'];
    expect(started(`loadSubject(${quote}${outside}${quote})`)).toEqual([outside]);
    expect(started(`main([${quote}compare${quote}])`)).toEqual(['all of them']);
    expect(started(`main([${quote}compare${quote}, '--subjects', 'router,office-suite'])`)).toEqual([]);
  });

  test('wait behind a switch that one script throws, which compare.yml runs and no check', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const throwing = Object.keys(scripts).filter((name) => scripts[name]?.includes(SWITCH));
    expect(throwing).toEqual(['test:subjects']);
    expect(read('vitest.config.ts')).toContain(`process.env['${SWITCH}']`);
    const runs = names.filter((name) => readFileSync(join(folder, name), 'utf8').includes('test:subjects'));
    expect(runs).toEqual(['compare.yml']);
    for (const file of ['check.ts', '.ci/run']) expect(read(file)).not.toMatch(/test:subjects|SVC_COMPARE/);
  });
});
