/** What the resource of a row says of a number: the port of what listens, a channel of the band in its name. */
import { wordsOf } from '../semantics/field-name-words.ts';
import { kindOf } from '../semantics/kind-names.ts';
import { listenerPort } from '../semantics/semantic-number.ts';
import type { Schema } from './openapi-document.ts';
import type { Synthesis } from './synthesis-source.ts';
import { holderOf, nameOf } from './value-path.ts';

export function knownNumber(of: Synthesis, schema: Schema, path: readonly string[]): number | undefined {
  const name = nameOf(of, path);
  if (/^(listen[-_]?|server[-_]?)?port$/i.test(name)) {
    const about = [kindOf(String(of.origin[2] ?? '')), holderOf(path), wordsOf(name)].map((words) => words.join(' '));
    return listenerPort(about.join(' '), schema);
  }
  if (name === 'channel' && path.length === 1) {
    const [, band] = /(?:^|[-_])(6|a|g)[-_]radio/.exec(String(of.origin[2] ?? '')) ?? [];
    const channels = band === undefined ? undefined : CHANNELS_OF_RADIO[band];
    return channels?.[String(of.origin[3] ?? '').length % channels.length];
  }
  return undefined;
}

const CHANNELS_OF_RADIO: Readonly<Record<string, readonly number[]>> = {
  6: [5, 21, 37, 53, 69, 85],
  a: [36, 44, 52, 100, 149],
  g: [1, 6, 11],
};
