/** Walks a field line before its description; knows brackets, slashes and quotes, nothing about fields. */
import { shown } from './expand-errors.ts';

export type Complain = (expected: string, got: string) => never;

export class Cursor {
  readonly #text: string;
  readonly #complain: Complain;
  #at = 0;

  constructor(text: string, complain: Complain) {
    this.#text = text;
    this.#complain = complain;
  }

  at(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#at);
  }

  take(prefix: string): boolean {
    if (!this.at(prefix)) return false;
    this.#at += prefix.length;
    return true;
  }

  identifier(): string {
    const found = /^[A-Za-z][A-Za-z0-9-]*/.exec(this.#text.slice(this.#at))?.[0];
    if (found === undefined) return this.#complain('a type name', shown(this.#text.slice(this.#at)));
    this.#at += found.length;
    return found;
  }

  /** Text between balanced parentheses; a pattern between slashes may hold any parenthesis. */
  parenthesised(): string {
    const start = this.#at + 1;
    if (this.#text[start] === '/') {
      const end = this.#text.indexOf('/)', start + 1);
      if (end < 0) return this.#complain('a pattern closed by "/)"', shown(this.#text.slice(start)));
      this.#at = end + 2;
      return this.#text.slice(start, end + 1);
    }
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at += 1) {
      if (this.#text[at] === '(') depth += 1;
      if (this.#text[at] === ')') depth -= 1;
      if (depth === 0) {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      }
    }
    return this.#complain('a closing parenthesis', shown(this.#text.slice(start - 1)));
  }

  /** A default value: a quoted text, or everything up to the next blank. */
  word(): string {
    const rest = this.#text.slice(this.#at);
    const found = /^"[^"]*"|^\S*/.exec(rest)?.[0] ?? '';
    if (found === '') this.#complain('a value after "="', 'nothing');
    this.#at += found.length;
    return found;
  }

  blank(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }
}
