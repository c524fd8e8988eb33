/** Changes to principals.yaml: comments and order stay, the file is replaced as a whole, and no bearer is written into it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { YAMLMap, YAMLSeq } from 'yaml';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { whileLocked } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import * as lazyImport from '../lazy-import.ts';
import { didYouMean } from '../nearest.ts';
import { hashOf, newBearer } from './bearer-hash.ts';
import { type PrincipalEntry, readEntries, readPrincipals, type ServerSettings } from './principals-file.ts';

/** Of one principal, and of none more than its name and this. */
export type Narrowed = Partial<Omit<PrincipalEntry, 'name' | 'bearers'>>;

const EMPTY = 'principals: []\n';

export class PrincipalsEditor {
  readonly #path: string;
  readonly #settings: ServerSettings;

  constructor(path: string, settings: ServerSettings) {
    this.#path = path;
    this.#settings = settings;
  }

  /** What each may do, and how many bearers it has; no hash. */
  list(): (Omit<PrincipalEntry, 'bearers'> & { bearers: number })[] {
    if (!existsSync(this.#path)) return [];
    return readEntries(this.#path).entries.map((entry) => ({ ...entry, bearers: entry.bearers?.length ?? 0 }));
  }

  /** Its bearer, which is kept nowhere. Throws USAGE, or PRINCIPALS_INVALID and leaves the file as it was. */
  add(name: string, narrowed: Narrowed): string {
    const bearer = newBearer();
    this.#change((entries) => this.#append(entries, { name, bearers: [hashOf(bearer)], ...narrowed }));
    return bearer;
  }

  /** One without a bearer, proven by a claim of its access tokens. Throws as `add` does. */
  addProven(name: string, narrowed: Narrowed & { oauth: NonNullable<Narrowed['oauth']> }): void {
    this.#change((entries) => this.#append(entries, { name, ...narrowed }));
  }

  /** Another bearer. With `keep` the newest one before it stays valid until the next rotation. */
  rotate(name: string, keep: boolean): string {
    const bearer = newBearer();
    this.#change((entries) => {
      const entry = this.#mustFind(entries, name);
      const [newest] = ((entry.get('bearers') as YAMLSeq | undefined)?.toJSON() ?? []) as string[];
      entry.set('bearers', [hashOf(bearer), ...(keep && newest !== undefined ? [newest] : [])]);
    });
    return bearer;
  }

  remove(name: string): void {
    this.#change((entries) => {
      const found = this.#mustFind(entries, name);
      entries.items = entries.items.filter((entry) => entry !== found);
    });
  }

  #append(entries: YAMLSeq, entry: PrincipalEntry): void {
    if (this.#find(entries, entry.name))
      throw new RouterError('USAGE', `there is a principal ${entry.name} already`, {
        remedy: '`svc-mcp-principal rotate` gives it another bearer; remove it first to change what it may use',
      });
    entries.flow = false;
    entries.add(new (lazyImport.yaml().Document)(entry).contents);
  }

  #find(entries: YAMLSeq, name: string): YAMLMap | undefined {
    return (entries.items as YAMLMap[]).find((entry) => entry.get('name') === name);
  }

  #mustFind(entries: YAMLSeq, name: string): YAMLMap {
    const found = this.#find(entries, name);
    if (found) return found;
    const names = (entries.items as YAMLMap[]).map((entry) => String(entry.get('name')));
    throw new RouterError('USAGE', `there is no principal ${name.slice(0, 64)}${didYouMean(name, names)}`, {
      remedy: '`svc-mcp-principal list` names those that there are',
    });
  }

  /** What would be refused at a start is not written. */
  #change(edit: (entries: YAMLSeq) => void): void {
    makeFolder(dirname(this.#path));
    whileLocked(`${this.#path}.lock`, (mustHold) => {
      if (existsSync(this.#path)) readEntries(this.#path);
      const before = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : undefined;
      const document = lazyImport.yaml().parseDocument(before ?? EMPTY);
      edit(document.get('principals') as YAMLSeq);
      // A hash is one line, however long.
      const text = document.toString({ lineWidth: 0 });
      const draft = `${this.#path}.new`;
      writeAtomically(draft, text, { durable: false });
      try {
        readPrincipals(draft, this.#settings);
      } catch (error) {
        throw this.#asChanged(error, draft);
      } finally {
        rmSync(draft, { force: true });
      }
      writeAtomically(this.#path, text, { beforeReplacing: mustHold });
    });
  }

  /** The draft that is refused is gone when somebody reads of it. */
  #asChanged(error: unknown, draft: string): unknown {
    if (!(error instanceof RouterError)) return error;
    const message = error.message.replace(draft, `${this.#path} as it would be`);
    return new RouterError('USAGE', message, { remedy: 'correct the options; the file is as it was' });
  }
}
