/** Values that an example left behind: nobody can log in with them, and no address answers. */

const WORDS =
  /^(<.*>|\{\{.*\}\}|\$\{.*\}|(your|my)[-_ ].*|change[-_ ]?(me|this).*|replace[-_ ]?(me|this).*|placeholder.*|todo|x{3,}|\.{3})$/i;
/** Names that RFC 2606 and RFC 6761 keep for examples; `.test` and `localhost` are for testing and may well answer. */
const RESERVED = /(^|\.)(example|invalid|example\.(com|net|org))$/i;

export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (WORDS.test(text)) return true;
  if (!/^https?:\/\//i.test(text)) return false;
  if (!URL.canParse(text)) return /[<>{}]/.test(text);
  const { hostname } = new URL(text);
  return RESERVED.test(hostname) || /(^|[.-])(your|placeholder)([.-]|$)/i.test(hostname);
}
