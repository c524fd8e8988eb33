/**
 * The deterministic plan: every object of an export as a candidate for both targets, with its class, in the order in which it
 * can be written. The same export gives the same bytes, whatever the order of its items and keys.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../dispatch/canonical-json.ts';
import { type Candidate, refOf } from './candidate.ts';
import { aaaProfileCandidate } from './candidates/aaa-profile-candidate.ts';
import { apGroupCandidate } from './candidates/ap-group-candidate.ts';
import { authServerCandidate, SERVER_FAMILIES } from './candidates/auth-server-candidate.ts';
import { loginProfileCandidate } from './candidates/login-profile-candidate.ts';
import { REFERENCE_ONLY, referenceOnlyCandidate } from './candidates/reference-only-candidate.ts';
import { roleCandidate } from './candidates/role-candidate.ts';
import { serverGroupCandidate } from './candidates/server-group-candidate.ts';
import { vlanCandidate } from './candidates/vlan-candidate.ts';
import { loneSsidCandidate, wlanCandidate } from './candidates/wlan-candidate.ts';
import { type Class, classify, type Target } from './classification.ts';
import { SECTION_NAMES, SECTIONS, type SectionName } from './object-family.ts';
import { inApplyOrder } from './order.ts';
import { uniqueWarnings, type Warning, warning } from './plan-warning.ts';
import type { Export } from './read-export.ts';
import { Source } from './source.ts';
import { textOf } from './unwrap.ts';

export interface PlannedCandidate extends Candidate {
  classification: Class;
  /** Row of the classification table. */
  row: string;
  note: string;
  dry_run_only: boolean;
}

export interface Plan {
  config_path: string;
  candidates: Record<Target, readonly PlannedCandidate[]>;
  warnings: readonly Warning[];
  source_object_counts: Readonly<Record<SectionName, number>>;
}

export function planOf(source: Export): Plan {
  const { order, circle } = inApplyOrder(candidatesOf(source));
  const candidates = {
    classic: order.map((candidate) => planned(candidate, 'classic')),
    new: order.map((candidate) => planned(candidate, 'new')),
  };
  // Those of the new generation are among them.
  const own = candidates.classic.flatMap(({ warnings }) => warnings);
  const waiting = circle.map((object) => warning('dependency_cycle', { object }));
  return {
    config_path: source.configPath,
    candidates,
    warnings: uniqueWarnings([...source.warnings, ...own, ...waiting]),
    source_object_counts: Object.fromEntries(
      SECTION_NAMES.map((section) => [section, source.sections[section].length]),
    ) as Plan['source_object_counts'],
  };
}

/** The plan as bytes: equal plans are equal texts. */
export const planText = (plan: Plan): string => canonicalJson(plan);

export const planDigest = (plan: Plan): string => createHash('sha256').update(planText(plan)).digest('hex');

function planned(candidate: Candidate, target: Target): PlannedCandidate {
  const { row, classification, dryRunOnly } = classify(candidate, target);
  // No other network that is written can be on air at 6 GHz.
  const isWidened = target === 'classic' && row.id === 'wlan_sae';
  const widened = () => warning('bands_widened', { object: refOf(candidate), field: 'allowed_band' });
  const warnings = isWidened ? uniqueWarnings([...candidate.warnings, widened()]) : candidate.warnings;
  return { ...candidate, warnings, classification, row: row.id, note: row.note, dry_run_only: dryRunOnly };
}

function candidatesOf(whole: Export): Candidate[] {
  const source = new Source(whole);
  const { sections } = whole;
  const used = new Set(sections.virtual_aps.map(({ fields }) => textOf(fields['ssid_prof'])));
  return [
    ...sections.vlans.map(vlanCandidate),
    ...SERVER_FAMILIES.flatMap((family) => sections[family.section].map((item) => authServerCandidate(family, item))),
    ...sections.dot1x_auth_profiles.map((item) => loginProfileCandidate('dot1x', item)),
    ...sections.mac_auth_profiles.map((item) => loginProfileCandidate('mac', item)),
    ...sections.server_groups.map((item) => serverGroupCandidate(item, source)),
    ...sections.roles.map((item) => roleCandidate(item, source)),
    ...sections.aaa_profiles.map((item) => aaaProfileCandidate(item, source)),
    ...sections.virtual_aps.map((item) => wlanCandidate(item, source)),
    ...sections.ssid_profiles.filter(({ name }) => !used.has(name)).map((item) => loneSsidCandidate(item, source)),
    ...sections.ap_groups.map((item) => apGroupCandidate(item, source)),
    ...SECTION_NAMES.flatMap((section) => {
      const family = REFERENCE_ONLY[section];
      const key = SECTIONS[section].key.flat();
      return family ? sections[section].map((item) => referenceOnlyCandidate(family, key, item)) : [];
    }),
  ];
}
