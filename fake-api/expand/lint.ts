/**
 * Judges models and what they expand to: honest fields, schemas that differ, descriptions that can be told apart.
 * The shares are printed for a person to see; a share over its limit is a finding like any other.
 */
import { expandPlatform } from './document.ts';
import { creatingResources, fieldRules, modelFields, sampleOf, shareOfBare, shareOfRepeated } from './lint-fields.ts';
import type { Finding, LintRule } from './lint-rule.ts';
import { structureRules } from './lint-structure.ts';
import { wordRules } from './lint-words.ts';
import { type Platform, platformsFolder, readPlatform } from './platform.ts';

export interface PlatformReport {
  readonly resources: number;
  readonly operations: number;
  readonly fields: number;
  readonly bareShare: number;
  readonly repeatedDescriptionShare: number;
  readonly createsWithRequiredShare: number;
  readonly sample: readonly { place: string; field: string; description: string }[];
  readonly findings: readonly Finding[];
}

export interface LintReport {
  readonly ok: boolean;
  readonly platforms: Record<string, PlatformReport>;
}

export const limits = { bare: 0.4, repeated: 0.05, required: 0.9, sample: 60 };

export async function lintPlatforms(ids: readonly string[], folder = platformsFolder): Promise<LintReport> {
  const platforms: Record<string, PlatformReport> = {};
  for (const id of ids) platforms[id] = lintPlatform(await readPlatform(id, folder));
  return { ok: Object.values(platforms).every((report) => report.findings.length === 0), platforms };
}

export function lintPlatform(platform: Platform): PlatformReport {
  // A platform in the making has references to what is still to come: all of them are told, none hides the rest.
  const dangling: Finding[] = [];
  const expanded = expandPlatform(platform, (place, expected, got) => {
    dangling.push({
      rule: 'reference',
      place: `${place.file}:${place.line} ${place.field}`,
      message: `expected ${expected}, got ${got}`,
    });
  });
  const linted = { platform, expanded };
  const fields = modelFields(platform);
  const creates = creatingResources(platform);
  const shares = {
    bareShare: shareOfBare(fields),
    repeatedDescriptionShare: shareOfRepeated(fields),
    createsWithRequiredShare:
      creates.length === 0 ? 1 : creates.filter((each) => each.required).length / creates.length,
  };
  const rules: readonly LintRule[] = [...fieldRules, ...structureRules, ...wordRules];
  return {
    resources: platform.resources.size,
    operations: expanded.reduce((sum, each) => sum + each.operations.length, 0),
    fields: fields.length,
    ...shares,
    sample: sampleOf(fields, limits.sample),
    findings: [
      ...once(dangling),
      ...shareFindings(platform.model.id, shares),
      ...rules.flatMap((rule) => rule(linted)),
    ],
  };
}

/** A field is expanded for every purpose it serves; its finding is one. */
function once(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [`${each.place} ${each.message}`, each])).values()];
}

function shareFindings(
  id: string,
  shares: Pick<PlatformReport, 'bareShare' | 'repeatedDescriptionShare' | 'createsWithRequiredShare'>,
): Finding[] {
  const findings: Finding[] = [];
  const say = (rule: string, what: string, share: number, limit: string): void => {
    findings.push({ rule, place: id, message: `${what}: ${percent(share)}, expected ${limit}` });
  };
  if (shares.bareShare > limits.bare)
    say('share-bare', 'fields that are bare str, int or bool', shares.bareShare, `at most ${percent(limits.bare)}`);
  if (shares.repeatedDescriptionShare > limits.repeated) {
    say(
      'share-repeated',
      'descriptions shared by more than three fields',
      shares.repeatedDescriptionShare,
      `at most ${percent(limits.repeated)}`,
    );
  }
  if (shares.createsWithRequiredShare < limits.required) {
    say(
      'share-required',
      'creates with a required field',
      shares.createsWithRequiredShare,
      `at least ${percent(limits.required)}`,
    );
  }
  return findings;
}

export function printLint(report: LintReport): string {
  const lines: string[] = [];
  for (const [id, each] of Object.entries(report.platforms)) {
    lines.push(
      `${id}: ${each.resources} resources, ${each.operations} operations, ${each.fields} fields`,
      `  bare str/int/bool fields              ${percent(each.bareShare)} (at most ${percent(limits.bare)})`,
      `  descriptions shared by > 3 fields     ${percent(each.repeatedDescriptionShare)} (at most ${percent(limits.repeated)})`,
      `  creates with a required field         ${percent(each.createsWithRequiredShare)} (at least ${percent(limits.required)})`,
      `  ${each.sample.length} fields drawn by hash, to be read by a person:`,
      ...each.sample.map(({ place, field, description }) => `    ${place} ${field}: ${description}`),
      `  findings: ${each.findings.length}`,
      ...each.findings.map(({ rule, place, message }) => `    ${rule} ${place}: ${message}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
