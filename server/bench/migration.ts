/**
 * `npm run bench:migration`: what planning costs at three sizes, each in a process of its own so that memory is its own.
 * Linear means that an object of the largest export costs no more than twice one of the smallest. `--exports N` plans N damaged
 * exports instead, a hundredth of them twice with their order and keys changed, and looks for their secrets in plan and page.
 */
import { execFileSync } from 'node:child_process';
import { countsOf, planOf, planText } from '../migration/plan.ts';
import { planPage } from '../migration/plan-page.ts';
import { readExport, readExportText } from '../migration/read-export.ts';
import { damaged, drawExport, shuffled } from '../migration/testing/generated-exports.ts';
import { Canaries } from '../testing/canary.ts';
import { Random } from './robust/random.ts';

const SIZES = [1_000, 5_000, 20_000];
/** Objects of a drawn export per unit of its size. */
const FAMILIES = 14.4;
const MOST_MS = 2_000;
const MOST_MB = 300;
const MOST_GROWTH = 2;

interface Measured {
  objects: number;
  /** From the text of the export to the plan. */
  ms: number;
  mb: number;
  /** The plan of both targets as canonical text. */
  textMs: number;
}

function measure(size: number): Measured {
  const random = new Random(size);
  const text = JSON.stringify(drawExport((limit) => random.below(limit), Math.round(size / FAMILIES)).value);
  const started = performance.now();
  const plan = planOf(readExportText(text));
  const ms = performance.now() - started;
  const mb = process.resourceUsage().maxRSS / 1024;
  planText(plan);
  const textMs = performance.now() - started - ms;
  const { exact, conditional, manual, unsupported } = countsOf(plan).new;
  return { objects: exact + conditional + manual + unsupported, ms, mb, textMs };
}

/** Nothing throws, equal exports give equal plans, and no secret is in a plan or its page in any spelling. */
function planMany(count: number): void {
  const random = new Random(count);
  const draw = (limit: number) => random.below(limit);
  const failures: string[] = [];
  for (let at = 0; at < count && failures.length < 20; at++) {
    const { value, secrets } = drawExport(draw, 2);
    try {
      const text = planText(planOf(readExport(damaged(value, draw))));
      if (at % 100 !== 0) continue;
      const whole = planOf(readExport(value));
      const canaries = new Canaries(secrets);
      if (canaries.in(text + planText(whole) + planPage(whole, 'new')) !== undefined)
        failures.push(`${at}: a secret is told`);
      if (planText(planOf(readExport(shuffled(value, draw)))) !== planText(whole)) failures.push(`${at}: another plan`);
    } catch (error) {
      failures.push(`${at}: ${String(error).slice(0, 200)}`);
    }
  }
  process.stdout.write(
    `${count} damaged exports planned, ${Math.ceil(count / 100)} planned twice and searched for secrets\n`,
  );
  for (const failure of failures) process.stdout.write(`- ${failure}\n`);
  process.stdout.write(failures.length === 0 ? '0 throws, 0 secrets, 0 other plans: met\n' : 'missed\n');
  process.exitCode = failures.length === 0 ? 0 : 1;
}

function main(): void {
  if (process.argv[2] === '--exports') {
    planMany(Number(process.argv[3]));
    return;
  }
  const asked = process.argv[2];
  if (asked !== undefined) {
    process.stdout.write(JSON.stringify(measure(Number(asked))));
    return;
  }
  const rows = SIZES.map((size) => {
    const out = execFileSync(process.execPath, [import.meta.filename, String(size)], { encoding: 'utf8' });
    return JSON.parse(out) as Measured;
  });
  for (const { objects, ms, mb, textMs } of rows) {
    const each = ((ms / objects) * 1000).toFixed(0);
    process.stdout.write(
      `${objects} objects: ${ms.toFixed(0)} ms, ${each} µs each, ${mb.toFixed(0)} MB at most; written down in ${textMs.toFixed(0)} ms more\n`,
    );
  }
  const [first, last] = [rows[0] as Measured, rows.at(-1) as Measured];
  const growth = last.ms / last.objects / (first.ms / first.objects);
  const passed = last.ms <= MOST_MS && last.mb <= MOST_MB && growth <= MOST_GROWTH;
  process.stdout.write(
    `an object of the largest costs ${growth.toFixed(2)} times one of the smallest; goal ≤ ${MOST_MS} ms, ≤ ${MOST_MB} MB, ≤ ${MOST_GROWTH}: ${passed ? 'met' : 'missed'}\n`,
  );
  process.exitCode = passed ? 0 : 1;
}

main();
