/**
 * Messages to an agent without paths of the machine that the router runs on: an agent cannot open them, and they tell where
 * secrets are kept. The name of the file stays, because the operator knows it.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** An absolute path of at least one folder and a file. */
const PATH = /(?<![\w:/.}])\/([\w.@-]+)\/[^\s"'`,;:)]+/g;

/** Paths of an API look the same; what begins with a folder of this machine is a path of it. */
export function withoutLocalPaths(text: string): string {
  return text.replaceAll(PATH, (path, root: string) => (existsSync(`/${root}`) ? basename(path) : path));
}
