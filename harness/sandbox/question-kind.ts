/**
 * Which kind of change a question in a server's own words is about. Values, notes and field names of the change stand in the
 * question too, so only the request line that it names counts, or else the first part of it that has a verb of a change.
 */
export type ChangeKind = 'removal' | 'creation' | 'change';

const VERBS: [ChangeKind, RegExp][] = [
  ['removal', /^(?:(?:delet|remov|eras|purg)(?:e|es|ing)|destroy(?:s|ing)?|drops?|dropping)$/],
  ['creation', /^(?:creat(?:e|es|ing)|adds?|adding|inserts?|inserting)$/],
  ['change', /^(?:(?:updat|chang|renam|replac)(?:e|ing)|updates|renames|replaces|edits?|editing|modif(?:y|ies|ying)|patch|put|sets?)$/],
]; // biome-ignore format: a list to be read as one
const METHODS: Record<string, ChangeKind> = { DELETE: 'removal', POST: 'creation', PUT: 'change', PATCH: 'change' };
const REQUEST_LINE = /\b(DELETE|POST|PUT|PATCH)\s+(?:https?:\/)?\//g;
/** What parts a sentence from a list, a value or a remark. */
const PART_ENDS = /[\n.,;:!?"'`()[\]{}]/;

/** The kinds of change that a question names; none where it names no kind. */
export function kindsIn(message: string): ChangeKind[] {
  const named = [...message.matchAll(REQUEST_LINE)].flatMap(([, method = '']) => METHODS[method] ?? []);
  if (named.length > 0) return named;
  return (
    message
      .split(PART_ENDS)
      .map(verbsIn)
      .find((kinds) => kinds.length > 0) ?? []
  );
}

/** Of one part. A name such as `deletePet` or `pets_delete` is read as its words. */
function verbsIn(part: string): ChangeKind[] {
  const spaced = part.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.flatMap((word, i) => {
    // "Approve this change: …" says nothing yet.
    const isNoun = word === 'change' && i === words.length - 1;
    return isNoun ? [] : VERBS.flatMap(([kind, verb]) => (verb.test(word) ? [kind] : []));
  });
}
