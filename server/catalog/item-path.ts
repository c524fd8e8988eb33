/** Paths that end in a parameter, in the forms that platforms write them: `/x/{id}`, `/x/{id}/`, `/x/{id}.json`, `/x({id})`. */

const ITEM = /\}(?:'?\))?(?:\/|\.[A-Za-z]{3,4})?$/;
/** `/lists.{format}`: the form of the answer, and no key. */
const FORMAT = /[^{}/.]\.?\{[^{}/]*(?:format|extension)\}$/i;
const ENDING = /(?<=.)(?:\/|\.json)$/;
const LAST_KEY = /\/\{[^{}/]*\}$/;

/** A read of such a path answers one object, and a write is about one. */
export const isItemPath = (path: string): boolean => ITEM.test(path) && !FORMAT.test(path);

/** What some platforms end all of their paths with: `/` or `.json`; else empty. */
export const endingOf = (path: string): string => ENDING.exec(path)?.[0] ?? '';
export const withoutEnding = (path: string): string => path.replace(ENDING, '');

/** `/x` of `/x/{id}`, and `/x/` of `/x/{id}/`; a path without a parameter at its end is its own. */
export const collectionOf = (path: string): string => {
  const plain = withoutEnding(path);
  return LAST_KEY.test(plain) ? plain.replace(LAST_KEY, '') + endingOf(path) : path;
};
