/** Small documents with the faults and habits of real ones, and a folder to put them in. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface OddFolder {
  path: string;
  /** Writes a file (objects as JSON) and answers its path. */
  write: (name: string, content: unknown) => string;
  [Symbol.dispose]: () => void;
}

export function oddFolder(): OddFolder {
  const path = mkdtempSync(join(tmpdir(), 'svc-mcp-odd-'));
  return {
    path,
    write: (name, content) => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
      );
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const OK = { 200: { description: 'done' } };

/** A document of these paths. */
export function document(paths: object, more: object = {}): Record<string, unknown> {
  return {
    openapi: '3.0.3',
    info: { title: 'Odd', version: '1' },
    servers: [{ url: 'http://odd.test/api' }],
    paths,
    ...more,
  };
}

/** A document with one POST that takes this body. */
export const taking = (schema: unknown, more: object = {}) =>
  document(
    {
      '/things': {
        post: {
          operationId: 'createThing',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: OK,
        },
      },
    },
    more,
  );

export const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** Words that no generator of ours would write, enough of them to fill megabytes. */
export function bigDocument(megabytes: number): Record<string, unknown> {
  const description = 'A long explanation that nobody reads to its end. '.repeat(40);
  const paths: Record<string, unknown> = {};
  for (let i = 0; i * description.length < megabytes * 1024 * 1024; i++)
    paths[`/shelf-${i}`] = { get: { operationId: `getShelf${i}`, description, responses: OK } };
  return document(paths);
}
