/**
 * What an `add` has to say about a document, in few lines. Notes of one kind differ only in what they are about (names,
 * places, values, numbers), so each kind gets one line with its count and its first note.
 */

export interface Note {
  /** What stands before each note: `set aside`, `warning`, `note`. */
  label: string;
  /** Document and pointer; not part of the kind. */
  where: string;
  text: string;
}

const MOST_LINES = 10;

/** At most ten lines, the commonest kinds of each label first; with `verbose`, one line for each note. */
export function noteLines(notes: readonly Note[], verbose: boolean): string[] {
  const line = ({ label, where, text }: Note) => `  ${label}: ${where}${text}`;
  if (verbose) return notes.map(line);
  const groups = grouped(notes);
  const shown = groups.length > MOST_LINES ? groups.slice(0, MOST_LINES - 1) : groups;
  const lines = shown.map(([first, ...others]) =>
    others.length === 0 ? line(first) : `${line(first)} (${others.length + 1} of this kind, this is the first)`,
  );
  const rest = groups.slice(shown.length);
  if (rest.length === 0) return lines;
  const more = rest.reduce((sum, group) => sum + group.length, 0);
  return [...lines, `  … and ${more} of ${rest.length} other kinds: --verbose shows all`];
}

type Group = [Note, ...Note[]];

/** Labels stay in the order in which they first come. */
function grouped(notes: readonly Note[]): Group[] {
  const labels = [...new Set(notes.map(({ label }) => label))];
  const groups = new Map<string, Group>();
  for (const note of notes) {
    const kind = `${note.label}: ${kindOf(note.text)}`;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [note]);
    else group.push(note);
  }
  return [...groups.values()].sort(
    ([a, ...as], [b, ...bs]) => labels.indexOf(a.label) - labels.indexOf(b.label) || bs.length - as.length,
  );
}

/** The text without what it is about. A quotation may be cut off, so its end is optional. */
export function kindOf(text: string): string {
  return text
    .replace(/^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) \S+(?: \(\/\S*\))?/, 'OPERATION')
    .replace(/"(?:[^"\\]|\\.)*"?/g, 'TEXT')
    .replace(/`[^`]*`/g, 'NAME')
    .replace(/[[{][^\s].*[\]}]/g, 'VALUE')
    .replace(/\b(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) \/\S*/g, 'OPERATION')
    .replace(/\b[a-z]+:\/\/[^\s,:]+|(?<=^|\s)\/[^\s:]*/g, 'PLACE')
    .replace(/\d[\d,.]*/g, 'N');
}
