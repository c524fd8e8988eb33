/** The parts of a corpus: documents cut at their headings. */

/** Source and licence of a document. Every citation refers to it. */
export interface DocumentMetadata {
  /** Path below the folder it was read from, with forward slashes. */
  path: string;
  title: string;
  /** Group that a question can be limited to: the first folder of its path unless the document says another. */
  source: string;
  doc_type: string;
  /** Platform it is about; empty where it says none. */
  platform: string;
  version: string;
  date: string;
  licence: string;
  /** Path of the document that replaced it; empty while it holds. */
  superseded_by: string;
}

export interface Passage {
  /** The heading as an address: lower case, dashes. */
  section: string;
  heading: string;
  text: string;
}

export interface ReadDocument {
  metadata: DocumentMetadata;
  passages: readonly Passage[];
}

/** Longer sections are cut between paragraphs, so that one passage is about one thing. */
export const PASSAGE_LENGTH = 1_800;

export function sectionOf(heading: string): string {
  return (
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'top'
  );
}

/** Sections as passages: none empty, none too long, and no two with one address. */
export function passagesOf(sections: readonly { heading: string; text: string }[]): Passage[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  // A heading may be spelled like the second part of another one.
  const addressOf = (plain: string): string => {
    for (;;) {
      const count = (counts.get(plain) ?? 0) + 1;
      counts.set(plain, count);
      const address = count === 1 ? plain : `${plain}-${count}`;
      if (!used.has(address)) return address;
    }
  };
  return sections.flatMap(({ heading, text }) =>
    parts(text.trim()).map((part) => {
      const section = addressOf(sectionOf(heading));
      used.add(section);
      return { section, heading, text: part };
    }),
  );
}

function parts(text: string): string[] {
  if (text === '') return [];
  const cut: string[] = [];
  let current = '';
  for (const paragraph of text.split(/\n\s*\n/).flatMap(pieces)) {
    if (current !== '' && current.length + paragraph.length > PASSAGE_LENGTH) {
      cut.push(current);
      current = '';
    }
    current = current === '' ? paragraph : `${current}\n\n${paragraph}`;
  }
  return [...cut, current].filter((part) => part.trim() !== '');
}

/** A paragraph without an end is cut at words, and a word without an end anywhere. */
function pieces(paragraph: string): string[] {
  if (paragraph.length <= PASSAGE_LENGTH) return [paragraph];
  return paragraph.match(new RegExp(`[\\s\\S]{1,${PASSAGE_LENGTH}}(?=\\s|$)|[\\s\\S]{1,${PASSAGE_LENGTH}}`, 'g')) ?? [];
}
