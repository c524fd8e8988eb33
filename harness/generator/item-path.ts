/** Paths that end in a parameter, also where a platform ends all of its paths with a slash or `.json`. */

/** The path without that ending, by which paths are compared. */
export const withoutEnding = (path: string): string => path.replace(/(?<=.)(?:\/|\.json)$/, '');

export const isItemPath = (path: string): boolean => withoutEnding(path).endsWith('}');

/** Of the list that an object stands in, without its ending. */
export const collectionOf = (path: string): string => {
  const plain = withoutEnding(path);
  return plain.slice(0, plain.lastIndexOf('/'));
};

/** Empty where it ends in none. */
export const lastParameter = (path: string): string => /\{([^}]+)\}$/.exec(withoutEnding(path))?.[1] ?? '';
