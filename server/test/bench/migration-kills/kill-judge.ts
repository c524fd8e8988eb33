/** One interruption after the other, each judged by what is on the disk and at the platform when the next router is done. */
import { once } from 'node:events';
import type { Run } from '../../../migration/migration-run.ts';
import { Canaries } from '../../support/secret-canary.ts';
import { median } from '../statistics.ts';
import { applied, type Calm, created, dryRun, type KillTestbed, SECRET, type Working } from './kill-testbed.ts';

export type Interruption =
  | { kind: 'place'; at: number }
  | { kind: 'moment'; afterMs: number }
  /** The router lives, but no file can be written from there on. */
  | { kind: 'disk'; at: number; error: string };

interface Spread {
  median: number;
  most: number;
}

export interface Figures {
  kills: number;
  disk_errors: number;
  places_of_an_apply: number;
  writes_of_an_apply: number;
  /** Kills that came after the answer. */
  late_kills: number;
  /** Steps that were acknowledged when it happened. */
  acknowledged: { least: number; most: number };
  go_on_ms: Spread;
  start_and_go_on_ms: Spread;
}

export class Judge {
  readonly #testbed: KillTestbed;
  readonly #calm: Calm;
  readonly #failures: string[] = [];
  readonly #acknowledged: number[] = [];
  readonly #goOnMs: number[] = [];
  readonly #restartMs: number[] = [];
  #router: Working | undefined;
  #kills = 0;
  #diskErrors = 0;
  #late = 0;

  constructor(testbed: KillTestbed, calm: Calm) {
    this.#testbed = testbed;
    this.#calm = calm;
  }

  async try(each: Interruption): Promise<void> {
    const complain = (what: string) => this.#failures.push(`${JSON.stringify(each)}: ${what}`);
    try {
      const router = this.#router ?? (await this.#testbed.start());
      await this.#testbed.rewind();
      await created(router);
      const token = await dryRun(router);
      if (each.kind === 'disk') await this.#fillDisk(router, token, each);
      else await this.#kill(router, token, each);
      const left = await this.#left(complain);
      if (left) await this.#goOn(left, complain);
    } catch (error) {
      complain(String(error).slice(0, 400));
    }
  }

  async verdict(): Promise<{ figures: Figures; failures: string[] }> {
    await this.#router?.child.stop();
    const canaries = new Canaries([SECRET]);
    if (this.#testbed.files().some((text) => canaries.in(text) !== undefined))
      this.#failures.push('a secret is on the disk');
    const figures: Figures = {
      kills: this.#kills,
      disk_errors: this.#diskErrors,
      places_of_an_apply: this.#calm.points,
      writes_of_an_apply: this.#calm.writes,
      late_kills: this.#late,
      acknowledged: { least: Math.min(...this.#acknowledged), most: Math.max(...this.#acknowledged) },
      go_on_ms: spreadOf(this.#goOnMs),
      start_and_go_on_ms: spreadOf(this.#restartMs),
    };
    return { figures, failures: this.#failures };
  }

  async #kill({ child, client }: Working, token: string, each: Exclude<Interruption, { kind: 'disk' }>): Promise<void> {
    const { process } = child;
    const ended = once(process, 'exit');
    if (each.kind === 'place') this.#testbed.arm({ at: each.at });
    const timer = each.kind === 'moment' ? setTimeout(() => process.kill('SIGKILL'), each.afterMs) : undefined;
    const answered = await applied({ child, client }, token).then(
      () => true,
      () => false,
    );
    if (answered) {
      this.#late += 1;
      process.kill('SIGKILL');
    }
    await ended;
    clearTimeout(timer);
    this.#testbed.arm(undefined);
    this.#router = undefined;
    this.#kills += 1;
  }

  /** The call is refused or not, but the router must live and say so. */
  async #fillDisk(router: Working, token: string, { at, error }: { at: number; error: string }): Promise<void> {
    this.#testbed.arm({ at, error });
    await applied(router, token).catch(() => undefined);
    const { status } = await fetch(new URL('/livez', String(router.child.ready['url'])));
    if (status !== 200) throw new Error(`/livez answered ${status}`);
    this.#testbed.arm(undefined);
    this.#router = router;
    this.#diskErrors += 1;
  }

  /** Every acknowledged change is on the disk, and the run on disk knows every write that was sent. */
  async #left(complain: (what: string) => void): Promise<Run | undefined> {
    const run = this.#testbed.run();
    if (run === undefined) {
      complain('the run is gone');
      return undefined;
    }
    const known = run.candidates.flatMap(({ steps }) => steps).filter(({ made }) => made !== undefined).length;
    const writes = (await this.#testbed.written()).length;
    if (writes > known) complain(`${writes} writes were accepted, ${known} are on the disk`);
    return run;
  }

  async #goOn(left: Run, complain: (what: string) => void): Promise<void> {
    const began = performance.now();
    this.#router ??= await this.#testbed.start();
    const started = performance.now();
    await applied(this.#router, await dryRun(this.#router));
    this.#goOnMs.push(performance.now() - started);
    this.#restartMs.push(performance.now() - began);
    const after = this.#testbed.run();
    const acknowledged = stepsOf(left).filter(({ state }) => state === 'verified');
    this.#acknowledged.push(acknowledged.length);
    const settled = new Set(stepsOf(after).flatMap(({ id, state }) => (state === 'sent' ? [] : [id])));
    for (const { id } of acknowledged) if (!settled.has(id)) complain(`${id} was acknowledged and is lost`);
    if (after?.status !== 'completed') complain(`the run ended ${after?.status}`);
    const writes = (await this.#testbed.written()).map(({ method, path, bodyHash }) => `${method} ${path} ${bodyHash}`);
    if (new Set(writes).size !== writes.length) complain('something was written twice');
    if (writes.length !== this.#calm.writes)
      complain(`${writes.length} writes, undisturbed there are ${this.#calm.writes}`);
    if ((await this.#testbed.stateHash()) !== this.#calm.stateHash)
      complain('the state differs from the undisturbed one');
  }
}

const stepsOf = (run: Run | undefined) =>
  run?.candidates.flatMap(({ key, steps }) => steps.map(({ what, state }) => ({ id: `${key} ${what}`, state }))) ?? [];

function spreadOf(ms: readonly number[]): Spread {
  return ms.length === 0
    ? { median: 0, most: 0 }
    : { median: Math.round(median(ms)), most: Math.round(Math.max(...ms)) };
}
