/** Texts of patterns that give their form away, each with the forms that it takes. */
import { expressionOf } from '../openapi/pattern.ts';
import type { TextField } from './text-field.ts';

export const SYSTEM_VERSIONS = ['15.3.1', '14.7.2', '11.0.26100', '15.2', '18.2.1'] as const;

/** Texts of fixed forms, for a field whose pattern none of its own draws fits: groups of one form, the narrow ones first. */
const FIXED: readonly (readonly string[])[] = [
  ['36E/15.0', '100/18.0', '1/9.0'],
  ['wan0', 'wan1', 'lan0', 'lan1'],
  ['lan0', 'lan0.20', 'lan0.30', 'lan1'],
  ['bond0', 'bond1'],
  ['bvi0', 'bvi1'],
  ['mgmt0', 'mgmt1'],
  ['lag10', 'lag20'],
  ['2026.02.26', '2026.01.29'],
  ['2026.2', '2026.1', '2025.11'],
  ['20260226.1', '20260129.1'],
  ['1.3.6.1.2.1.2.2.1.14', '1.3.6.1.2.1.25.3.3.1.2', '1.3.6.1.2.1.1'],
  ['49.0001.0102.5500.0001.00', '49.0001.0102.5500.0002.00'],
  ['registry.harbour.example/collector:1.4.2'],
  ['kafka-1.harbour.example:9093', 'kafka-2.harbour.example:9093'],
  ['tcp:443', 'udp:3478', 'udp:5060'],
  ['+353', '+44'],
  ['AC-2', 'AC-17', 'SC-8', 'AU-6', 'CM-6'],
  ['/Users', '/Groups'],
  ['ADV-2026-004', 'ADV-2026-011'],
  ['show interfaces brief', 'show lldp neighbors', 'show version'],
  ['dub1', 'lon2', 'fra1'],
  ['4.2.10', '4.2.11', '4.3.1'],
  ['guests:read', 'endpoints:write', 'devices:read'],
  ['last sunday march 01:00', 'last sunday october 01:00'],
  ['65010:100', '65010:200', '65010:310'],
  ['00:1A:2B', '00:1B:D5'],
  ['00:1a:2b', '00:1b:d5'],
];

/** The same for patterns that take no longer word. */
const FIXED_SHORT: readonly (readonly string[])[] = [
  ['en', 'ga', 'de', 'fr', 'nl', 'es', 'pt'],
  ['IE-L', 'IE-M', 'IE-C', 'GB-NIR'],
];

/** The same for patterns that take digits and no letters. */
const FIXED_NUMBERS: readonly (readonly string[])[] = [
  ['27201', '27202', '23410'],
  ['2026-02', '2026-01'],
  ['53.3478'],
  ['-6.2397'],
];

const fixed = new Map<string, readonly string[]>();

function fixedForms(pattern: string): readonly string[] {
  const takes = expressionOf(pattern);
  // What takes any word is a name.
  if (['example', 'EXAMPLE', 'exam_ple'].some((text) => takes.test(text))) return [];
  const isHex = ['abcdef12', 'ABCDEF12', 'ab', 'AB', 'QWKH3', 'QWKH39LM', 'AB-CD', '+353 1 555 0142'].some((text) =>
    takes.test(text),
  );
  const isWord = ['abcd', 'abc', 'QWKH3', 'ABC'].some((text) => takes.test(text));
  // Releases of the devices go before those of agents.
  const fixed = takes.test('10.7.1') ? FIXED.filter((texts) => !texts.includes('4.2.10')) : FIXED;
  const groups = [...fixed, ...(isHex ? [] : FIXED_NUMBERS), ...(isWord ? [] : FIXED_SHORT)];
  return groups.map((texts) => texts.filter((text) => takes.test(text))).find((texts) => texts.length > 0) ?? [];
}

/** The at-th fixed form that a pattern takes; undefined once they are used up. */
export const fixedFormAt = (pattern: string, at: number): string | undefined => fixedForms(pattern)[at];

/** A fixed form that a pattern takes; undefined where none does. */
export function fixedForm(pattern: string, { dice, words, row }: TextField): string | undefined {
  const known = fixed.get(pattern) ?? fixedForms(pattern);
  fixed.set(pattern, known);
  if (known.length === 0) return undefined;
  const systems =
    words.includes('os') && !/^(fabric|sdwan|legacy)$/.test(String(row[1]))
      ? SYSTEM_VERSIONS.filter((text) => expressionOf(pattern).test(text))
      : [];
  return dice.pick(systems.length > 0 ? systems : known);
}
