/** The whole report as data. */
import type { Reporter } from '../reporter.ts';

export default {
  id: 'json',
  file: 'report.json',
  render: (report) => `${JSON.stringify(report, null, 2)}\n`,
} satisfies Reporter;
