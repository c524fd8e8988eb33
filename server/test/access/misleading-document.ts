/**
 * Documents that mislead: written for this test, with labels by hand that say of each operation whether it changes something.
 * The labels stand beside the document, where the importer does not read them, and hold for what arrives at the server.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface MisleadingDocument {
  /** Name of the platform it is added as. */
  id: string;
  about: string;
  family: string;
  paths: Readonly<Record<string, unknown>>;
  /** Further keys of the document. `{base}`, `{stranger}`, `{host}` and `{prefix}` stand for addresses of the run. */
  more?: Readonly<Record<string, unknown>>;
  /** Nothing is added but `paths` and `more`. */
  raw?: boolean;
  /** The server that it states; `{base}` when left out. */
  server?: string;
  /** Fields of its account, as the operator sets them. */
  account?: Readonly<Record<string, string>>;
  /** A second document, to which a link in the folder of the first leads. */
  outside?: { paths: Readonly<Record<string, unknown>> };
  /** Its name is refused by `add`; the platform file is written by hand. */
  by_hand?: boolean;
  /** Arguments to call an operation with, beside those made from its schema; by tool name without the platform. */
  arguments?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `METHOD /path` of what arrives. */
  reads: readonly string[];
  changes: readonly string[];
  /** No request of it can arrive: it is refused, or its credentials have no origin that an operator named. */
  unreachable?: boolean;
}

const FOLDER = join(import.meta.dirname, 'misleading');

/** Every document of the corpus, sorted by file. */
export function misleadingDocuments(): MisleadingDocument[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) =>
      (parse(readFileSync(join(FOLDER, name), 'utf8')) as Omit<MisleadingDocument, 'family'>[]).map((entry) => ({
        ...entry,
        family: name.replace('.yaml', ''),
      })),
    );
}

export interface Addresses {
  /** Where this document's platform is. */
  base: string;
  /** A server that no operator named. */
  stranger: string;
}

/** The document as text, and the one outside of its folder where there is one. */
export function textsOf(entry: MisleadingDocument, addresses: Addresses): { own: string; outside?: string } {
  const { host, pathname } = new URL(addresses.base);
  const filled = (value: object) =>
    JSON.stringify(value)
      .replaceAll('{base}', addresses.base)
      .replaceAll('{stranger}', addresses.stranger)
      .replaceAll('{host}', host)
      .replaceAll('{prefix}', pathname);
  const document = (paths: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) => ({
    openapi: '3.0.3',
    info: { title: entry.id, version: '1' },
    servers: [{ url: entry.server ?? '{base}' }],
    paths: withPathParameters(paths),
    ...more,
  });
  return {
    own: filled(entry.raw ? { ...entry.more, paths: entry.paths } : document(entry.paths, entry.more)),
    ...(entry.outside ? { outside: filled(document(entry.outside.paths)) } : {}),
  };
}

/** Declares what a template names, so that the labels need not. */
function withPathParameters(paths: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const stated = item as Record<string, unknown>;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
      if ('$ref' in stated || names.length === 0) return [path, item];
      const own = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
      const declared = (stated['parameters'] as unknown[] | undefined) ?? [];
      return [path, { ...stated, parameters: [...own, ...declared] }];
    }),
  );
}

/** Writes a document into a folder of its own; the path is what an operator names: the file, or the folder when it links outside. */
export function writeDocument(
  folder: string,
  entry: MisleadingDocument,
  addresses: Parameters<typeof textsOf>[1],
): string {
  mkdirSync(folder, { recursive: true });
  const { own, outside } = textsOf(entry, addresses);
  const file = join(folder, 'api.json');
  writeFileSync(file, own);
  if (outside === undefined) return file;
  linkOutside(folder, outside);
  return folder;
}

function linkOutside(folder: string, text: string): void {
  const beside = `${folder}-outside`;
  mkdirSync(beside, { recursive: true });
  writeFileSync(join(beside, 'outside.json'), text);
  symlinkSync(join(beside, 'outside.json'), join(folder, 'outside.json'));
}
