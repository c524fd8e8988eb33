/**
 * `npm run bench:robust`: the router as a process under what it should survive. `--only R1,R4` picks, `--scale 0.02` does
 * less, `--json` prints one object, `--mutants` runs each check against a router broken for it, where it must fail.
 * `--untimed` judges no time, for machines that are busy with other things. Exit 1: something failed; 3: nothing did, but something
 * could not be run here.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT, startRouter } from '../support/child-process.ts';
import { QUESTIONS_CHECK } from './robust/abandoned-questions.ts';
import { CREDENTIALS_CHECK } from './robust/credential-swaps.ts';
import { CROWD_CHECK } from './robust/crowd.ts';
import { DISKS_CHECK } from './robust/disks.ts';
import { DOORS_CHECK } from './robust/endpoints.ts';
import { HOSTILE_PLATFORM_CHECK } from './robust/hostile-platform.ts';
import { IDLE_CONNECTIONS_CHECK } from './robust/idle-connections.ts';
import { LABELS_CHECK } from './robust/labels.ts';
import { MESSAGES_CHECK } from './robust/messages.ts';
import { OVERLOAD_CHECK } from './robust/overload.ts';
import { PARSERS_CHECK } from './robust/parsers.ts';
import type { Finding, RobustCheck, RobustContext } from './robust/robust-check.ts';
import { brokenCopy, MUTANTS } from './robust/robust-mutants.ts';
import { RESTARTS_CHECK } from './robust/router-restarts.ts';
import { SOAK_CHECK } from './robust/soak.ts';
import { SOCKETS_CHECK } from './robust/sockets.ts';
import { TOKEN_TIME_CHECK } from './robust/token-time.ts';

const CHECKS: readonly RobustCheck[] = [
  MESSAGES_CHECK,
  SOCKETS_CHECK,
  PARSERS_CHECK,
  CROWD_CHECK,
  SOAK_CHECK,
  OVERLOAD_CHECK,
  DISKS_CHECK,
  RESTARTS_CHECK,
  CREDENTIALS_CHECK,
  TOKEN_TIME_CHECK,
  DOORS_CHECK,
  LABELS_CHECK,
  HOSTILE_PLATFORM_CHECK,
  IDLE_CONNECTIONS_CHECK,
  QUESTIONS_CHECK,
];
const INFRASTRUCTURE = 3;
const PROBE = pathToFileURL(join(import.meta.dirname, 'robust', 'memory-probe.mjs')).href;

const contextOf = (root: string, scale: number): RobustContext => ({
  root,
  scale,
  timed: !values.untimed,
  router: (env = {}) => startRouter({ NODE_OPTIONS: `--import=${PROBE}`, ...env }, root),
});

interface Outcome extends Finding {
  id: string;
  title: string;
  /** Of a broken copy: what was broken. */
  broken?: string;
  passed: boolean;
}

async function outcomeOf({ id, title, run }: RobustCheck, scale: number): Promise<Outcome> {
  const finding = await run(contextOf(ROOT, scale));
  return { id, title, ...finding, passed: finding.notRun === undefined && finding.failures.length === 0 };
}

/** A check that does not notice is as wrong as a router that breaks. */
async function mutantOutcome({ id, title, run }: RobustCheck, scale: number): Promise<Outcome> {
  const mutant = MUTANTS[id];
  if (mutant === undefined) throw new Error(`no broken copy for ${id}`);
  using copy = brokenCopy(mutant);
  const finding = await run(contextOf(copy.root, scale));
  const broken = `${mutant.file}: ${mutant.search} → ${mutant.replace}`;
  return { id, title, broken, ...finding, passed: finding.notRun === undefined && finding.failures.length > 0 };
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: CHECKS.map(({ id }) => id).join(',') },
    scale: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
  },
});
const outcomes: Outcome[] = [];
for (const check of CHECKS.filter(({ id }) => values.only.split(',').includes(id))) {
  const outcome = await (values.mutants ? mutantOutcome : outcomeOf)(check, Number(values.scale));
  outcomes.push(outcome);
  if (!values.json) print(outcome);
}
const passed = outcomes.length > 0 && outcomes.every((outcome) => outcome.passed);
const failed = outcomes.length === 0 || outcomes.some((outcome) => !outcome.passed && outcome.notRun === undefined);
const notRun = failed ? [] : outcomes.flatMap(({ id, notRun: why }) => (why === undefined ? [] : [`${id}: ${why}`]));
const told = { bench: 'robust', outcomes, passed, ...(notRun.length > 0 && { notRun: notRun.join('; ') }) };
if (values.json) process.stdout.write(`${JSON.stringify(told)}\n`);
process.exitCode = passed ? 0 : failed ? 1 : INFRASTRUCTURE;

function print({ id, title, broken, figures, failures, notRun, passed: held }: Outcome): void {
  if (notRun !== undefined) {
    console.log(`${id} ${title}: not run here: ${notRun}`);
    return;
  }
  const verdict = broken === undefined ? (held ? 'holds' : 'FAILS') : held ? 'notices' : 'DOES NOT NOTICE';
  console.log(`${id} ${title}: ${verdict}${broken === undefined ? '' : ` (${broken})`}`);
  for (const [name, value] of Object.entries(figures)) console.log(`   ${name}: ${value}`);
  for (const failure of failures) console.log(`   - ${failure}`);
}
