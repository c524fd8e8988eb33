import { describe, expect, test } from 'vitest';
import { findingsOf } from '../../test/expand/findings.ts';
import { documentWith, exampleText, platformNamed, platformOf, smallPlatform } from '../../test/expand/small-model.ts';
import { listPlatforms } from '../model/platforms-folder.ts';
import { limits, lintPlatforms } from './lint.ts';
import { mostVariants } from './lint-all-platforms.ts';

describe('the platforms of ours', async () => {
  const report = await lintPlatforms(await listPlatforms());

  test.each(Object.entries(report.platforms))('%s passes all lints and keeps its shares', (_id, each) => {
    expect(each.findings).toEqual([]);
    expect(each.bareShare).toBeLessThanOrEqual(limits.bare);
    expect(each.repeatedDescriptionShare).toBeLessThanOrEqual(limits.repeated);
    expect(each.createsWithRequiredShare).toBeGreaterThanOrEqual(limits.required);
    expect(each.sample).toHaveLength(limits.sample);
  });

  test('differ from each other, with few exceptions that say why', () => {
    expect(report.total.findings).toEqual([]);
    expect(report.total.variants.length).toBeLessThanOrEqual(mostVariants);
  });
});

const words =
  'noun: [cable, cables], aliases: [patch lead], questions: [which cables lie here], distinguish: "copper or fibre between two sockets; the sockets themselves are ports", impact: "the two ends lose each other"';
const fields =
  '{length: "num(0..500)! list -- Metres from plug to plug", medium: "enum(copper|fibre) -- What carries the signal", colour: "enum(red|blue|grey) -- Sheath"}';
const cable = `cables: {${words}, key: "label str(1..9) -- Text on the sleeve", ops: crud, scope: shared, fields: ${fields}}`;

