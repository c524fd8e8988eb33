/** Input and result of every robustness check. */
import type { RouterProcess } from '../../support/child-process.ts';

export interface Finding {
  /** Figures by name, to be read. */
  figures: Record<string, number | string>;
  /** What broke, in words; none when the check holds. */
  failures: string[];
  /** Why nothing was tried here; then it neither holds nor breaks. */
  notRun?: string;
}

export interface RobustContext {
  /** Starts the router under test, with a probe of its memory. */
  router: (env?: Record<string, string>) => Promise<RouterProcess>;
  /** The program under test: the repository, or a copy of it that is broken. */
  root: string;
  /** 1 for the full figures; less does proportionally less. */
  scale: number;
  /** Whether times are judged, or only shown. */
  timed: boolean;
}

export interface RobustCheck {
  /** As in the list of robustness figures: R1, R2 … */
  id: string;
  title: string;
  run: (context: RobustContext) => Promise<Finding>;
}

/** A list of failures that stays readable however much breaks. */
export class Failures {
  readonly list: string[] = [];
  count = 0;

  add(text: string): void {
    this.count += 1;
    if (this.list.length < 8) this.list.push(text.slice(0, 400));
  }

  all(): string[] {
    return this.count > this.list.length ? [...this.list, `and ${this.count - this.list.length} more`] : this.list;
  }
}

export const round = (value: number): number => Math.round(value * 100) / 100;
