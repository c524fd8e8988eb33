/** Spelling of names: kebab, Pascal, camel and snake forms of one and the same words. */

/** Words of a name, whatever its spelling: `auth-servers`, `authServers` and `auth_servers` are two words each. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

export function pascal(name: string): string {
  return wordsOf(name)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

export function camel(name: string): string {
  const joined = pascal(name);
  return joined === '' ? '' : joined[0]!.toLowerCase() + joined.slice(1);
}

export function kebab(name: string): string {
  return wordsOf(name).join('-');
}

export function snake(name: string): string {
  return wordsOf(name).join('_');
}

/** A regular English singular; a resource with an irregular one says so with `id:`. */
export function singularOf(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(ss|us)$/.test(name)) return name;
  // The hissing endings; `caches` and `releases` end in a silent e of their own.
  if (/(ss|x|sh|z|[^a]ch|tch|alias|status|bus|canvas|lens)es$/.test(name)) return name.replace(/es$/, '');
  return name.replace(/s$/, '');
}

export function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  return /(s|x|ch)$/.test(name) ? `${name}es` : `${name}s`;
}

export function sentence(text: string): string {
  const trimmed = text.trim().replace(/\.$/, '');
  return trimmed === '' ? '' : `${trimmed[0]!.toUpperCase()}${trimmed.slice(1)}.`;
}

/** "a, b and c" */
export function listed(parts: readonly string[], joint = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${joint} ${parts.at(-1)}`;
}

export function article(noun: string): string {
  return /^(8|[aeio]|u(?!ni|se)|[AEFHILMNORSX][A-Z0-9]|S[A-Z])/.test(noun) ? 'an' : 'a';
}

export function capitalised(text: string): string {
  return text === '' ? '' : text[0]!.toUpperCase() + text.slice(1);
}
