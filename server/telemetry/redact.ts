/** Masks what must never be shown: by the name of a field, and by the look of a value in free text. */

const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'set_cookie',
  'community_string',
  'snmp_read',
  'snmp_write',
  'hexkey',
  'pin',
]);
const SECRET_ENDING =
  /(^|_)(apikey|credentials?|passphrase|password|passwd|psk|secret|((private|shared|preshared|pre_shared|secret|api|encryption|wep|wpa|hex|radius|tunnel|master)_key))$/;
/** A paging token is not a credential, and a caller needs it. */
const TOKEN_ENDING = /(?<!(^|_)(next|page|continuation|cursor|plan|sync))(^|_)token$/;
const CREDENTIAL_TEXT = /\b(bearer|basic|token)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
/** A name that tells of a secret, then its value: quoted up to the closing quote, else up to the next separator. */
const ASSIGNED_TEXT =
  /\b((?:(?:client|shared)[_-]?secret|password|passwd|passphrase|secret|psk|hexkey|api[_-]?key|(?:access|refresh)[_-]?token|community[_-]?string)["']?\s*[:=]\s*)(?:("(?:[^"\\]|\\.){4,}"|'(?:[^'\\]|\\.){4,}')|[^\s"',;}&]{4,})/gi;
/** What both of them begin with: most texts hold none of it. */
const MAY_HOLD = /bearer|basic|token|secret|passw|passphrase|psk|hexkey|api[_-]?key|community/i;
const SHORTEST_TEXT = 8;

export const MASK = '******';

/** Names are few and come again and again; judging one takes a hundred times as long as remembering it. */
const judged = new Map<string, boolean>();
const JUDGED_KEPT = 20_000;

/** Is a field of this name a secret? `shared-secret`, `sharedSecret` and `shared_secret` are one name. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  const secret = SECRET_NAMES.has(plain) || SECRET_ENDING.test(plain) || TOKEN_ENDING.test(plain);
  // A platform may answer with names nobody has seen before, without end.
  if (judged.size >= JUDGED_KEPT) judged.clear();
  judged.set(name, secret);
  return secret;
}

/**
 * The value with every secret field masked; the very same object where there is nothing to mask. Presence stays visible:
 * null and empty values are shown as they are.
 */
export function redact(value: unknown, alsoSecret?: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value) ? redactList(value, alsoSecret) : redactFields(value as Fields, alsoSecret);
}

type Fields = Record<string, unknown>;

function redactList(list: readonly unknown[], alsoSecret: ReadonlySet<string> | undefined): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const shown = redact(list[at], alsoSecret);
    if (shown === list[at]) continue;
    copy ??= [...list];
    copy[at] = shown;
  }
  return copy ?? list;
}

function redactFields(fields: Fields, alsoSecret: ReadonlySet<string> | undefined): Fields {
  let copy: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const inner = fields[name];
    const shown = isMasked(name, inner, alsoSecret) ? MASK : redact(inner, alsoSecret);
    if (shown === inner) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

/** A field the document declares secret is masked whole; a name alone only masks a value, not a structure. */
function isMasked(name: string, inner: unknown, alsoSecret: ReadonlySet<string> | undefined): boolean {
  if (inner === null || inner === '' || inner === undefined) return false;
  if (alsoSecret?.has(name)) return true;
  return (typeof inner === 'string' || typeof inner === 'number') && isSecretName(name);
}

/** Free text with credential-shaped parts masked. */
export function redactText(text: string): string {
  if (text.length < SHORTEST_TEXT || !MAY_HOLD.test(text)) return text;
  return text
    .replace(CREDENTIAL_TEXT, (_, scheme: string) => `${scheme} ${MASK}`)
    .replace(ASSIGNED_TEXT, (_, name: string, quoted: string | undefined) =>
      quoted === undefined ? name + MASK : `${name}${quoted[0]}${MASK}${quoted.at(-1)}`,
    );
}
