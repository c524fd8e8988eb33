/** One word for one thing across a platform: moments, and the identifier of a task. Platforms of different vendors differ, and so do generations of one. */
import { expect, test } from 'vitest';
import { wordsOf } from '../engine/semantics/field-name-words.ts';
import { listPlatforms } from './model/platforms-folder.ts';
import { platformDocuments } from './platform-documents.ts';
import type { Schema } from './schema/schema-object.ts';

const MEANINGS: readonly RegExp[] = [
  /^(expire|expires|expiry|expiration)( at| time| date)?$/,
  /^(created|creation)( at| time| date| on)?$/,
  /^(updated|last update|last updated|modified|last modified)( at| time| on)?$/,
  /^last seen( at| time)?$/,
  /^first seen( at| time)?$/,
  /^last changed?( at| time)?$/,
  /^last fetch(ed)?( at)?$/,
  /^started( at| time)?$|^began at$/,
  /^ended( at| time)?$/,
  /^completed( at| time)?$/,
  /^queued( at| time)?$/,
  /^issued( at)?$/,
  /^detected( at)?$/,
  /^(task|job) id$/,
];

/** Names are compared within a style of spelling: an older generation of an interface keeps its own. */
const styleOf = (name: string): string => (name.includes('-') ? 'kebab' : name.includes('_') ? 'snake' : 'camel');

/** Names of properties that hold a moment or identify something, wherever in the document they stand. */
function namesIn(schema: unknown, found: Set<string>): Set<string> {
  if (schema === null || typeof schema !== 'object') return found;
  for (const [name, property] of Object.entries((schema as Schema)['properties'] ?? {})) {
    const { format, type } = property as { format?: string; type?: unknown };
    if (format === 'date-time' || format === 'uuid' || (type === 'string' && /id$/i.test(name))) found.add(name);
  }
  for (const part of Object.values(schema)) namesIn(part, found);
  return found;
}

test('one meaning has one name on each platform', async () => {
  const platforms = await platformDocuments(await listPlatforms());
  const twice: string[] = [];
  for (const [platform, documents] of platforms) {
    const names = new Set<string>();
    for (const document of documents.values()) namesIn(document, names);
    for (const meaning of MEANINGS) {
      const own = [...names].filter((name) => meaning.test(wordsOf(name).join(' ')));
      for (const [style, alike] of Map.groupBy(own, (name) => `${styleOf(name)} ${wordsOf(name).length > 1}`))
        if (alike.length > 1) twice.push(`${platform} ${style}: ${alike.join(', ')}`);
      // A name of one word has no style.
      const plain = own.filter((name) => wordsOf(name).length === 1);
      if (plain.length > 0 && own.length > plain.length) twice.push(`${platform}: ${own.join(', ')}`);
    }
  }
  expect(twice).toEqual([]);
});
