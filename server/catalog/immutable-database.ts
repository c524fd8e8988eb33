/**
 * Opens a database that never changes, such as those in a catalog's folder, which is named by its digest and appears
 * in one move. `immutable=1` tells SQLite that the file never changes, so it takes no locks and looks for no change
 * before each statement. Both would cost more than most of our statements do.
 */
import { pathToFileURL } from 'node:url';

export function immutableDatabase(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}
