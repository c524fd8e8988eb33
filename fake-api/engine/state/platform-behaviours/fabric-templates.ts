/** Connectivity templates of the fabric that are applied to ports are on them, each pair of template and port once. */
import { changeRow } from '../changed-row.ts';
import { isoSeconds } from '../clock.ts';
import { type Row, rowId, rowParts } from '../collection.ts';
import { type JsonObject, textList } from '../json-value.ts';
import type { TaskCall, Values } from '../platform-behaviour.ts';

const PLATFORM = 'fabric';
const TEMPLATES = 'connectivity-templates';
const POINTS = 'connectivity-templates-application-points';

interface Outcome {
  applied: number;
  rejected: number;
  reasons: Set<string>;
}

export function applyTemplates(of: TaskCall): Values {
  if (of.operationId !== 'batchApplyConnectivityTemplates') return {};
  const blueprint = String(of.values[0]);
  const points = textList(of.input['application_points']);
  const known = points.filter((point) => switchesOf(of, blueprint).has(point.split(' ')[0]));
  const outcome: Outcome = { applied: 0, rejected: 0, reasons: new Set() };
  for (const id of textList(of.input['template_ids'])) {
    const template = of.state.rows(PLATFORM, TEMPLATES).get(rowId([blueprint, id]));
    const why = problemOf(template);
    if (template === undefined || why !== null) {
      reject(outcome, points.length, why ?? 'no such template in the blueprint');
      continue;
    }
    outcome.applied += put(of, template, known);
    reject(outcome, points.length - known.length, 'no such port in the blueprint');
  }
  return { ...outcome, reasons: [...outcome.reasons] };
}

function reject(outcome: Outcome, pairs: number, reason: string): void {
  outcome.rejected += pairs;
  if (pairs > 0) outcome.reasons.add(reason);
}

function problemOf(template: Row | undefined): string | null {
  if (template === undefined) return 'no such template in the blueprint';
  return template.value['status'] === 'incomplete' ? 'the template is incomplete' : null;
}

/** Switches whose ports the blueprint offers to any of its templates. */
function switchesOf(of: TaskCall, blueprint: string): Set<unknown> {
  const rows = [...of.state.rows(PLATFORM, POINTS).all()].filter(({ id }) => rowParts(id)[0] === blueprint);
  return new Set(rows.flatMap(({ value }) => pointsIn(value)).map((point) => point['node_id']));
}

const pointsIn = ({ points }: Values): JsonObject[] => (points ?? []) as JsonObject[];

/** How many ports have the template that had it not. */
function put(of: TaskCall, template: Row, points: readonly string[]): number {
  const before = textList(template.value['assigned_points']);
  const added = points.filter((point) => !before.includes(point));
  if (added.length === 0) return 0;
  const now = [...before, ...added];
  const updated = isoSeconds(of.state.clock.ms);
  changeRow(of, TEMPLATES, template.id, { assigned_points: now, status: 'assigned', updated_at: updated });
  show(of, template.id, now);
  return added.length;
}

function show(of: TaskCall, template: string, assigned: readonly string[]): void {
  const id = rowId([...rowParts(template), '']);
  const row = of.state.rows(PLATFORM, POINTS).get(id);
  if (row === undefined) return;
  const used = new Set(assigned);
  const nameOf = ({ node_id: node, interface: port }: JsonObject): string => `${node} ${port}`;
  const shown = pointsIn(row.value).map((point) => (used.has(nameOf(point)) ? { ...point, state: 'used' } : point));
  const names = new Set(shown.map(nameOf));
  const others = assigned
    .filter((point) => !names.has(point))
    .map((point) => ({ node_id: point.split(' ')[0] ?? '', interface: point.split(' ')[1] ?? null, state: 'used' }));
  changeRow(of, POINTS, id, { points: [...shown, ...others], assigned_total: assigned.length });
}
