/** Checks the placeholders of a subject file: a name that nothing fills in would go to the server as it stands. */
import { didYouMean, got } from '../harness-errors.ts';
import type { Subject } from './subject-schema.ts';

const OF_COMMANDS = ['document', 'api', 'folder'];
const OF_DESCRIBE = ['name', 'method', 'path'];
const OF_INVOKE = [...OF_DESCRIBE, 'arguments'];

/** What is wrong with the first placeholder that is not known, as a sentence; undefined where each is known. */
export function unknownPlaceholder(subject: Subject): string | undefined {
  const { command, lane_prepare = [], own_document, surface } = subject;
  const described = Object.entries(surface?.describe?.arguments ?? {});
  const invoked = Object.entries(surface?.invoke?.arguments ?? {});
  const inWords = (parts: readonly string[], at: string) =>
    parts.flatMap((part, i) => (isWord(part) ? wrongIn(part, `${at}/${i}`, OF_COMMANDS) : []));
  return [
    ...inWords(command, '/command'),
    ...inWords(lane_prepare, '/lane_prepare'),
    ...(own_document?.prepare ?? []).flatMap((parts, i) => inWords(parts, `/own_document/prepare/${i}`)),
    ...Object.entries(own_document?.env ?? {}).flatMap(([name, value]) =>
      wrongIn(value, `/own_document/env/${name}`, OF_COMMANDS),
    ),
    ...described.flatMap(([name, value]) => wrongIn(value, `/surface/describe/arguments/${name}`, OF_DESCRIBE)),
    ...invoked.flatMap(([name, value]) => wrongIn(value, `/surface/invoke/arguments/${name}`, OF_INVOKE)),
  ][0];
}

/** A script that stands in a command line has braces of its own. */
const isWord = (part: string): boolean => !/\s/.test(part);

/** `${name}` too, as a shell spells it: the dollar would be left over. */
function wrongIn(text: string, at: string, known: readonly string[]): string[] {
  const spelt = known.map((name) => `{${name}}`);
  return [...text.matchAll(/\$?\{(\w+)\}/g)]
    .filter(([whole]) => !spelt.includes(whole))
    .map(
      ([whole]) =>
        `\`${at}\` should hold no placeholder but ${spelt.join(', ')}, got ${got(whole)}${didYouMean(whole, spelt)}`,
    );
}
