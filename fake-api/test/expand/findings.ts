/** Everything the lints say about one platform, those over all platforms included. */
import { lintAllPlatforms } from '../../expand/lint/lint.ts';
import type { Finding } from '../../expand/lint/lint-rule.ts';
import type { Platform } from '../../expand/model/platform-folder-model.ts';

export function findingsOf(...platforms: readonly Platform[]): Finding[] {
  const report = lintAllPlatforms(platforms);
  return [...Object.values(report.platforms).flatMap((each) => each.findings), ...report.total.findings];
}
