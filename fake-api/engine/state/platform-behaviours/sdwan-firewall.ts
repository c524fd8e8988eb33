/** Firewall of the SD-WAN: hit counts that are reset start anew, and a protection profile watches the zones that it was assigned to. */
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { rowId } from '../collection.ts';
import { canonicalJson, type JsonObject, textList } from '../json-value.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'sdwan';
const HITS = 'firewall-zone-policies-hit-counts';
const MAPPING = 'firewall-protection-profiles-mapping';

function hitsReset(of: TaskCall, policy: Subject | null): Values {
  const now = isoSeconds(of.state.clock.ms);
  const id = rowId([String(policy?.id), '']);
  const before = (of.state.rows(PLATFORM, HITS).get(id)?.value['rows'] ?? []) as JsonObject[];
  changeRow(of, HITS, id, { since: now, rows: before.map((row) => ({ ...row, hits: 0, lastHit: null })) });
  return { resetAt: now };
}

/** A zone of a segment is watched by one profile; without appliances named, all of them watch. */
function assigned(of: TaskCall, profile: Subject | null): Values {
  const { zoneId, segmentId = null } = of.input as JsonObject;
  const named = textList(of.input['applianceIds']);
  const given = (named.length === 0 ? [null] : named).map(
    (applianceId): JsonObject => ({ applianceId, segmentId, zoneId: zoneId ?? null }),
  );
  const taken = new Set(given.map(canonicalJson));
  for (const { id, value } of [...of.state.rows(PLATFORM, MAPPING).all()]) {
    const before = (value['targets'] ?? []) as JsonObject[];
    const others = before.filter((target) => !taken.has(canonicalJson(target)));
    const targets = id === rowId([String(profile?.id), '']) ? [...others, ...given] : others;
    if (canonicalJson(targets) !== canonicalJson(before))
      changeRow(of, MAPPING, id, { targets, activeDevices: devicesOf(of, targets) });
  }
  return { devices: devicesOf(of, given) };
}

function devicesOf(of: TaskCall, targets: readonly JsonObject[]): number {
  const named = new Set(targets.map(({ applianceId }) => applianceId));
  return named.has(null) ? [...of.state.rows(PLATFORM, 'appliances').all()].length : named.size;
}

/** By operation id. */
const DEEDS: ReadonlyMap<string, typeof assigned> = new Map([
  ['resetZonePolicyCounters', hitsReset],
  ['assignProtectionProfile', assigned],
]);

export function deedOnFirewall(of: TaskCall, subject: Subject | null): Values {
  return DEEDS.get(of.operationId)?.(of, subject) ?? {};
}
