/** What the page shows an operator, read back out of its markup, is byte for byte what the platform gets. */
import { expect, test } from 'vitest';
import { unescaped } from '../test/support/console-visitor.ts';
import { shownAndSent } from '../test/support/shown-and-sent.ts';

test('drawn writes are shown exactly as they are sent', async () => {
  const found = await shownAndSent({ count: 300, seed: 5 }, async (visitor, id) => {
    const { text } = await visitor.send(`/approvals/${id}`);
    const one = (pattern: RegExp) => {
      const match = pattern.exec(text)?.[1];
      return match === undefined ? undefined : unescaped(match);
    };
    const headers = [...text.matchAll(/<td class="raw" data-header="([^"]+)">([^<]*)<\/td>/g)];
    return {
      host: one(/<code data-part="host">([^<]*)<\/code>/) ?? '',
      line: one(/<pre data-part="line">([^<]*)<\/pre>/) ?? '',
      headers: headers.map(([, name, value]) => [unescaped(name as string), unescaped(value as string)]),
      form: one(/<pre data-part="body" data-form="([^"]*)"/),
      body: one(/<pre data-part="body"[^>]*>([^<]*)<\/pre>/),
    };
  });
  expect(found.differences).toEqual([]);
  expect(found.compared).toBe(300);
});
