/** Lints over descriptions: each can be told from its neighbours, its verb fits what it does, its length is right. */
import { sentence } from '../model/name-spelling.ts';
import type { Operation } from '../operations/modelled-operation.ts';
import {
  contrastOf,
  describe,
  fewestWords,
  firstSentence,
  mostWords,
  wordCount,
} from '../operations/operation-description.ts';
import type { Finding, LintedPlatform, LintRule } from './lint-rule.ts';
import { declaredAlike } from './lint-structure.ts';
import { nearPairs } from './look-alike-check.ts';

const mostAlike = 0.8;

interface Told {
  readonly operation: Operation;
  readonly first: string;
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

const told = new WeakMap<LintedPlatform, Told[]>();

/** What every rule here looks at, composed once. */
function tell(linted: LintedPlatform): Told[] {
  const known = told.get(linted) ?? compose(linted);
  told.set(linted, known);
  return known;
}

function compose({ platform, expanded }: LintedPlatform): Told[] {
  return expanded.flatMap(({ operations }) =>
    operations.map((operation) => {
      const first = firstSentence(operation, platform);
      const distinct = `${first} ${sentence(contrastOf(operation))}`;
      return {
        operation,
        first,
        words: new Set(distinct.toLowerCase().match(/[a-z0-9.]*[a-z0-9]/g) ?? []),
        text: describe(operation, platform),
      };
    }),
  );
}

const uniqueFirstSentence: LintRule = (linted) => {
  const seen = new Map<string, Operation>();
  return tell(linted).flatMap(({ operation, first }): Finding[] => {
    const other = seen.get(first);
    seen.set(first, operation);
    return other
      ? [at('first-sentence', operation, `a first sentence of its own, got that of ${other.id}: ${first}`)]
      : [];
  });
};

const toldApart: LintRule = (linted) => {
  const told = tell(linted);
  const words = told.map((each) => each.words);
  return nearPairs(words, mostAlike).flatMap(({ left, right, overlap }): Finding[] => {
    const [one, two] = [told[left]!, told[right]!];
    // Declared twins may be alike, as long as each has a word that says which of the two it is.
    if (declaredAlike(one.operation.resource, two.operation.resource) && hasOwnWord(one, two) && hasOwnWord(two, one))
      return [];
    return [
      at(
        'near-duplicate',
        two.operation,
        `words unlike those of ${one.operation.id}, got an overlap of ${overlap.toFixed(2)}`,
      ),
    ];
  });
};

function hasOwnWord(one: Told, two: Told): boolean {
  return [...one.words].some((word) => !two.words.has(word));
}

const readingVerbs = new Set(['Get', 'List', 'Count', 'Search', 'Export']);

/** A verb belongs to one class: whatever reads says so at once, whatever changes never sounds like reading. */
const fittingVerb: LintRule = (linted) =>
  tell(linted).flatMap(({ operation, first }): Finding[] => {
    const verb = first.split(' ')[0]!;
    const { capability, kind, method } = operation;
    if (capability === 'read' && kind !== 'action' && kind !== 'diagnostic' && !readingVerbs.has(verb)) {
      return [at('verb', operation, `a reading verb (${[...readingVerbs].join(', ')}), got ${verb}`)];
    }
    if ((capability === 'write' || capability === 'destructive') && readingVerbs.has(verb))
      return [at('verb', operation, `a changing verb, got ${verb}`)];
    if (capability === 'read' && method === 'delete')
      return [at('verb', operation, 'a method that can read, got DELETE')];
    if (method === 'delete' && capability !== 'destructive')
      return [at('verb', operation, 'capability destructive for DELETE', capability)];
    return [];
  });

const fittingLength: LintRule = (linted) =>
  tell(linted).flatMap(({ operation, text }): Finding[] => {
    const words = wordCount([text]);
    if (words >= fewestWords && words <= mostWords) return [];
    return [at('length', operation, `${fewestWords} to ${mostWords} words, got ${words}: ${text}`)];
  });

function at(rule: string, operation: Operation, expected: string, got?: string): Finding {
  const { file, line } = operation.resource.model.spot.place;
  return {
    rule,
    place: `${file}:${line} ${operation.id}`,
    message: `expected ${expected}${got ? `, got ${got}` : ''}`,
  };
}

export const wordRules: readonly LintRule[] = [uniqueFirstSentence, toldApart, fittingVerb, fittingLength];
