/**
 * The very values that must never leave: passwords, keys, tokens this router holds. Wherever one turns up, as it is or
 * encoded, whole or (for what a machine made) in part, it is masked.
 */
import { maskDecoded } from './decoded-runs.ts';
import { PieceFinder } from './piece-finder.ts';
import { MASK } from './redact.ts';
import { isGenerated, spellingsOf } from './spellings.ts';

/** Shorter values stand in ordinary text by chance. */
export const SHORTEST_KNOWN = 6;
/** Tokens that were replaced stay secret for a while; the oldest are let go. */
const MOST_SECRETS = 512;

/** Each value with whether a machine made it. */
export type SecretValues = readonly (readonly [value: string, generated: boolean])[];

export class KnownSecrets {
  /** Each with whether a machine made it, in order of their learning. */
  readonly #values = new Map<string, boolean>();
  /** Those that are never let go, by where they stand. */
  readonly #held = new Map<string, ReadonlySet<string>>();
  #finder: PieceFinder | undefined;
  #version = 0;

  constructor(values: Iterable<string> = []) {
    for (const value of values) this.learn(value);
  }

  /** Values of another one, for another thread. */
  static of(values: SecretValues): KnownSecrets {
    const secrets = new KnownSecrets();
    for (const [value, generated] of values) secrets.#add(value, generated);
    return secrets;
  }

  /** Differs after every change. */
  get version(): number {
    return this.#version;
  }

  /** For another thread of this process only. */
  get values(): SecretValues {
    return [...this.#values];
  }

  learn(...values: readonly (string | undefined)[]): void {
    for (const value of values) if (value !== undefined) this.#add(value, isGenerated(value));
  }

  /** Values of one place, such as the credentials file. They stay known as long as they stand there, however many tokens come. */
  hold(place: string, values: Iterable<string>): void {
    const held = new Set(values);
    this.#held.set(place, held);
    this.learn(...held);
  }

  /** The same for secrets that a platform issued, such as a login: known as long as no other one took their place. */
  holdIssued(place: string, values: readonly (string | undefined)[]): void {
    this.#held.set(place, new Set(values.filter((value) => value !== undefined)));
    this.learnIssued(...values);
  }

  /** Secrets that a platform issued. No person chose them, so no part of one is an ordinary word. */
  learnIssued(...values: readonly (string | undefined)[]): void {
    for (const value of values) if (value !== undefined) this.#add(value, true);
  }

  #add(value: string, generated: boolean): void {
    const known = this.#values.get(value);
    if (value.length < SHORTEST_KNOWN || known === true || known === generated) return;
    this.#values.set(value, generated);
    this.#finder = undefined;
    this.#version += 1;
    if (this.#values.size > MOST_SECRETS) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const held = [...this.#held.values()];
    const oldest = this.#values.keys().find((value) => !held.some((values) => values.has(value)));
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  /** The same value with every text in it, names included, scrubbed. Numbers stay, so that JSON stays JSON. */
  scrubTexts<T>(value: T): T {
    if (typeof value === 'string') return this.scrub(value) as T;
    if (Array.isArray(value)) return value.map((entry) => this.scrubTexts(entry)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [this.scrub(name), this.scrubTexts(entry)]),
    ) as T;
  }

  /**
   * As `scrub`; of JSON only its texts, names included, so that a secret of digits leaves its numbers whole. A number that is the
   * secret becomes a text.
   */
  scrubJson(text: string): string {
    const clean = this.scrub(text);
    if (clean === text || !isJson(text)) return clean;
    return text.replace(JSON_VALUE, (literal) => {
      if (!literal.startsWith('"')) return this.#values.has(literal.replace('-', '')) ? JSON.stringify(MASK) : literal;
      const said = JSON.parse(literal) as string;
      const shown = this.scrub(said);
      return shown === said ? literal : JSON.stringify(shown);
    });
  }

  /** The text with every known value masked. */
  scrub(text: string): string {
    if (this.#values.size === 0 || text.length < SHORTEST_KNOWN) return text;
    this.#finder ??= new PieceFinder([...this.#values].flatMap(([value, generated]) => spellingsOf(value, generated)));
    const finder = this.#finder;
    const ranges = finder.find(text);
    let clean = '';
    let at = 0;
    for (const [from, until] of ranges) {
      clean += text.slice(at, from) + MASK;
      at = until;
    }
    return maskDecoded(clean + text.slice(at), MASK, finder.shortest, (meaning) => finder.find(meaning));
  }
}

/** A text within JSON, with its quotes, or a number. */
const JSON_VALUE = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** A number alone may be the secret itself. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) !== 'number';
  } catch {
    return false;
  }
}
