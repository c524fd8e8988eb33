/** What the operator says when documents are added. */
/**
 * Values of `--auth`. All but the first and the last make every call present one credential; OpenAPI has no scheme for a
 * login with name and password.
 */
export const IMPORT_STRATEGIES = [
  'declared',
  'oauth2-client-credentials',
  'oauth2-refresh-token',
  'bearer-token',
  'api-key',
  'api-key-query',
  'api-key-cookie',
  'basic',
  'digest',
  'none',
] as const;
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
