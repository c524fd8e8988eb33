/**
 * Judges models and what they expand to: honest fields, schemas that differ, descriptions that can be told apart.
 * The shares are printed for a person to see; a share over its limit is a finding like any other.
 */
import { expandPlatform } from '../assemble-document.ts';
import { type Platform, readPlatform } from '../model/platform-folder-model.ts';
import { platformsFolder } from '../model/platforms-folder.ts';
import { allPlatformsRules, mostVariants, type Variant, variantsOf } from './lint-all-platforms.ts';
import {
  creatingResources,
  fieldRules,
  type ModelField,
  modelFields,
  sampleOf,
  shareOfBare,
  shareOfRepeated,
} from './lint-fields.ts';
import { letterRules } from './lint-letters.ts';
import type { Finding, LintedPlatform, LintRule } from './lint-rule.ts';
import { structureRules } from './lint-structure.ts';
import { wordRules } from './lint-words.ts';

export interface Shares {
  readonly bareShare: number;
  readonly repeatedDescriptionShare: number;
  readonly createsWithRequiredShare: number;
}

export interface PlatformReport extends Shares {
  readonly resources: number;
  readonly operations: number;
  readonly fields: number;
  readonly variants: readonly Variant[];
  readonly sample: readonly { place: string; field: string; description: string }[];
  readonly findings: readonly Finding[];
}

export interface LintReport {
  readonly ok: boolean;
  readonly platforms: Record<string, PlatformReport>;
  /** Over all platforms judged; its findings are those that take more than one platform to see. */
  readonly total: Omit<PlatformReport, 'sample'>;
}

export const limits = { bare: 0.4, repeated: 0.05, required: 0.9, sample: 60 };

export async function lintPlatforms(ids: readonly string[], folder = platformsFolder): Promise<LintReport> {
  return lintAllPlatforms(await Promise.all(ids.map((id) => readPlatform(id, folder))));
}

export function lintAllPlatforms(platforms: readonly Platform[]): LintReport {
  const judged = platforms.map((platform) => ({ id: platform.model.id, ...judge(platform) }));
  const reports = Object.fromEntries(judged.map(({ id, report }) => [id, report]));
  const findings = allPlatformsRules.flatMap((rule) => rule(judged.map(({ linted }) => linted)));
  const sum = (pick: (report: PlatformReport) => number): number =>
    judged.reduce((total, { report }) => total + pick(report), 0);
  return {
    ok: findings.length === 0 && judged.every(({ report }) => report.findings.length === 0),
    platforms: reports,
    total: {
      resources: sum((report) => report.resources),
      operations: sum((report) => report.operations),
      fields: sum((report) => report.fields),
      ...sharesOf(
        judged.flatMap(({ fields }) => fields),
        judged.flatMap(({ linted }) => creatingResources(linted.platform)),
      ),
      variants: judged.flatMap(({ report }) => report.variants),
      findings,
    },
  };
}

interface Judged {
  readonly linted: LintedPlatform;
  readonly fields: readonly ModelField[];
  readonly report: PlatformReport;
}

function judge(platform: Platform): Judged {
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
  const shares = sharesOf(fields, creatingResources(platform));
  const rules: readonly LintRule[] = [...fieldRules, ...structureRules, ...wordRules, ...letterRules];
  const report: PlatformReport = {
    resources: platform.resources.size,
    operations: expanded.reduce((total, each) => total + each.operations.length, 0),
    fields: fields.length,
    ...shares,
    variants: variantsOf(linted),
    sample: sampleOf(fields, limits.sample),
    findings: [
      ...once(dangling),
      ...shareFindings(platform.model.id, shares),
      ...rules.flatMap((rule) => rule(linted)),
    ],
  };
  return { linted, fields, report };
}

function sharesOf(fields: readonly ModelField[], creates: readonly { required: boolean }[]): Shares {
  return {
    bareShare: shareOfBare(fields),
    repeatedDescriptionShare: shareOfRepeated(fields),
    createsWithRequiredShare:
      creates.length === 0 ? 1 : creates.filter((each) => each.required).length / creates.length,
  };
}

/** A field is expanded for every purpose it serves; its finding is one. */
function once(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [`${each.place} ${each.message}`, each])).values()];
}

function shareFindings(id: string, shares: Shares): Finding[] {
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
  const { total } = report;
  lines.push(
    `all: ${total.resources} resources, ${total.operations} operations, ${total.fields} fields`,
    `  bare ${percent(total.bareShare)}, repeated ${percent(total.repeatedDescriptionShare)}, required ${percent(total.createsWithRequiredShare)}`,
    `  variant-of: ${total.variants.length} (at most ${mostVariants})`,
    ...total.variants.map(({ resource, of, reason }) => `    ${resource} of ${of}: ${reason}`),
    `  findings over all platforms: ${total.findings.length}`,
    ...total.findings.map(({ rule, place, message }) => `    ${rule} ${place}: ${message}`),
  );
  return `${lines.join('\n')}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
