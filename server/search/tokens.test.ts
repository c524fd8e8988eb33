/** Texts are split in one pass where that is enough; an apostrophe, which splits nothing here, calls for the rules. */
import { expect, test } from 'vitest';
import { Random } from '../test/bench/robust/random.ts';
import { words } from './tokens.ts';

const PIECES = [
  ...'a aB B Ab ABc ABCd 1 1a 1A x2Y _ - . , / # | wi-fi WiFi 802.1x 8021x 802 dot1x e-mail email log login ins on out'.split(
    ' ',
  ),
  ...'signOff access Access point points aps APs sd-wan pass word passwords pass-phrase data centers datacenter over'.split(
    ' ',
  ),
  ...'power ethernet trace route zero touch licences'.split(' '),
  ' ',
  '  ',
];

test('one pass tells the same words as the rules', () => {
  const random = new Random(7);
  for (let i = 0; i < 5_000; i++) {
    const text = Array.from({ length: 1 + random.below(8) }, () => PIECES[random.below(PIECES.length)]).join(
      random.below(2) === 0 ? '' : ' ',
    );
    expect(words(text), text).toEqual(words(`${text} '`));
  }
});

test('spellings of one thing are one word', () => {
  expect(words('Log-in on accessPoints by 802.1X, aps and passPhrases')).toEqual(
    'login on ap by dot1x ap and password'.split(' '),
  );
});
