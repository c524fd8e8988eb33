/** Text of others on its way into HTML, XML and Markdown; templates escape by themselves. */

/** Between tags only: a quotation mark stays one character there, and JSON is full of them. */
export const escapedText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Within quotation marks as well. */
export const escapedAttribute = (text: string): string =>
  escapedText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** A cell of a Markdown table, in one line. */
export const escapedCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
