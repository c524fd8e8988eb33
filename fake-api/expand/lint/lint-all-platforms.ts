/** Lints over all platforms at once: what is counted once must be there once, and exceptions stay few. */
import { canonical } from '../canonical-document.ts';
import { firstSentence } from '../operations/operation-description.ts';
import { schemasOf } from './endpoint-count.ts';
import type { Finding, LintedPlatform } from './lint-rule.ts';

export const mostVariants = 50;

export type AllPlatformsRule = (platforms: readonly LintedPlatform[]) => Finding[];

interface Holder {
  readonly platform: string;
  readonly document: string;
  readonly name: string;
}

/** (a) A schema equal to another one under another name should have been a reference, or says too little to differ. */
const noEqualSchemas: AllPlatformsRule = (platforms) => {
  const holders = new Map<string, Holder>();
  const findings = new Map<string, Finding>();
  for (const { platform, expanded } of platforms) {
    for (const { name: document, document: content } of expanded) {
      for (const [name, schema] of Object.entries(schemasOf(content))) {
        const holder = { platform: platform.model.id, document, name };
        const text = canonical(schema);
        const other = holders.get(text);
        holders.set(text, other ?? holder);
        if (!other || other.name === name) continue;
        const place = `${holder.platform}/${document}.${name}`;
        findings.set(`${holder.platform} ${name}`, {
          rule: 'a-equal-schema',
          place,
          message: `expected a schema of its own, got the content of ${other.platform}/${other.document}.${other.name}`,
        });
      }
    }
  }
  return [...findings.values()];
};

/** Every platform refuses in its own way: two error bodies of the same content are one copied from the other. */
const ownErrors: AllPlatformsRule = (platforms) => {
  const owners = new Map<string, string>();
  return platforms.flatMap(({ platform, expanded }): Finding[] => {
    const { id, errors } = platform.model;
    const schemas = expanded.map(({ document }) => schemasOf(document));
    const shape = schemas.map((each) => each[errors.schema ?? '']).find((each) => each !== undefined);
    if (shape === undefined) return [];
    const text = canonical(shape);
    const other = owners.get(text);
    owners.set(text, other ?? id);
    if (other === undefined) return [];
    return [
      {
        rule: 'a-equal-error',
        place: `${id}/platform.yaml ${errors.schema}`,
        message: `expected an error body of its own, got that of ${other}`,
      },
    ];
  });
};

/** A first sentence names its platform, so no two tools of the whole catalog begin alike. */
const firstSentences: AllPlatformsRule = (platforms) => {
  const seen = new Map<string, { platform: string; id: string }>();
  return platforms.flatMap(({ platform, expanded }) =>
    expanded.flatMap(({ operations }) =>
      operations.flatMap((operation): Finding[] => {
        const first = firstSentence(operation, platform);
        const other = seen.get(first);
        seen.set(first, other ?? { platform: platform.model.id, id: operation.id });
        // Within one platform the platform's own lint says it.
        if (other === undefined || other.platform === platform.model.id) return [];
        const { file, line } = operation.resource.model.spot.place;
        return [
          {
            rule: 'first-sentence',
            place: `${file}:${line} ${operation.id}`,
            message: `expected a first sentence of its own, got that of ${other.platform} ${other.id}: ${first}`,
          },
        ];
      }),
    ),
  );
};

/** (d) An exception is a sentence somebody had to write, and there are few of them. */
const fewVariants: AllPlatformsRule = (platforms) => {
  const variants = platforms.flatMap((each) => variantsOf(each));
  if (variants.length <= mostVariants) return [];
  return [
    {
      rule: 'variant-limit',
      place: 'all platforms',
      message: `expected at most ${mostVariants} variant-of lines, got ${variants.length}`,
    },
  ];
};

export interface Variant {
  readonly resource: string;
  readonly of: string;
  readonly reason: string;
}

export function variantsOf({ platform }: Pick<LintedPlatform, 'platform'>): Variant[] {
  return [...platform.resources.values()].flatMap(({ model }) =>
    model.variantOf.map(({ name, reason }) => ({ resource: model.name, of: name, reason })),
  );
}

export const allPlatformsRules: readonly AllPlatformsRule[] = [noEqualSchemas, ownErrors, firstSentences, fewVariants];
