/** The notes of a preview as a list: old and new values stand apart where a note is a change of one field. */
import { fill, type Markup } from './layout.ts';

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
/** JSON on one line: an arrow stands only in its texts. */
const VALUE = `${QUOTED}|[^"→](?:[^"→]|${QUOTED})*`;
/** As `previewNotes` writes a change. */
const CHANGE = new RegExp(`^(Changes|Sets|Adds|Removes) (${QUOTED}): (${VALUE})(?: → (${VALUE}))?$`);

const LIST = `<ul class="changes"><% for (const { kind, verb, field, from, to, text } of it.rows) { %><li class="<%= kind %>"><code><% if (verb) { %><%= verb %> <%= field %>: <% if (from) { %><del><%= from %></del><% } %><% if (from && to) { %> → <% } %><% if (to) { %><ins><%= to %></ins><% } %><% } else { %><%= text %><% } %></code></li><% } %></ul>`;

/** The text of each line is the note itself. */
export const changeList = (notes: readonly string[]): Markup => fill(LIST, { rows: notes.map(rowOf) });

function rowOf(text: string) {
  const [, verb, field, first, second] = CHANGE.exec(text) ?? [];
  if (verb === undefined) return { kind: /^(Consequence|Note): /.test(text) ? 'effect' : '', text };
  const values = verb === 'Adds' || verb === 'Sets' ? { to: first } : { from: first, to: second };
  return { kind: 'changed', verb, field, ...values };
}
