/**
 * `npm run bench:migration-kills`: kills a router with SIGKILL in the middle of an apply and lets the next one
 * continue. It does so at every point where power can fail (`--points 20` takes 20 of them, evenly), then `--kills N`
 * times at a random moment, and `--full N` times with a disk that accepts no data. `--seed N` draws other moments, `--untimed`
 * judges no time, `--mutant` breaks the router first, and `--json` prints one object last.
 */
import { parseArgs } from 'node:util';
import { type Interruption, Judge } from '../test/bench/migration-kills/kill-judge.ts';
import { type Calm, calmApply, killTestbed } from '../test/bench/migration-kills/kill-testbed.ts';
import { Random } from '../test/bench/robust/random.ts';
import { brokenCopy } from '../test/bench/robust/robust-mutants.ts';

const LEAST_POINTS = 60;
const MOST_RESUME_MS = 2_000;
const DISK_ERRORS = ['ENOSPC', 'EROFS', 'EMFILE', 'EACCES', 'EIO', 'EDQUOT'];
const FORGETFUL = {
  file: 'server/migration/apply.ts',
  search: "await noted(entry, { what: step.what, state: 'sent', made }, options);",
  replace: "entry.steps.push({ what: step.what, state: 'sent', made });",
};

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '0' },
    points: { type: 'string', default: 'all' },
    full: { type: 'string', default: '24' },
    seed: { type: 'string', default: '1' },
    mutant: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
  },
});

function interruptions({ points, ms }: Calm): Interruption[] {
  const random = new Random(Number(values.seed));
  const most = values.points === 'all' ? points : Math.min(points, Number(values.points));
  const evenly = (count: number) => Array.from({ length: count }, (_, i) => 1 + Math.floor((i * points) / count));
  return [
    ...evenly(most).map((at): Interruption => ({ kind: 'place', at })),
    ...Array.from(
      { length: Number(values.kills) },
      (): Interruption => ({ kind: 'moment', afterMs: random.below(Math.ceil(ms)) }),
    ),
    ...evenly(Number(values.full)).map(
      (at, i): Interruption => ({ kind: 'disk', at, error: DISK_ERRORS[i % DISK_ERRORS.length] as string }),
    ),
  ];
}

async function main(root?: string): Promise<boolean> {
  await using testbed = await killTestbed(root);
  const calm = await calmApply(testbed);
  const all = interruptions(calm);
  const judge = new Judge(testbed, calm);
  for (const [index, each] of all.entries()) {
    await judge.try(each);
    if ((index + 1) % 100 === 0) console.error(`${index + 1} of ${all.length}`);
  }
  const { figures, failures } = await judge.verdict();
  if (calm.points < LEAST_POINTS)
    failures.push(`an apply should pass at least ${LEAST_POINTS} places, got ${calm.points}`);
  const isSlow = !values.untimed && figures.start_and_go_on_ms.most > MOST_RESUME_MS;
  const held = failures.length === 0 && !isSlow && all.length > 0;
  if (values.json)
    process.stdout.write(`${JSON.stringify({ bench: 'migration-kills', figures, failures, passed: held })}\n`);
  else print(figures, failures);
  if (isSlow) console.error(`going on took ${figures.start_and_go_on_ms.most} ms, the goal is ${MOST_RESUME_MS}`);
  return held;
}

function print(figures: object, failures: readonly string[]): void {
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${JSON.stringify(value)}`);
  for (const failure of failures.slice(0, 50)) console.log(`- ${failure}`);
  console.log(
    failures.length === 0 ? '0 acknowledged steps lost, 0 objects written twice' : `${failures.length} failures`,
  );
}

if (values.mutant) {
  using copy = brokenCopy(FORGETFUL);
  process.exitCode = (await main(copy.root)) ? 1 : 0;
} else process.exitCode = (await main()) ? 0 : 1;
