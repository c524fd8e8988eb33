/** Properties of planning that hold for any export; the tests choose how many they draw. */
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { planOf, planText } from '../../migration/plan.ts';
import { readExport, readExportText } from '../../migration/read-export.ts';
import { Random } from '../bench/robust/random.ts';
import { Canaries } from '../support/secret-canary.ts';
import { type Draw, damaged, drawExport, shuffled } from './generated-exports.ts';

const anyDraw = fc.nat(0x7fffffff).map((seed): Draw => {
  const random = new Random(seed);
  return (limit) => random.below(limit);
});

export function plannedTwice(runs: number): void {
  fc.assert(
    fc.property(anyDraw, (draw) => {
      const { value } = drawExport(draw);
      const once = planText(planOf(readExport(value)));
      assert.equal(planText(planOf(readExport(shuffled(value, draw)))), once);
      assert.equal(planText(planOf(readExportText(JSON.stringify(value)))), once);
    }),
    { numRuns: runs },
  );
}

export function nothingThrows(runs: number): void {
  fc.assert(
    fc.property(anyDraw, (draw) => {
      planText(planOf(readExport(damaged(drawExport(draw, 2).value, draw))));
    }),
    { numRuns: runs },
  );
}

export function noSecretIsPlanned(runs: number): void {
  fc.assert(
    fc.property(anyDraw, (draw) => {
      const { value, secrets } = drawExport(draw, 2);
      const text = planText(planOf(readExport(value)));
      assert.equal(new Canaries(secrets).in(text), undefined);
    }),
    { numRuns: runs },
  );
}
