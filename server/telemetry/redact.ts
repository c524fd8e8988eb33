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
const ASSIGNED_TEXT =
  /\b((?:client[_-]?secret|password|passphrase|secret|psk|api[_-]?key|access[_-]?token)["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}/gi;

export const MASK = '******';

/** Is a field of this name a secret? `shared-secret`, `sharedSecret` and `shared_secret` are one name. */
export function isSecretName(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SECRET_NAMES.has(plain) || SECRET_ENDING.test(plain) || TOKEN_ENDING.test(plain);
}

/** A copy with every secret field masked. Presence stays visible: null and empty values are shown as they are. */
export function redact(value: unknown, alsoSecret: ReadonlySet<string> = new Set()): unknown {
  if (Array.isArray(value)) return value.map((entry) => redact(entry, alsoSecret));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const scalar = typeof inner === 'string' || typeof inner === 'number';
        // A field the document declares secret is masked whole; a name alone only masks a value, not a structure.
        if (inner !== null && inner !== '' && (alsoSecret.has(name) || (scalar && isSecretName(name))))
          return [name, MASK];
        return [name, redact(inner, alsoSecret)];
      }),
    );
  }
  return typeof value === 'string' ? redactText(value) : value;
}

/** Free text with credential-shaped parts masked. */
export function redactText(text: string): string {
  return text.replace(CREDENTIAL_TEXT, (_, scheme: string) => `${scheme} ${MASK}`).replace(ASSIGNED_TEXT, `$1${MASK}`);
}

/** The text with these very values masked, wherever they stand: for what a platform reflects back. */
export function scrubValues(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 6) continue;
    clean = clean.replaceAll(secret, MASK);
    const escaped = JSON.stringify(secret).slice(1, -1);
    if (escaped !== secret) clean = clean.replaceAll(escaped, MASK);
  }
  return clean;
}
