/** The parts we use of libraries that bring no types. */
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
