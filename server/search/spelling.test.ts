/** Misspelt words are read as what is one slip away; what is a word, a name or a value stays. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { buildIndex } from './inverted-index.ts';
import { readQuestion } from './search-question.ts';
import { isOneSlip, Spelling } from './spelling.ts';

const spelling = new Spelling(
  buildIndex([
    toolOf({ name: 'mgmt_list_access_points', line: 'List access points and their wireless configuration.' }),
    toolOf({ name: 'mgmt_update_organisation', line: 'Update the colour of an organisation.' }),
    toolOf({ name: 'mgmt_delete_firewall_rule', line: 'Delete one firewall rule of the gateway.' }),
  ]),
);

function corrected(text: string): string {
  const question = readQuestion(text, {});
  return spelling.corrected(question.text, question.masked);
}

describe('a word one slip away from one that is known is read as that', () => {
  test.each([
    ['a letter too few', 'show the gatway', 'show the gateway'],
    ['a letter too many', 'show the gatewway', 'show the gateway'],
    ['another letter', 'the configurstion of it', 'the configuration of it'],
    ['two exchanged', 'delete the firewlal rule', 'delete the firewall rule'],
    ['in the verb', 'delte the firewall rule', 'delete the firewall rule'],
    ['in the ending', 'show firewall ruels', 'show firewall rules'],
    ['at the start, with a capital', 'Udpate the rule', 'update the rule'],
    ['American', 'gateways of the organization', 'gateways of the organisation'],
  ])('%s', (_, text, right) => {
    expect(corrected(text)).toBe(right);
  });
});

describe('nothing else is touched', () => {
  test.each([
    ['an English word that no tool has', 'the gateway of the monkey house'],
    ['a name', 'access points of Gatewey'],
    ['a value', 'delete "gatwey" and gatwey-12'],
    ['an address', 'mail to gatwey@example.net'],
    ['two slips away', 'show the gtwayy'],
    ['the first letter', 'show the fateway'],
    ['four letters', 'the rlue'],
    ['another language', 'zeige bitte jeden gatewey dieser wichtigen kleinen filiale'],
  ])('%s', (_, text) => {
    expect(corrected(text)).toBe(text);
  });
});

test('one slip is what it says, either way round', () => {
  const letter = fc.constantFrom('a', 'b', 'c');
  const word = fc.array(letter, { minLength: 0, maxLength: 5 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isOneSlip(a, b)).toBe(slipsOf(a).has(b) && a !== b);
      expect(isOneSlip(b, a)).toBe(isOneSlip(a, b));
    }),
    { numRuns: 2_000 },
  );
});

/** Every word one slip away, by doing each slip. */
function slipsOf(word: string): Set<string> {
  const found = new Set<string>();
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    if (after !== '') found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
    for (const letter of 'abc') {
      found.add(before + letter + after);
      if (after !== '') found.add(before + letter + after.slice(1));
    }
  }
  return found;
}

test('a text of unknown words is read in bounded time', () => {
  const text = Array.from(
    { length: 250 },
    (_, i) => `qw${'abcdefghij'[i % 10]}xyz${'klmnopqrst'[Math.floor(i / 25)]}`,
  ).join(' ');
  expect(corrected(text)).toBe(text);
});
