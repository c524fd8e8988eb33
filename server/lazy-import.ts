/**
 * Packages that a start does without: loaded by the first use instead of by an import, because every one of them costs a
 * start about 20 ms. A router loads them by itself soon after it is ready, so no caller waits for them.
 */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

export const yaml = () => load('yaml') as typeof import('yaml');
export const ajv = () => load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
/** Regular expressions in linear time. */
export const re2 = () => load('re2js') as typeof import('re2js');
export const ajvFormats = () => load('ajv-formats') as typeof import('ajv-formats');
/** Letters of every script in ASCII. */
export const anyAscii = () => (load('any-ascii') as typeof import('any-ascii')).default;

/** JSON Web Tokens and key sets: only where a router accepts access tokens. */
export const jose = () => import('jose');

/** What the first calls of a router need. */
export function loadForCalls(): void {
  ajv();
  ajvFormats();
  yaml();
  re2();
}
