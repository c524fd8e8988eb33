/**
 * `npm run bench:instructions`: how many machine instructions find, dispatch, plan and grade take, counted by valgrind on a
 * Node that only interprets, with one thread and fixed seeds. A count is that of many rounds less that of few, by their
 * difference: what the start costs is in both. `--record` writes `server/test/bench/instructions/base.json`; without it, more than
 * 5 % above that base is exit code 1. `--twice` counts again and shows how far the two are apart; `--only find,grade` picks; `--json` prints one object.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setup as expandDocuments } from '#fake-api/documents';
import { ROOT } from '../support/child-process.ts';
import { runProcess } from '../support/running-process.ts';

const MOST_GROWTH = 1.05;
const MOST_APART = 0.001;
const INFRASTRUCTURE = 3;
const OWN = join(ROOT, 'server', 'test', 'bench', 'instructions');
const BASE = join(OWN, 'base.json');

interface Work {
  id: string;
  file: string;
  /** Rounds of the smaller and the larger count. */
  few: number;
  many: number;
}

const WORKS: readonly Work[] = [
  { id: 'find', file: 'server/test/bench/instructions/work.ts', few: 1, many: 3 },
  { id: 'dispatch', file: 'server/test/bench/instructions/work.ts', few: 2, many: 22 },
  { id: 'plan', file: 'server/test/bench/instructions/work.ts', few: 2, many: 12 },
  { id: 'grade', file: 'harness/test/grade-work.ts', few: 10, many: 510 },
];

/** Interpreted, since what a compiler does and when depends on time; one thread, and chance that always falls the same. */
const FLAGS = [
  '--predictable',
  '--predictable-gc-schedule',
  '--single-threaded',
  '--no-opt',
  '--no-sparkplug',
  '--no-maglev',
  '--no-lazy-feedback-allocation',
  '--hash-seed=1',
  '--random-seed=1',
  '--max-old-space-size=2048',
  '--max-semi-space-size=64',
  '--min-semi-space-size=64',
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: WORKS.map(({ id }) => id).join(',') },
    record: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

interface Figure {
  id: string;
  /** Instructions of one round. */
  instructions: number;
  /** Against the recorded base; null where none was recorded. */
  ratio: number | null;
  /** Share by which a second count differs. */
  apart?: number;
}

const version = () => spawnSync('valgrind', ['--version'], { encoding: 'utf8' }).stdout?.trim() || undefined;

/** The sources without their types, at the same paths below another folder. */
function strip(folder: string): void {
  for (const program of ['server', 'harness'])
    for (const name of readdirSync(join(ROOT, program), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.endsWith('.d.ts')) continue;
      // Packages of the benches and of other authors' clients are installed inside the tree.
      if (name.includes('node_modules/')) continue;
      const target = join(folder, program, name);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, stripTypeScriptTypes(readFileSync(join(ROOT, program, name), 'utf8')));
    }
}

async function counted({ id, file }: Work, times: number, stripped: string, state: string): Promise<number> {
  const words = [
    '--tool=callgrind',
    '--callgrind-out-file=/dev/null',
    process.execPath,
    ...FLAGS,
    `--import=${pathToFileURL(join(OWN, 'stripped.mjs')).href}`,
    join(ROOT, file),
    id,
    String(times),
    state,
  ];
  // Addresses that differ from run to run would hash differently.
  const [command, all]: [string, string[]] = existsSync('/usr/bin/setarch')
    ? ['setarch', ['-R', 'valgrind', ...words]]
    : ['valgrind', words];
  const env = { PATH: process.env['PATH'] ?? '', INSTRUCTIONS_ROOT: ROOT, INSTRUCTIONS_STRIPPED: stripped, TZ: 'UTC' };
  const { code, stderr } = await runProcess(command, all, { env, cwd: state });
  const count = /Collected : (\d+)/.exec(stderr)?.[1];
  if (code !== 0 || count === undefined) throw new Error(`${id}: ${stderr.slice(-1500)}`);
  return Number(count);
}

async function roundOf(work: Work, stripped: string, state: string): Promise<number> {
  const [few, many] = await Promise.all([work.few, work.many].map((times) => counted(work, times, stripped, state)));
  return Math.round(((many as number) - (few as number)) / (work.many - work.few));
}

/** The first start makes its derived files before the count begins. */
function prepare(work: Work, state: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, work.file), work.id, '1', state], {
    cwd: state,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${work.id}: ${stderr.slice(-1500)}`);
}

type Base = Record<string, number>;

async function figureOf(work: Work, base: Base, stripped: string, state: string): Promise<Figure> {
  prepare(work, state);
  const instructions = await roundOf(work, stripped, state);
  const recorded = base[work.id];
  const ratio = recorded === undefined ? null : instructions / recorded;
  if (!values.twice) return { id: work.id, instructions, ratio };
  const again = await roundOf(work, stripped, state);
  return { id: work.id, instructions, ratio, apart: Math.abs(again - instructions) / instructions };
}

async function main(): Promise<number> {
  const valgrind = version();
  if (valgrind === undefined) {
    console.error(
      'not run: valgrind is not installed (Debian: apt-get install valgrind), and without it no instruction is counted',
    );
    return INFRASTRUCTURE;
  }
  await expandDocuments();
  const machine = `${process.arch}, Node ${process.version}`;
  const recorded = recordedBase();
  const base = recorded?.machine === machine && !values.record ? recorded.rounds : {};
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-instructions-'));
  const state = join(folder, 'state');
  mkdirSync(state);
  const figures: Figure[] = [];
  try {
    strip(join(folder, 'stripped'));
    for (const work of WORKS.filter(({ id }) => values.only.split(',').includes(id))) {
      const figure = await figureOf(work, base, join(folder, 'stripped'), state);
      figures.push(figure);
      if (!values.json) print(figure);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.record) recordBase(machine, figures);
  const passed = figures.length > 0 && figures.every(holds);
  const why =
    recorded !== undefined && recorded.machine !== machine ? `the base was recorded on ${recorded.machine}` : undefined;
  if (values.json)
    console.log(JSON.stringify({ bench: 'instructions', machine, ...(why && { unjudged: why }), figures, passed }));
  else if (why !== undefined) console.log(`not judged: ${why}, this is ${machine}`);
  return passed ? 0 : 1;
}

const recordedBase = () =>
  existsSync(BASE) ? (JSON.parse(readFileSync(BASE, 'utf8')) as { machine: string; rounds: Base }) : undefined;

/** What was not counted now stays as it was counted on this machine. */
function recordBase(machine: string, figures: readonly Figure[]): void {
  const before = recordedBase();
  const counted = Object.fromEntries(figures.map(({ id, instructions }) => [id, instructions]));
  const rounds = { ...(before?.machine === machine ? before.rounds : {}), ...counted };
  writeFileSync(BASE, `${JSON.stringify({ machine, rounds }, null, 2)}\n`);
}

const holds = ({ ratio, apart = 0 }: Figure): boolean => (ratio ?? 1) <= MOST_GROWTH && apart <= MOST_APART;

function print({ id, instructions, ratio, apart }: Figure): void {
  const against = ratio === null ? 'no base' : `${((ratio - 1) * 100).toFixed(2)} % against the base`;
  const twice = apart === undefined ? '' : `, counted twice ${(apart * 100).toFixed(4)} % apart`;
  console.log(
    `${id.padEnd(9)} ${instructions.toLocaleString('en').padStart(13)} instructions a round, ${against}${twice}`,
  );
}

process.exitCode = await main();
