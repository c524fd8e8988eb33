/** Paths that end in a parameter, in the forms that platforms write them: `/x/{id}`, `/x/{id}/`, `/x/{id}.json`, `/x({id})`. */

const ITEM = /\}(?:'?\))?(?:\/|\.[A-Za-z]{3,4})?$/;

/** A read of such a path answers one object, and a write is about one. */
export const isItemPath = (path: string): boolean => ITEM.test(path);

/** Without what some platforms end all of their paths with. */
export const withoutEnding = (path: string): string => path.replace(/(?<=.)(?:\/|\.json)$/, '');
