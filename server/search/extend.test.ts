/** Tools added to a finished index stand there as if everything had been read at once. */
import { describe, expect, test } from 'vitest';
import { inMemoryCatalogOf } from '../test/bench/find/in-memory-catalog.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { Finder } from './find.ts';
import { decode, encode } from './index-file.ts';
import { buildIndex, extendIndex } from './inverted-index.ts';

const NOUNS = ['site', 'switch', 'access point', 'client', 'firewall rule', 'certificate'];
const VERBS = ['list', 'get', 'create', 'delete'];

const toolsOf = (platform: string, more = '') =>
  NOUNS.flatMap((noun) =>
    VERBS.map((verb) =>
      toolOf({
        platform,
        name: `${platform}_${verb}_${noun.replaceAll(' ', '_')}`,
        line: `${verb} one ${noun}${more} of the network.`,
      }),
    ),
  );

const shipped = toolsOf('mgmt');

describe('an index to which tools are added', () => {
  test('equals one that read everything at once, where the means of both are the same', () => {
    const added = toolsOf('zeta');
    const extended = extendIndex(decode(encode(buildIndex(shipped))), added);
    expect(encode(extended).equals(encode(buildIndex([...shipped, ...added])))).toBe(true);
  });

  test('is the same index where nothing is added', () => {
    const index = buildIndex(shipped);
    expect(encode(extendIndex(index, [])).equals(encode(index))).toBe(true);
  });

  test('takes tools in several goes as in one', () => {
    const [some, others] = [toolsOf('zeta', ' of a depot'), toolsOf('yota', ' of a warehouse')];
    const goes = extendIndex(extendIndex(buildIndex(shipped), some), others);
    expect(encode(goes).equals(encode(extendIndex(buildIndex(shipped), [...some, ...others])))).toBe(true);
  });

  test('finds what was added and what was there, by words of either', () => {
    const entries = [...shipped, ...toolsOf('zeta', ' of a depot')];
    const index = extendIndex(buildIndex(shipped), entries.slice(shipped.length));
    const finder = new Finder({
      catalog: inMemoryCatalogOf(entries),
      index: () => index,
      enabled: ['mgmt', 'zeta'],
      words: { mgmt: ['mgmt'], zeta: ['zeta'] },
      decide: () => ({ visible: true, allowed: true }),
    });
    const first = (query: string) => finder.find({ query, topK: 1 }).hits[0]?.tool.name;
    expect(first('list the certificates of the depot')).toBe('zeta_list_certificate');
    expect(first('delete a firewall rule on zeta')).toBe('zeta_delete_firewall_rule');
    expect(first('delete a firewall rule on mgmt')).toBe('mgmt_delete_firewall_rule');
  });

  test('marks an added tool that poses as a shipped one', () => {
    const posing = toolOf({ platform: 'zeta', name: 'zeta_mgmt_delete_site', line: 'delete one site.' });
    const plain = extendIndex(buildIndex(shipped), toolsOf('zeta'));
    const posed = extendIndex(buildIndex(shipped), [posing]);
    expect(Array.from(plain.flags.subarray(shipped.length)).every((flags) => (flags & 4) === 0)).toBe(true);
    expect((posed.flags[shipped.length] as number) & 4).toBe(4);
  });
});
