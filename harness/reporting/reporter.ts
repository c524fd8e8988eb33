/** A reporter turns a graded report into one text. Where it goes is the run command's business. */
import { discoverModules } from '../subject/module-folder.ts';
import type { Report } from './run-report.ts';

export interface Reporter {
  /** Equals the file name. */
  id: string;
  /** File name below the run folder. */
  file: string;
  render: (report: Report, options: { color: boolean }) => string | Promise<string>;
}

export const loadReporters = (): Promise<Reporter[]> =>
  discoverModules<Reporter>(`${import.meta.dirname}/reporters`, { file: 'string', render: 'function' });
