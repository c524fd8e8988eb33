/** Everything the lints say about one platform, those over all platforms included. */
import { lintEstate } from '../lint.ts';
import type { Finding } from '../lint-rule.ts';
import type { Platform } from '../platform.ts';

export function findingsOf(...platforms: readonly Platform[]): Finding[] {
  const report = lintEstate(platforms);
  return [...Object.values(report.platforms).flatMap((each) => each.findings), ...report.total.findings];
}
