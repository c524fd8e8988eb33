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
  /(^|_)((api|hex|wep)key|credentials?|passphrase|password|passwd|psk|secret|((private|shared|preshared|pre_shared|secret|api|encryption|wep|wpa|hex|radius|tunnel|master)_key))$/;
/** With it somebody reads or sets a device over SNMP; a community of BGP is none. */
const COMMUNITY_ENDING =
  /(^|_)(snmp(_?v?[12]c?)?|ro|rw|read(_?only|_?write)?|write|trap|get|set|public|private)_community(_(name|string))?$/;
/** The object that a bare `community` is one of, and no list of BGP communities. */
const SNMP = /snmp/i;
const COMMUNITY: ReadonlySet<string> = new Set(['community', 'communityName', 'community_name', 'community-name']);
/** A paging token is not a credential, and a caller needs it. */
const TOKEN_ENDING = /(?<!(^|_)(next|page|continuation|cursor|plan|sync))(^|_)token$/;
const CREDENTIAL_TEXT = /\b(bearer|basic|token)(\s+)([A-Za-z0-9._~+/=-]{8,})/gi;
/** A header: whatever follows the scheme is the credential. */
const AUTHORIZATION_TEXT =
  /\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})[A-Za-z0-9._~+/=-]{8,}/gi;
/** A name that tells of a secret, then its value: quoted up to the closing quote, else up to the next separator. */
const ASSIGNED_TEXT =
  /\b((?:(?:client|shared)[_-]?secret|password|passwd|passphrase|secret|psk|hexkey|api[_-]?key|(?:access|refresh)[_-]?token|community[_-]?string)["']?\s*[:=]\s*)(?:("(?:[^"\\]|\\.){4,}"|'(?:[^'\\]|\\.){4,}')|[^\s"',;}&]{4,})/gi;
/** What both of them begin with: most texts hold none of it. */
const MAY_HOLD = /bearer|basic|token|secret|passw|passphrase|psk|hexkey|api[_-]?key|community/i;
const SHORTEST_TEXT = 8;

export const MASK = '******';

/** Names are few and come again and again; judging one takes a hundred times as long as remembering it. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 20_000;

/** Every name that is a secret ends so. Most names do not, and this is quicker to find out. */
const MAY_BE_SECRET =
  /(?:key|credentials?|phrase|password|passwd|psk|secret|token|authorization|cookie|string|read|write|pin|community|community[_-]?name)$/i;
/** Only the end of a name counts, and names of any length may come. */
const NAME_END = 64;

/** Is a field of this name a secret? `shared-secret`, `sharedSecret` and `shared_secret` are one name. */
export function isSecretName(fullName: string): boolean {
  const name = fullName.length > NAME_END ? `_${fullName.slice(-NAME_END)}` : fullName;
  if (!MAY_BE_SECRET.test(name)) return false;
  const known = judged.get(name);
  if (known !== undefined) return known;
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  const secret =
    [SECRET_ENDING, TOKEN_ENDING, COMMUNITY_ENDING].some((ending) => ending.test(plain)) || SECRET_NAMES.has(plain);
  // A platform may answer with names nobody has seen before, without end.
  if (judged.size >= MOST_JUDGED) judged.clear();
  judged.set(name, secret);
  return secret;
}

/** The same of a field by the names on the way to it: a bare `community` is one inside of `snmp`. */
export const isSecretAt = (path: readonly string[]): boolean =>
  path.some(
    (name, at) => isSecretName(name) || (COMMUNITY.has(name) && path.slice(0, at).some((outer) => SNMP.test(outer))),
  );

/**
 * The value with every secret field masked; the very same object where there is nothing to mask. Presence stays visible:
 * null and empty values are shown as they are.
 */
export function redact(value: unknown, alsoSecret?: ReadonlySet<string>): unknown {
  return redactAt(value, alsoSecret, 0);
}

/** Deeper values are masked as a whole: a caller may send any depth, and the stack is limited. */
const MOST_NESTED = 1_000;

function redactAt(value: unknown, alsoSecret: ReadonlySet<string> | undefined, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MOST_NESTED) return MASK;
  return Array.isArray(value)
    ? redactList(value, alsoSecret, depth + 1)
    : redactFields(value as Fields, alsoSecret, depth + 1);
}

type Fields = Record<string, unknown>;

function redactList(
  list: readonly unknown[],
  alsoSecret: ReadonlySet<string> | undefined,
  depth: number,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const shown = redactAt(list[at], alsoSecret, depth);
    if (shown === list[at]) continue;
    copy ??= [...list];
    copy[at] = shown;
  }
  return copy ?? list;
}

function redactFields(fields: Fields, alsoSecret: ReadonlySet<string> | undefined, depth: number): Fields {
  let copy: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const inner = fields[name];
    const shown = isMasked(name, inner, alsoSecret) ? MASK : redactAt(inner, within(name, inner, alsoSecret), depth);
    if (shown === inner) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

function within(name: string, inner: unknown, also: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined {
  if (typeof inner !== 'object' || inner === null || !SNMP.test(name)) return also;
  return also === undefined ? COMMUNITY : new Set([...also, ...COMMUNITY]);
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
    .replace(AUTHORIZATION_TEXT, (_, header: string) => header + MASK)
    .replace(CREDENTIAL_TEXT, (all, scheme: string, space: string, value: string) =>
      isWording(value) ? all : `${scheme}${space}${MASK}`,
    )
    .replace(ASSIGNED_TEXT, (_, name: string, quoted: string | undefined) =>
      quoted === undefined ? name + MASK : `${name}${quoted[0]}${MASK}${quoted.at(-1)}`,
    );
}

/** The mask by itself: a longer row of asterisks is a banner. */
const ALONE = /(?<!\*)\*{6}(?!\*)/g;
/** Looks like a secret, and so is masked wherever one would be. */
const PROBE = 'x9Kq2Zv7Lm4T';

/** Whether the mask stands in a text where a secret stood. */
export function holdsMask(text: string): boolean {
  if (text === MASK) return true;
  if (!text.includes(MASK)) return false;
  const probed = text.replace(ALONE, PROBE);
  return timesIn(redactText(probed)) < timesIn(probed);
}

const timesIn = (text: string): number => text.split(PROBE).length;

const WORD =
  /^(?:[A-Z]?[a-z]{1,20}|[a-z]{2,20}(?:[A-Z][a-z]{2,20}){1,3}|(?:[A-Z][a-z]{2,20}){2,4}|[A-Z]{1,16}s?|\d{1,4})$/;
/** `RFC7519`, `WPA3`, `11ax`: one of them may stand among words. */
const DESIGNATION = /^(?:[A-Za-z]{1,6}\d{1,4}|\d{1,3}[A-Za-z]{1,3}|[A-Z]{2,4}[a-z]\d?)$/;

const LONGEST_WORDING = 80;

/** Whether what follows "token" or "basic" is wording such as `endpoint`, `802.11ax` or `rate-limit`: words, no mixture. */
function isWording(text: string): boolean {
  if (text.length > LONGEST_WORDING) return false;
  // A sentence may end behind it.
  const parts = text.replace(/[.-]$/, '').split(/[-/._=]/);
  const others = parts.filter((part) => !WORD.test(part));
  const digits = text.replace(/\D/g, '').length;
  return others.length <= 1 && others.every((part) => DESIGNATION.test(part)) && digits <= 6;
}
