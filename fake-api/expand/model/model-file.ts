/**
 * One YAML file of the model, read so that every complaint can name file, line and field.
 * A `Spot` is a value together with where it stands; readers take spots and never bare values.
 */
import { readFile } from 'node:fs/promises';
import type { Document } from 'yaml';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { type ExpandCode, ExpandError, type Place, shown } from './expand-errors.ts';

type Step = string | number;

export async function readModelFile(path: string, shownName: string): Promise<Spot> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new ExpandError(
      'MODEL_NOT_FOUND',
      { expected: `a model file ${shownName}`, got: 'no readable file' },
      { cause },
    );
  }
  return parseModel(text, shownName);
}

export function parseModel(text: string, shownName: string): Spot {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const [problem] = document.errors;
  if (problem) {
    const place = { file: shownName, line: lines.linePos(problem.pos[0]).line, field: '(yaml)' };
    throw new ExpandError('MODEL_SYNTAX', { place, expected: 'valid YAML', got: problem.message });
  }
  return new Spot({ name: shownName, document, lines }, [], document.toJS());
}

interface Source {
  readonly name: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

export class Spot {
  readonly #source: Source;
  readonly #path: readonly Step[];
  readonly value: unknown;

  constructor(source: Source, path: readonly Step[], value: unknown) {
    this.#source = source;
    this.#path = path;
    this.value = value;
  }

  get place(): Place {
    return { file: this.#source.name, line: this.#line(), field: this.#path.join('.') || '(root)' };
  }

  /** The last step of the path: a key of a mapping or an index of a list. */
  get key(): string {
    return String(this.#path.at(-1) ?? '');
  }

  fail(expected: string, got: string = shown(this.value), code: ExpandCode = 'MODEL_SHAPE'): never {
    throw new ExpandError(code, { place: this.place, expected, got });
  }

  /** The mapping's entries; a key outside `known` is refused. Without `known` every key is taken. */
  mapping(known?: readonly string[]): Map<string, Spot> {
    if (this.value === null || typeof this.value !== 'object' || Array.isArray(this.value)) this.fail('a mapping');
    const entries = new Map<string, Spot>();
    for (const [key, value] of Object.entries(this.value as Record<string, unknown>)) {
      const child = new Spot(this.#source, [...this.#path, key], value);
      if (known && !known.includes(key)) child.fail(`one of the keys ${known.join(', ')}`, `the key "${key}"`);
      entries.set(key, child);
    }
    return entries;
  }

  list(): Spot[] {
    if (!Array.isArray(this.value)) this.fail('a list');
    return (this.value as unknown[]).map((item, index) => new Spot(this.#source, [...this.#path, index], item));
  }

  text(): string {
    if (typeof this.value !== 'string' || this.value.trim() === '') this.fail('a text');
    return this.value as string;
  }

  texts(): string[] {
    return this.list().map((item) => item.text());
  }

  whole(): number {
    if (!Number.isInteger(this.value)) this.fail('a whole number');
    return this.value as number;
  }

  flag(): boolean {
    if (typeof this.value !== 'boolean') this.fail('true or false');
    return this.value as boolean;
  }

  oneOf<T extends string>(choices: readonly T[]): T {
    const choice = choices.find((each) => each === this.value);
    return choice ?? this.fail(`one of ${choices.join(', ')}`);
  }

  /** Line of the key rather than of the value, because a block value starts a line later. */
  #line(): number {
    let node: unknown = this.#source.document.contents;
    let offset = 0;
    for (const step of this.#path) {
      if (isMap(node)) {
        const pair = node.items.find(
          (item) => String((item.key as { value?: unknown } | null)?.value) === String(step),
        );
        offset = (pair?.key as { range?: [number, number, number] } | undefined)?.range?.[0] ?? offset;
        node = pair?.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)];
        offset = (node as { range?: [number, number, number] } | undefined)?.range?.[0] ?? offset;
      }
    }
    return this.#source.lines.linePos(offset).line;
  }
}
