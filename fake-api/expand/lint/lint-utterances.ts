/** Lints over sayings: where a platform has them, everything that can be asked for has some, and none is said twice. */
import { claimOf } from '../operations/operation-sayings.ts';
import type { Finding, LintRule } from './lint-rule.ts';

const everythingSaid: LintRule = ({ platform, expanded }) => {
  if (platform.sayings.size === 0) return [];
  return expanded.flatMap(({ name, operations }) => {
    const said = platform.sayings.get(name)?.said;
    const missing = new Set(operations.map(claimOf).filter((claim) => claim !== null && !said?.has(claim)));
    return [...missing].map(
      (claim): Finding => ({
        rule: 'sayings',
        place: `${platform.model.id}/sayings/${name}.yaml`,
        message: `expected sayings of ${claim}, got none`,
      }),
    );
  });
};

const saidOnce: LintRule = ({ platform }) => {
  const seen = new Map<string, string>();
  return [...platform.sayings.values()].flatMap(({ said }) =>
    [...said.values()].flatMap(({ spot, texts }) =>
      texts.flatMap((text): Finding[] => {
        const { file, line, field } = spot.place;
        const key = text.toLowerCase().replace(/\W+/g, ' ').trim();
        const other = seen.get(key);
        seen.set(key, field);
        return other === undefined
          ? []
          : [
              {
                rule: 'sayings-twice',
                place: `${file}:${line} ${field}`,
                message: `expected words unlike those of ${other}, got "${text}"`,
              },
            ];
      }),
    ),
  );
};

export const sayingRules: readonly LintRule[] = [everythingSaid, saidOnce];
