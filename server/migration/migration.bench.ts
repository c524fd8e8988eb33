/**
 * `npm run bench:migration`: what planning costs at three sizes, each in a process of its own so that memory is its own.
 * Linear means that an object of the largest export costs no more than twice one of the smallest. `--exports N` plans N damaged
 * exports instead, a hundredth of them twice with their order and keys changed, and looks for their secrets in plan and page; with
 * `--json` one object. `--alike N` plans N exports in ten processes of other locales, time zones, hash seeds and orders of keys.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Random } from '../test/bench/robust/random.ts';
import { type Draw, type Drawn, damaged, drawExport, shuffled } from '../test/migration/generated-exports.ts';
import { Canaries } from '../test/support/secret-canary.ts';
import { planOf, planText } from './plan.ts';
import { countsOf } from './plan-counts.ts';
import { planPage } from './plan-page.ts';
import { readExport, readExportText } from './read-export.ts';

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
  const { exact, conditional, manual, unsupported } = countsOf(plan, 'new');
  return { objects: exact + conditional + manual + unsupported, ms, mb, textMs };
}

/** `text` is the plan of the same export, damaged. */
function failuresOf({ value, secrets }: Drawn, text: string, draw: Draw): string[] {
  const failures: string[] = [];
  const whole = planOf(readExport(value));
  const canaries = new Canaries(secrets);
  if (canaries.in(text + planText(whole) + planPage(whole, 'new')) !== undefined) failures.push('a secret is told');
  if (planText(planOf(readExport(shuffled(value, draw)))) !== planText(whole)) failures.push('another plan');
  return failures;
}

/** Nothing throws, equal exports give equal plans, and no secret is in a plan or its page in any spelling. */
function planMany(count: number, json: boolean): void {
  const random = new Random(count);
  const draw = (limit: number) => random.below(limit);
  const failures: string[] = [];
  for (let at = 0; at < count && failures.length < 20; at++) {
    const drawn = drawExport(draw, 2);
    try {
      const text = planText(planOf(readExport(damaged(drawn.value, draw))));
      if (at % 100 === 0) failures.push(...failuresOf(drawn, text, draw).map((failure) => `${at}: ${failure}`));
    } catch (error) {
      failures.push(`${at}: ${String(error).slice(0, 200)}`);
    }
  }
  const twice = Math.ceil(count / 100);
  if (json)
    process.stdout.write(`${JSON.stringify({ bench: 'migration', exports: count, planned_twice: twice, failures })}\n`);
  else {
    process.stdout.write(`${count} damaged exports planned, ${twice} planned twice and searched for secrets\n`);
    for (const failure of failures) process.stdout.write(`- ${failure}\n`);
    process.stdout.write(failures.length === 0 ? '0 throws, 0 secrets, 0 other plans: met\n' : 'missed\n');
  }
  process.exitCode = failures.length === 0 ? 0 : 1;
}

const PROCESSES = 10;
const LOCALES = ['C', 'da_DK.UTF-8', 'tr_TR.UTF-8', 'et_EE.UTF-8', 'ja_JP.UTF-8'];
const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia'];

/** Languages differ about the order of these. */
const FOREIGN = ['aal', 'Aal', 'zal', 'Zal', 'oel', 'öl', 'ol', 'ıl', 'il', 'Il', 'šal', 'sal'];

function withForeignNames(value: Record<string, unknown>): Record<string, unknown> {
  const wlans = value['wlans'] as { ssid_profiles: object[] };
  const foreign = FOREIGN.map((name) => ({ profile_name: name, essid: { essid: name }, opmode: 'opensystem' }));
  return { ...value, wlans: { ...wlans, ssid_profiles: [...wlans.ssid_profiles, ...foreign] } };
}

/** Of the plans and pages of so many exports, whose items and keys came in this order; 0 is as they were drawn. */
function digestOf(count: number, order: number): string {
  const [random, mixing] = [new Random(count), new Random(order)];
  const sum = createHash('sha256');
  for (let at = 0; at < count; at++) {
    const value = withForeignNames(drawExport((limit) => random.below(limit)).value);
    const read = order === 0 ? value : shuffled(value, (limit) => mixing.below(limit));
    const plan = planOf(readExport(read));
    sum.update(planText(plan)).update(planPage(plan, 'new'));
  }
  return sum.digest('hex');
}

function planAlike(count: number): void {
  const digests = Array.from({ length: PROCESSES }, (_, at) => {
    const locale = LOCALES[at % LOCALES.length] as string;
    const env = { ...process.env, TZ: ZONES[at % ZONES.length], LC_ALL: locale, LANG: locale };
    const words = [`--hash-seed=${at + 1}`, import.meta.filename, '--digest', String(count), String(at)];
    return execFileSync(process.execPath, words, { encoding: 'utf8', env });
  });
  const different = new Set(digests).size;
  const figures = { exports: count, processes: digests.length, different };
  process.stdout.write(`${JSON.stringify({ bench: 'migration', ...figures })}\n`);
  process.exitCode = different === 1 ? 0 : 1;
}

function main(): void {
  const [mode, count, order] = process.argv.slice(2);
  if (mode === '--alike') {
    planAlike(Number(count));
    return;
  }
  if (mode === '--digest') {
    process.stdout.write(digestOf(Number(count), Number(order)));
    return;
  }
  if (process.argv[2] === '--exports') {
    planMany(Number(process.argv[3]), process.argv.includes('--json'));
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
