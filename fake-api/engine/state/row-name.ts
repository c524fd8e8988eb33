/** What people call a row, where its key does not say it. */
import type { Row } from './collection.ts';

const NAMES = ['name', 'label', 'displayName', 'hostName', 'hostname', 'title'] as const;

/** Undefined where it has no name. */
export function rowName({ value }: Row): string | undefined {
  return NAMES.map((name) => value[name]).find((text): text is string => typeof text === 'string' && text !== '');
}
