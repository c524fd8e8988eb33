/** Modules whose faults would make every number wrong without a red test. */
export const JUDGES = [
  'harness/grade.ts',
  'harness/verdict.ts',
  'harness/baseline.ts',
  'harness/unseen-seeds.ts',
  'harness/stats.ts',
  'harness/paired.ts',
  'harness/bootstrap.ts',
  'harness/plan.ts',
  'harness/path-pattern.ts',
  'harness/call-class.ts',
  'harness/checks/*.ts',
];
