/** The secrets of one apply: checked, used, and gone when it ends. */
import { blockedBy } from './blocked.ts';
import { RUN_LIMITS } from './migration-run.ts';
import { isRedactionMarker } from './secret-field.ts';

/** By candidate key, then by name. */
export type TargetSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Faults of the secrets of one candidate; undefined if all required ones are present and valid. The text contains no
 * value.
 */
export function secretProblem(names: readonly string[], given: Readonly<Record<string, string>>): string | undefined {
  const missing = names.filter((name) => !Object.hasOwn(given, name) || given[name] === '');
  if (missing.length > 0) return blockedBy('secret-missing', `target_secrets lacks ${missing.join(', ')}`);
  for (const name of names) {
    const value = given[name] as string;
    if (value.length > RUN_LIMITS.secretLength)
      return blockedBy(
        'secret-too-long',
        `${name} should have at most ${RUN_LIMITS.secretLength} characters, got ${value.length}`,
      );
    if (isRedactionMarker(value.trim()))
      return blockedBy('secret-redacted', `${name} is a redaction marker, not a secret`);
    if (name === 'wpa_passphrase' && !isPassphrase(value))
      return blockedBy(
        'secret-unfit',
        `${name} should have 8 to 63 characters, or be 64 hexadecimal digits, got ${[...value].length} characters`,
      );
  }
  const other = Object.keys(given).filter((name) => !names.includes(name));
  return other.length > 0
    ? blockedBy(
        'secret-not-asked-for',
        `target_secrets holds ${other.length} name(s) that the candidate does not ask for`,
      )
    : undefined;
}

/** IEEE 802.11 annex J.4: a target's documents may allow less, as one does that writes an open network by an empty text. */
const isPassphrase = (value: string): boolean => /^.{8,63}$/su.test(value) || /^[0-9a-f]{64}$/i.test(value);
