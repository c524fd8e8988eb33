/** What a question says not to do, so that it is not taken for what is asked. */
import { isVerbOfChange } from './intent.ts';

/** `don't delete anything`, at the beginning of a clause: `clients that do not move` is none. */
const FORBIDS = /(^|[.,;:!?(]\s*|\b(?:but|and|so|please|pls) )(?:do not|don['’]?t|never) ([a-z]+)\b/gi;

/** The text without the verbs that it says not to do. */
export const withoutForbidden = (text: string): string =>
  text.replace(FORBIDS, (whole, before: string, verb: string) => (isVerbOfChange(verb.toLowerCase()) ? before : whole));
