/** What the operator says when documents are added. */
import { SINGLE_STRATEGIES } from '../config/platform-file.ts';

/** Values of `--auth`. OpenAPI has no scheme for a login with name and password, so the strategies that log in are none of them. */
export const IMPORT_STRATEGIES = [
  'declared' as const,
  ...SINGLE_STRATEGIES.filter((strategy) => strategy !== 'login-token' && strategy !== 'session'),
];
export type ImportStrategy = (typeof IMPORT_STRATEGIES)[number];

export interface ImportOptions {
  name: string;
  baseUrl?: string;
  auth?: ImportStrategy;
  /** Header of an API key. */
  header?: string;
  /** Query parameter or cookie of an API key. */
  parameter?: string;
  tokenUrl?: string;
  title?: string;
}
