/** Times of single questions: as a clock sees them, and as the processor does, which other programs disturb less. */

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
      query_p50_ms: at(this.#wall, 0.5),
      query_p95_ms: at(this.#wall, 0.95),
      query_p95_cpu_ms: at(this.#cpu, 0.95),
    };
  }
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 10) / 10;
}
