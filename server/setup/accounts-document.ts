/** The accounts file as the setup reads and writes it: sections with fields, and the comments and lines of whoever edited it. */
import type { Document } from 'yaml';
import { RouterError } from '../errors.ts';
import { yaml } from '../lazy-import.ts';

/** Throws CREDENTIALS_INVALID for a text that is not one YAML document of sections. No line of it enters the message. */
export function accountsDocument(text: string, path: string): Document {
  // Told of errors, the parser also tells of a second document, which would be lost at the next writing.
  const document = yaml().parseDocument(text, { logLevel: 'error' });
  const problem = document.errors.length > 0 ? 'a syntax error' : problemOf(accountsIn(document));
  if (problem === undefined) return document;
  throw new RouterError('CREDENTIALS_INVALID', `${path} should be one YAML document of sections, got ${problem}`, {
    remedy: 'correct or remove the file, then run the setup again',
  });
}

/** Undefined where an alias cannot be followed. */
function accountsIn(document: Document): { value: unknown } | undefined {
  try {
    return { value: document.toJS({ maxAliasCount: 10 }) };
  } catch {
    return undefined;
  }
}

function problemOf(accounts: { value: unknown } | undefined): string | undefined {
  if (accounts === undefined) return 'an alias that cannot be followed';
  const { value } = accounts;
  if (value !== null && !isMap(value)) return 'something else';
  const isOdd = Object.values(value ?? {}).some((fields) => fields !== null && !isMap(fields));
  return isOdd ? 'a section without fields' : undefined;
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
