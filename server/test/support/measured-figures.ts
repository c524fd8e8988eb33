/** Figures of a test: the nightly run reads them from the test report, beside pass or fail. */
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    figures?: Record<string, number>;
  }
}

export function reportFigures({ task }: Pick<TestContext, 'task'>, figures: Record<string, number>): void {
  task.meta.figures = { ...task.meta.figures, ...figures };
}
