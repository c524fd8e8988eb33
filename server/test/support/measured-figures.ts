/** Figures of a test: the night finds them in the report of its run, beside whether it passed. */
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    figures?: Record<string, number>;
  }
}

export function reportFigures({ task }: Pick<TestContext, 'task'>, figures: Record<string, number>): void {
  task.meta.figures = { ...task.meta.figures, ...figures };
}
