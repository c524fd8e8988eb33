/** The full filter grammar: `(a eq 'x' or not b in ('y','z')) and contains(c,'part')`. */
import { describe } from '../state/json-value.ts';
import { type Expression, FilterProblem, operatorsOf, type ParsedExpression, parsed } from './expression.ts';
import { literal, tokenize } from './odata-tokens.ts';

type Table = Readonly<Record<string, string[]>>;

export function parseOdata(text: string, fields: Table): ParsedExpression {
  return parsed(() => {
    const tokens = tokenize(text);
    if (tokens === null || tokens.length === 0)
      throw new FilterProblem("conditions such as field eq 'value'", describe(text));
    const reader = new Reader(tokens, fields);
    const expression = reader.any();
    reader.end();
    return expression;
  });
}

const functions = ['contains', 'startswith'];

/** One method per level of binding: or binds least, then and, then not. */
class Reader {
  readonly #tokens: readonly string[];
  readonly #fields: Table;
  #at = 0;

  constructor(tokens: readonly string[], fields: Table) {
    this.#tokens = tokens;
    this.#fields = fields;
  }

  any(): Expression {
    return this.#joined('or', 'any', () => this.#all());
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new FilterProblem('and, or, or the end', `"${this.#tokens[this.#at]}"`);
  }

  #all(): Expression {
    return this.#joined('and', 'all', () => this.#not());
  }

  #joined(word: string, kind: 'all' | 'any', part: () => Expression): Expression {
    const parts = [part()];
    while (this.#take(word)) parts.push(part());
    return parts.length === 1 ? (parts[0] as Expression) : { kind, parts };
  }

  #not(): Expression {
    if (this.#take('not')) return { kind: 'not', part: this.#not() };
    if (!this.#take('(')) return this.#condition();
    const inner = this.any();
    this.#need(')', '")" after the conditions in parentheses');
    return inner;
  }

  #condition(): Expression {
    const word = this.#next('a field');
    const called = functions.includes(word.toLowerCase()) && this.#tokens[this.#at] === '(';
    return called ? this.#function(word.toLowerCase()) : this.#comparison(word);
  }

  /** `contains(field,'part')`; a field that may be searched by a part may be searched by its beginning too. */
  #function(operator: string): Expression {
    this.#need('(', `"(" after ${operator}`);
    const field = this.#next(`a field in ${operator}(field,'text')`);
    const allowed = operatorsOf(field, this.#fields);
    if (!allowed.includes('contains'))
      throw new FilterProblem(`operator ${allowed.join(' or ')} on ${field}`, `"${operator}"`);
    this.#need(',', `"," after the field in ${operator}`);
    const value = this.#value(operator);
    this.#need(')', `")" after the text in ${operator}`);
    return { kind: 'condition', condition: { field, operator, values: [value] } };
  }

  #comparison(field: string): Expression {
    const allowed = operatorsOf(field, this.#fields);
    const operator = this.#next(`an operator after ${field}`).toLowerCase();
    if (!allowed.includes(operator) || operator === 'contains')
      throw new FilterProblem(`operator ${allowed.join(' or ')} on ${field}`, `"${operator}"`);
    const values = operator === 'in' ? this.#list() : [this.#value(operator)];
    return { kind: 'condition', condition: { field, operator, values } };
  }

  #list(): string[] {
    this.#need('(', "a list such as ('a','b') after in");
    const values = [this.#value('in')];
    while (this.#take(',')) values.push(this.#value('in'));
    this.#need(')', '"," or ")" in the list after in');
    return values;
  }

  #value(after: string): string {
    const token = this.#tokens[this.#at];
    const value = literal(token);
    if (value === null) throw new FilterProblem(`a quoted value after ${after}`, `"${token ?? ''}"`);
    this.#at += 1;
    return value;
  }

  #next(expected: string): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new FilterProblem(expected, 'the end');
    this.#at += 1;
    return token;
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #need(mark: string, expected: string): void {
    if (!this.#take(mark)) throw new FilterProblem(expected, `"${this.#tokens[this.#at] ?? ''}"`);
  }
}
