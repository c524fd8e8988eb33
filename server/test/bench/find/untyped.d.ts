/** The parts we use of the libraries that we compare with. The root's install has none of them. */
declare module 'wink-bm25-text-search' {
  interface Wink {
    defineConfig(config: { fldWeights: Record<string, number> }): void;
    definePrepTasks(tasks: ((text: string) => string[])[]): void;
    addDoc(document: Record<string, string>, id: number): void;
    consolidate(): void;
    search(query: string, limit: number): [id: string, score: number][];
  }
  export default function wink(): Wink;
}

declare module 'lunr' {
  interface Clauses {
    term(term: string, options: object): void;
  }
  class Builder {
    ref(name: string): void;
    field(name: string, options: { boost: number }): void;
    add(document: Record<string, unknown>): void;
    build(): { query(ask: (clauses: Clauses) => void): { ref: string; score: number }[] };
  }
  const lunr: { Builder: typeof Builder };
  export default lunr;
}

declare module 'flexsearch' {
  export class Index {
    constructor(options: { tokenize: 'strict'; encode: (text: string) => string[] });
    add(id: number, text: string): void;
    search(query: string, options: { limit: number; suggest: boolean }): (number | string)[];
  }
}

declare module 'minisearch' {
  interface Options {
    fields: string[];
    tokenize: (text: string) => string[];
    processTerm: (term: string) => string;
    searchOptions: { boost: Record<string, number>; combineWith: 'OR'; prefix: boolean; fuzzy: boolean };
  }
  export default class MiniSearch {
    constructor(options: Options);
    addAll(documents: readonly { id: number }[]): void;
    search(query: string): { id: unknown }[];
  }
}

declare module '@orama/orama' {
  interface Index {
    readonly tokenizer: object;
  }
  interface Tokenizer {
    language: string;
    normalizationCache: Map<string, string>;
    tokenize: (text: string) => string[];
  }
  interface Question {
    term: string;
    properties: string[];
    boost: Record<string, number>;
    limit: number;
    threshold: number;
  }
  export function create(options: { schema: Record<string, 'string'>; components: { tokenizer: Tokenizer } }): Index;
  export function insertMultiple(index: Index, documents: readonly { id: string }[], batch: number): Promise<unknown>;
  export function search(index: Index, question: Question): Promise<{ hits: { id: string }[] }>;
}
