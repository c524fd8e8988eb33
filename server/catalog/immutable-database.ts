/**
 * A database that nobody writes any more, as everything in a catalog's folder is: the folder is named by its digest and
 * appears whole. Told so, SQLite locks nothing and looks for no change before each statement, which would cost more than
 * most of our statements do.
 */
import { pathToFileURL } from 'node:url';

export function immutableDatabase(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}
