/**
 * Finds secrets in the accounts file of a container. That file holds only ids; each secret is a file of its own
 * (specification 1.5, 2.5).
 */
import { readFileSync, statSync } from 'node:fs';
import { yaml } from '../lazy-import.ts';

/** Fields of an account that are a secret. */
export const SECRET_FIELDS: readonly string[] = ['client_secret', 'refresh_token', 'api_token', 'password'];

export interface StraySecret {
  section: string;
  field: string;
  /** As it stands there; not every value is a text. */
  value: unknown;
}

/** Of a parsed credentials file; fields without a value are none. */
export function straySecrets(accounts: unknown): StraySecret[] {
  const entriesOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return entriesOf(accounts).flatMap(([section, fields]) =>
    entriesOf(fields).flatMap(([field, value]) =>
      SECRET_FIELDS.includes(field) && value !== null && value !== '' ? [{ section, field, value }] : [],
    ),
  );
}

/** Of a file; none where it is missing, not ours to read, or no YAML: others say so. */
export function straySecretsAt(path: string): StraySecret[] {
  try {
    // A pipe would be waited for.
    if (!statSync(path).isFile()) return [];
    return straySecrets(yaml().parse(readFileSync(path, 'utf8'), { maxAliasCount: 10, logLevel: 'silent' }));
  } catch {
    return [];
  }
}
