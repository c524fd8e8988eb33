/** Modules whose faults would make every number wrong without a red test; each fourth of them takes about as long. */
export const JUDGES = [
  'harness/verdict.ts',
  'harness/unseen-seeds.ts',
  'harness/checks/*.ts',
  'harness/grade.ts',
  'harness/bootstrap.ts',
  'harness/stats.ts',
  'harness/paired.ts',
  'harness/baseline.ts',
  'harness/call-class.ts',
  'harness/plan.ts',
  'harness/path-pattern.ts',
];
