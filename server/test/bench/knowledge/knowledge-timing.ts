/** Times of single questions: as a clock sees them, and as the processor does, which other programs disturb less. */
import { median, quantile } from '../statistics.ts';

export interface Times {
  query_p50_ms: number;
  query_p95_ms: number;
  query_p95_cpu_ms: number;
}

export class Timing {
  readonly #wall: number[] = [];
  readonly #cpu: number[] = [];

  async of<T>(question: () => T | Promise<T>): Promise<T> {
    const [from, before] = [performance.now(), process.cpuUsage()];
    const answer = await question();
    const { user, system } = process.cpuUsage(before);
    this.#wall.push(performance.now() - from);
    this.#cpu.push((user + system) / 1000);
    return answer;
  }

  times(): Times {
    return {
      query_p50_ms: tenth(median(this.#wall)),
      query_p95_ms: tenth(quantile(this.#wall, 0.95)),
      query_p95_cpu_ms: tenth(quantile(this.#cpu, 0.95)),
    };
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
