/** Modules whose faults would make every number wrong without a red test; each fourth of them takes about as long. */
export const JUDGES = [
  'harness/grading/verdict.ts',
  'harness/grading/unseen-seeds.ts',
  'harness/grading/checks/*.ts',
  'harness/grading/grade.ts',
  'harness/statistics/bootstrap.ts',
  'harness/statistics/stats.ts',
  'harness/statistics/paired.ts',
  'harness/grading/baseline.ts',
  'harness/recording/call-class.ts',
  'harness/recording/campaign-plan.ts',
  'harness/scenario/path-pattern.ts',
];
