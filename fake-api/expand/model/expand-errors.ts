/** Every way in which turning models into documents can fail: what happened, what to do, how the program exits. */

export type ExpandCode =
  | 'MODEL_NOT_FOUND'
  | 'MODEL_SYNTAX'
  | 'MODEL_SHAPE'
  | 'MODEL_FIELD_LINE'
  | 'MODEL_REFERENCE'
  | 'MODEL_DUPLICATE'
  | 'EXPAND_USAGE'
  | 'EXPAND_WRITE_FAILED';

interface Entry {
  readonly message: string;
  readonly remedy: string;
  readonly exitCode: 2 | 3;
}

export const expandErrors: Readonly<Record<ExpandCode, Entry>> = {
  MODEL_NOT_FOUND: {
    message: 'A platform model or a file it names does not exist.',
    remedy: 'Check the platform id and the `include:` names against fake-api/platforms/.',
    exitCode: 2,
  },
  MODEL_SYNTAX: {
    message: 'A model file is not valid YAML.',
    remedy: 'Quote the value that holds a colon, a hash or a leading special character.',
    exitCode: 2,
  },
  MODEL_SHAPE: {
    message: 'A model file has a key or a value that the model format does not know.',
    remedy: 'Compare the place with the reference in fake-api/expand/README.md.',
    exitCode: 2,
  },
  MODEL_FIELD_LINE: {
    message: 'A field line does not follow the field grammar.',
    remedy: 'Write `type(constraint)[](n..m)!=default flags -- description`, see fake-api/expand/README.md.',
    exitCode: 2,
  },
  MODEL_REFERENCE: {
    message: 'A model names something that is not defined.',
    remedy: 'Define the enum, object, mixin or resource, or correct the name.',
    exitCode: 2,
  },
  MODEL_DUPLICATE: {
    message: 'Two places of a platform claim the same name, path or operation.',
    remedy: 'Rename one of them; `id:` and `path:` override what is derived.',
    exitCode: 2,
  },
  EXPAND_USAGE: {
    message: 'The command line was not understood.',
    remedy: 'node fake-api/expand/expand-models.ts [lint] [--platforms a,b] [--json]',
    exitCode: 2,
  },
  EXPAND_WRITE_FAILED: {
    message: 'An expanded document could not be written.',
    remedy: 'Free space on that disk, or give this user the right to write there, then run the same command again.',
    exitCode: 3,
  },
};

/** Where in a model something stands. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly field: string;
}

export interface ErrorDetail {
  readonly place?: Place;
  readonly expected: string;
  readonly got: string;
}

export class ExpandError extends Error {
  readonly code: ExpandCode;
  readonly remedy: string;
  readonly exitCode: number;
  readonly detail: ErrorDetail;

  constructor(code: ExpandCode, detail: ErrorDetail, options?: { cause?: unknown }) {
    const where = detail.place ? `${detail.place.file}:${detail.place.line} ${detail.place.field}: ` : '';
    super(`${where}expected ${detail.expected}, got ${detail.got}`, options);
    this.name = 'ExpandError';
    this.code = code;
    this.remedy = expandErrors[code].remedy;
    this.exitCode = expandErrors[code].exitCode;
    this.detail = detail;
  }
}

/** A value as it should stand in a message: quoted, typed, and cut where it gets long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return `a mapping with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`;
  const text = String(value);
  return `"${text.length > 120 ? `${text.slice(0, 117)}...` : text}" (${typeof value})`;
}
