/** Words that carry the meaning of a text. Judging an exam must not depend on the analyser that is examined. */
import { stem } from '../../search/tokens.ts';

const FUNCTION_WORDS = new Set(
  (
    'a about after again all already also an and any are as at away back be because been before being but by can could did do does down ' +
    'each ever every for from had has have he her here him his how i if in into is it its just let many may me more most much must my no ' +
    'not now of off on once one only or our out over per please right shall she should since so some still such than that the their them ' +
    'then there these they this those to today too under until up us very via was we were what when where which while who whom whose why ' +
    'will with within without would yet you your'
  ).split(' '),
);

export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word));

export const contentStems = (text: string): Set<string> => new Set(contentWords(text).map(stem));
