/** A command line is parted as a shell would part it. */
import { expect, test } from 'vitest';
import { partsOf } from './tried-server.ts';

test.each([
  [String.raw`node /opt/my\ server/main.mjs --http 3000`, ['node', '/opt/my server/main.mjs', '--http', '3000']],
  [String.raw`node it\'s.mjs say\"`, ['node', "it's.mjs", 'say"']],
  [String.raw`node "a \"b\" c" 'd e'f`, ['node', 'a "b" c', 'd ef']],
  [String.raw`C:\node\node.exe C:\a\b.mjs`, [String.raw`C:\node\node.exe`, String.raw`C:\a\b.mjs`]],
])('%s', (command, parts) => {
  expect(partsOf(command)).toEqual(parts);
});

test('a long command line is parted in time that grows with its length alone', () => {
  const begun = performance.now();
  for (const part of ['\\', '\\ ', '"', '"\\', "'", "'\\'"]) {
    try {
      partsOf(`a ${part.repeat(50_000)}`);
    } catch (error) {
      expect(error).toMatchObject({ code: 'USAGE' });
    }
  }
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test.each(['node "my server.mjs', "node /home/o'brien/server.mjs"])('%s is refused for its open mark', (command) => {
  expect(() => partsOf(command)).toThrow('--command should close each of its quotation marks');
});
