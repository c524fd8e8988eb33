/** A document file from bytes to a value: UTF-8, then JSON or YAML. Nothing outside the given folder is ever read. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '../engine/state/json-value.ts';
import { FakeApiError } from '../fake-errors.ts';
import { withDeeperLines } from './shallow-quotes.ts';

/** The largest public documents are near 15 MB. */
const MOST_BYTES = 64 * 1024 * 1024;
/** An alias that multiplies is how a small YAML file fills the memory. */
const MOST_ALIASES = 10_000;

export async function readSource(file: string): Promise<Record<string, unknown>> {
  const shown = basename(file);
  let bytes: Buffer;
  try {
    const info = await stat(file);
    // A pipe may never be filled, and a device may have no end.
    if (!info.isFile()) throw unreadable(shown, 'a folder, pipe or device');
    if (info.size > MOST_BYTES) throw unreadable(shown, `${info.size} bytes, at most ${MOST_BYTES} are taken`);
    bytes = await readFile(file);
  } catch (cause) {
    if (cause instanceof FakeApiError) throw cause;
    throw unreadable(shown, (cause as NodeJS.ErrnoException).code ?? String(cause), cause);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(shown, 'bytes that are not UTF-8', cause);
  }
  const value = parseText(text, shown);
  if (!isObject(value)) throw unreadable(shown, 'a text that holds no object');
  return value;
}

function parseText(text: string, shown: string): unknown {
  const isJson = /^\s*[{[]/.test(text);
  try {
    return isJson ? JSON.parse(text) : parseYaml(text);
  } catch (cause) {
    // YAML in flow style also starts with a brace.
    if (isJson && !shown.endsWith('.json')) {
      try {
        return parseYaml(text);
      } catch {
        // The first finding is the one to tell.
      }
    }
    throw unreadable(shown, String((cause as Error).message).split('\n')[0] ?? 'unreadable', cause);
  }
}

function parseYaml(text: string): unknown {
  // Asked to be silent, the library gives what it could read of a text with errors. Names that stand twice are none, as in JSON.
  const options = { maxAliasCount: MOST_ALIASES, logLevel: 'error', uniqueKeys: false } as const;
  try {
    return parse(text, options);
  } catch (cause) {
    const deeper = (cause as { code?: string }).code === 'MISSING_CHAR' ? withDeeperLines(text) : text;
    if (deeper === text) throw cause;
    return parse(deeper, options);
  }
}

function unreadable(document: string, got: string, cause?: unknown): FakeApiError {
  return new FakeApiError('FOREIGN_DOCUMENT_UNREADABLE', { document, got }, { cause });
}

/** The real path of a file named beside a document, or null when it lies outside the document's folder. */
export async function fileBelow(folder: string, from: string, name: string): Promise<string | null> {
  const wanted = resolve(dirname(from), name);
  const root = await realpath(folder);
  const real = await realpath(wanted).catch(() => wanted);
  const path = relative(root, real);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? null : real;
}
