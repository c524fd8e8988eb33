/** What could not be taken as written in a document of somebody else, and what was done instead. */
export interface Warning {
  document: string;
  /** JSON pointer into the document. */
  pointer: string;
  message: string;
  remedy: string;
}

/** Enough to see every kind of trouble; a document with a thousand bad formats is one trouble, not a thousand. */
const KEPT_PER_REMEDY = 20;

export class Warnings {
  readonly document: string;
  readonly list: Warning[] = [];
  /** All of them, those not kept included. */
  count = 0;
  readonly #perRemedy = new Map<string, number>();

  constructor(document: string) {
    this.document = document;
  }

  add(path: readonly (string | number)[], message: string, remedy: string): void {
    this.count += 1;
    const known = (this.#perRemedy.get(remedy) ?? 0) + 1;
    this.#perRemedy.set(remedy, known);
    if (known <= KEPT_PER_REMEDY)
      this.list.push({ document: this.document, pointer: pointerOf(path), message, remedy });
  }
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function showWarning(warning: Warning): string {
  return `warning: ${warning.document}${warning.pointer === '' ? '' : ` at ${warning.pointer}`}: ${warning.message}. Remedy: ${warning.remedy}`;
}
