/** Which fields of an export are secrets, and what stands in their place from the door on (specification 3.4). */
import { canonicalJson } from '../dispatch/canonical-json.ts';
import { isSecretName, MASK, redactText } from '../telemetry/redact.ts';

/** A run of asterisks of one length, so that it tells nothing of the secret. */
export const PRESENT = MASK;
/** What an export that was redacted elsewhere may hold in place of nothing. */
export const EMPTY = '<redacted:empty>';
/** What a preview and a stored run show where a real secret will be supplied. */
export const PLACEHOLDER = '__runtime_secret_placeholder__';

const NAME = /^(key|authentication|passphrase|psk|wepkey)\d*$/;
const ENDING =
  /(pass(phrase|word|wd|code)|secret|hexkey|wep_?keys?|psk|(^|_)(keys?|pass|pwd|pw|snmp_([a-z]+_)?community))\d*$/;
/** Ends like a secret and names an attribute. */
const HARMLESS = new Set(['key_attribute', 'session_key', 'use_session_key', 'opp_key', 'admin_dn', 'bind_dn']);
const CONFIGURED = /[_-](configured|present)$/;
const DEEPEST = 32;
/** Characters kept of one text. */
const LONGEST = 1_000;
/** Stands for what is longer or deeper. */
const CUT = '…';

/** The name as every spelling of it is compared: `WPA-Passphrase`, `wpa_passphrase`. */
export function plainName(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}

/** A flattened path such as `ssid.wep_keys[0].key` is judged by its last component that is no number. */
export function isSecretField(path: string): boolean {
  const parts = path.split(/[/.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  const last = plainName(parts.at(-1) ?? path);
  if (HARMLESS.has(last)) return false;
  return NAME.test(last) || ENDING.test(last) || isSecretName(last);
}

/** Asterisks or a marker of ours or of others: the text of a secret that somebody took out already. */
export function isRedactionMarker(text: string): boolean {
  return /^\*+$/.test(text) || /^<redacted(:[a-z-]+)?>$/i.test(text) || text === PLACEHOLDER;
}

/** Whether a text is as the export has it: not cut, and without a credential that was taken out of it. */
export const isWhole = (text: string): boolean => text.length <= LONGEST && !text.includes(MASK);

/** Whether a credential was taken out of a text in the value; a secret field holds nothing but its marker. */
export function isMaskedInPart(value: unknown): boolean {
  if (typeof value === 'string') return value !== PRESENT && value.includes(MASK);
  return typeof value === 'object' && value !== null && Object.values(value).some(isMaskedInPart);
}

/**
 * Null, an empty text, an empty list, an object of nothing else, and a secret that is not set. An empty object is something:
 * the controller writes a flag that is on so.
 */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === EMPTY) return true;
  if (typeof value !== 'object') return false;
  const inner = Object.values(value);
  return (inner.length > 0 || Array.isArray(value)) && inner.every(isNothing);
}

/**
 * A value without its secrets, bounded in depth and length, its field names in one spelling. Presence flags stay booleans;
 * the platform's own `…_configured` tells of a secret it does not show.
 */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value.length > LONGEST ? `${value.slice(0, LONGEST)}${CUT}` : value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return CUT;
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, depth + 1));
  const fields = new Map<string, unknown>();
  for (const name of Object.keys(value).sort()) {
    const [plain, kept] = fieldWithoutSecrets(name, (value as Record<string, unknown>)[name], depth);
    // Two spellings of one name: the one that tells of a secret counts, else the first that says something.
    const other = fields.get(plain);
    if (isNothing(other) || kept === PRESENT) fields.set(plain, kept);
    else if (!isNothing(kept) && canonicalJson(kept) !== canonicalJson(other)) fields.set(`${plain} (again)`, kept);
  }
  return Object.fromEntries(fields);
}

function fieldWithoutSecrets(name: string, value: unknown, depth: number): [string, unknown] {
  const plain = plainName(name);
  const told = plain.replace(CONFIGURED, '');
  if (told !== plain && typeof value === 'boolean' && isSecretField(told)) return [told, value ? PRESENT : EMPTY];
  if (!isSecretField(plain) || isOnlyFlags(value)) return [plain, withoutSecrets(value, depth + 1)];
  return [plain, holdsSomething(value) ? PRESENT : EMPTY];
}

function isOnlyFlags(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const inner = Object.values(value);
  return inner.length > 0 && inner.every((each) => typeof each === 'boolean');
}

function holdsSomething(value: unknown, depth = 0): boolean {
  if (value === EMPTY || value === '' || value === null || value === undefined || typeof value === 'boolean')
    return false;
  if (typeof value !== 'object') return true;
  return depth >= DEEPEST || Object.values(value).some((inner) => holdsSomething(inner, depth + 1));
}