describe('a lint catches', () => {
  test('nothing in models that are right', () => {
    expect(rulesBroken(documentWith(cable))).toEqual([]);
    expect(rulesBroken(exampleText)).toEqual([]);
  });

  test.each<[rule: string, what: string, text: string]>([
    [
      'a-equal-schema',
      'a component equal to another',
      documentWith(
        cable,
        'style: profile\nobjects: {One: {size: "int(1..9) -- Millimetres"}, Two: {size: "int(1..9) -- Millimetres"}}',
      ).replace(
        'colour: "enum(red|blue|grey) -- Sheath"',
        'plug: "obj(One) -- Near end", socket: "obj(Two) -- Far end", colour: "enum(red|blue|grey) -- Sheath"',
      ),
    ],
    ['c-own-fields', 'a hollow resource', documentWith(cable.replace(', colour: "enum(red|blue|grey) -- Sheath"', ''))],
    [
      'd-overlap',
      'two resources with the same fields',
      documentWith(
        `${cable}\nropes: {noun: [rope, ropes], aliases: [line], questions: [which ropes hang], distinguish: "hemp that pulls", impact: "it falls", key: "tag str(1..9) -- Knot", ops: list, fields: ${fields}}`,
      ),
    ],
    [
      'letters',
      'a description with letters that nobody sees',
      documentWith(cable.replace('Metres from plug to plug', 'Metres from\u200b plug to plug')),
    ],
    [
      'e-description',
      'a description that only repeats the name',
      documentWith(cable.replace('Metres from plug to plug', 'The length')),
    ],
    [
      'reference',
      'a reference that leads nowhere',
      documentWith(cable.replace('enum(red|blue|grey) -- Sheath', 'ref(paints) -- Sheath')),
    ],
    ['f-values', 'filler values', documentWith(cable.replace('red|blue|grey', 'value1|value2'))],
    [
      'f-values',
      'a value set that should have a name',
      documentWith(
        cable.replace(
          'colour: "enum(red|blue|grey) -- Sheath"',
          'a: "enum(on|off) -- First lamp", b: "enum(off|on) -- Second lamp", c: "enum(on|off) -- Third lamp", d: "enum(on|off) -- Fourth lamp"',
        ),
      ),
    ],
    [
      'g-use',
      'a resource nobody would look for',
      documentWith(cable.replace('questions: [which cables lie here], ', '')),
    ],
    ['alias', 'a resource without another name', documentWith(cable.replace('aliases: [patch lead], ', ''))],
    ['alias', 'an alias that is the noun', documentWith(cable.replace('aliases: [patch lead]', 'aliases: [Cable]'))],
    [
      'name-length',
      'a tool name that is too long',
      documentWith(
        cable.replace(
          'cables: {',
          'cables: {id: [CableBetweenTwoSocketsInTheBasementOfTheOldBuildingNextDoor, Cables], ',
        ),
      ),
    ],
    ['spelling', 'a name in another case', documentWith(cable.replace('medium:', 'signalMedium:'))],
    [
      'near-duplicate',
      'descriptions that are nearly the same',
      documentWith(
        `${cable}\nleads: {${words.replace('[cable, cables]', '[lead, leads]')}, key: "tag str(1..9) -- Text on the flag", ops: list, fields: {weight: "int(1..9) -- Grams", maker: "str(1..9) -- Who made it", price: "int(1..9) -- Cents"}}`,
      ),
    ],
    [
      'first-sentence',
      'two operations with one first sentence',
      documentWith(
        `${cable}\ncords: {${words}, id: [Cord, Cords], key: "tag str(1..9) -- Text on the flag", ops: list, fields: {weight: "int(1..9) -- Grams", maker: "str(1..9) -- Who made it", price: "int(1..9) -- Cents"}}`,
      ),
    ],
    [
      'verb',
      'a change that sounds like reading',
      documentWith(
        cable.replace('ops: crud', 'ops: crud, actions: {cut: {does: "Get one cable cut in two", title: cut}}'),
      ),
    ],
    [
      'verb',
      'a DELETE that pretends to be harmless',
      documentWith(cable.replace('ops: crud', 'ops: crud, overrides: {delete: {capability: write}}')),
    ],
    [
      'length',
      'a description that is too long',
      documentWith(
        cable.replace(
          'copper or fibre between two sockets',
          Array.from({ length: 50 }, (_, index) => `word${index}`).join(' '),
        ),
      ),
    ],
    [
      'share-bare',
      'fields that say nothing about what fits',
      documentWith(
        cable
          .replace('num(0..500)!', 'num!')
          .replace('label str(1..9)', 'label str')
          .replace('enum(copper|fibre)', 'str')
          .replace('enum(red|blue|grey)', 'str'),
      ),
    ],
    [
      'share-repeated',
      'one text on many fields',
      documentWith(
        cable
          .replace('Metres from plug to plug', 'Sheath')
          .replace('What carries the signal', 'Sheath')
          .replace('colour:', 'shade: "int(1..9) -- Sheath", colour:'),
      ),
    ],
    ['share-required', 'creates that need nothing', documentWith(cable.replace('(0..500)!', '(0..500)'))],
  ])('%s: %s', (rule, _what, text) => {
    expect(rulesBroken(text)).toContain(rule);
  });

  test('declared twins may be alike', () => {
    const twin = `leads: {${words.replace('[cable, cables]', '[lead, leads]')}, variant-of: "cables: same thing in another room", key: "tag str(1..9) -- Text on the flag", ops: list, fields: ${fields}}`;
    expect(rulesBroken(documentWith(`${cable}\n${twin}`))).toEqual([]);
  });
});

describe('a lint over several platforms catches', () => {
  const demo = documentWith(cable);
  const other = demo.replaceAll('cable', 'rope').replaceAll('Cable', 'Rope');
  const rules = (...texts: readonly string[]): string[] =>
    findingsOf(...texts.map((text, at) => platformOf(platformNamed(`demo${at}`), text))).map(({ rule }) => rule);

  test('a schema that another platform has under another name', () => {
    const words = other.replace('Metres', 'Yards');
    expect(rules(demo, words)).not.toContain('a-equal-schema');
    expect(rules(demo, other.replace('ops: crud', 'ops: crud, variant-of: "cables: alike"'))).toContain(
      'a-equal-schema',
    );
  });

  test('an error body and a first sentence that another platform has too', () => {
    expect(new Set(rules(demo, demo))).toEqual(new Set(['a-equal-error', 'first-sentence']));
  });
});

function rulesBroken(text: string): string[] {
  return findingsOf(smallPlatform(text)).map((finding) => finding.rule);
}
