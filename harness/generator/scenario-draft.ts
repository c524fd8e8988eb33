/**
 * From a draft to a scenario file: the parts that every generated scenario shares. A value that was seen in the fake becomes
 * a slot with one value, so that the file states its ground truth as a written one does.
 */
import type { ScenarioFile, Step } from '../scenario/scenario-schema.ts';
import type { ApiDocument, Json } from './api-document.ts';
import { factName, factType, spoken } from './field-names.ts';
import { isItemPath, withoutEnding } from './item-path.ts';

/** Name of the document at the fake. */
export const PLATFORM = 'api';
const FIXTURE = 'fake-api/fixtures/small-campus';

export const KINDS = [
  'find',
  'read',
  'page',
  'filter',
  'compare',
  'change',
  'refusal',
  'recovery',
  'adversarial',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Draft {
  kind: Kind;
  /** Last part of the id. */
  name: string;
  /** Path of the operation that the draft is about. */
  path: string;
  /** The intent, then three other wordings of it. */
  wordings: [string, string, string, string];
  /** Slot → its value. */
  values: Json;
  facts: DraftFact[];
  steps: Step[];
  apiCalls: ScenarioFile['expect']['api_calls'];
  approvals?: string[];
  mustNotCall?: string[];
  endState?: NonNullable<ScenarioFile['expect']['end_state']>;
  sideEffects?: NonNullable<ScenarioFile['expect']['side_effects']>;
  bodies?: Json;
  faults?: NonNullable<ScenarioFile['faults']>;
  mayRefuse?: boolean;
}

export interface DraftFact {
  name: string;
  /** Slot that holds its value. */
  slot: string;
  description: string;
  value: unknown;
}

/** A fact about a field of an object. `before` tells two facts about the same field apart. */
export function fieldFact(path: string, value: unknown, slot: string, of: string, before = ''): DraftFact {
  return { name: factName(path, before), slot, description: `The ${spoken(path)} of ${of}`, value };
}

export function scenarioOf(draft: Draft, document: ApiDocument): ScenarioFile {
  const [intent, ...paraphrases] = draft.wordings;
  const isChange = (draft.approvals ?? []).length > 0;
  return {
    id: `${draft.kind}/${draft.name}`,
    suite: draft.kind,
    intent,
    paraphrases,
    platform: PLATFORM,
    fixture: FIXTURE,
    write_gate: isChange ? 'write' : 'read',
    gates: 'open',
    ...(isChange ? { approvals: draft.approvals as string[] } : {}),
    expected_tools: {},
    expect: {
      api_calls: draft.apiCalls,
      must_not_call: draft.mustNotCall ?? [],
      ...(draft.endState === undefined ? {} : { end_state: draft.endState }),
      ...(draft.sideEffects === undefined ? {} : { side_effects: draft.sideEffects }),
      facts: Object.fromEntries(draft.facts.map(({ name, slot }) => [name, `{{${slot}}}`])),
      ...(draft.mayRefuse === true ? { refusal: 'right' as const } : {}),
      ...(draft.bodies === undefined ? {} : { bodies: draft.bodies }),
    },
    evidence: document.cite(draft.path),
    result_schema: {
      type: 'object',
      properties: Object.fromEntries(draft.facts.map((fact) => [fact.name, shapeOf(fact)])),
    },
    slots: Object.fromEntries(Object.entries(draft.values).map(([name, value]) => [name, { one_of: [value] }])),
    ...(draft.faults === undefined ? {} : { faults: draft.faults }),
    steps: draft.steps,
  };
}

function shapeOf({ description, value }: DraftFact): ScenarioFile['result_schema']['properties'][string] {
  const text = description.padEnd(8, '.');
  if (!Array.isArray(value)) return { type: factType(value), description: text, ...formatOf([value]) };
  return { type: 'array', description: text, items: { type: factType(value[0]), ...formatOf(value) } };
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** A server may write a moment in another zone, or with other digits (RFC 3339). */
function formatOf(values: readonly unknown[]): { format?: 'date-time' | 'date' } {
  const all = (form: RegExp) =>
    values.length > 0 && values.every((value) => typeof value === 'string' && form.test(value));
  if (all(MOMENT)) return { format: 'date-time' };
  return all(DAY) ? { format: 'date' } : {};
}

/** `METHOD /path` with the parameters' values as slots, which `slotsOf` names. */
export const concrete = (method: string, path: string, slots: Readonly<Record<string, string>>): string =>
  `${method} ${path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `{{${slots[name] ?? name}}}`)}`;

/** Parameter → slot. Slots have letters and digits alone. */
export const slotsOf = (path: string, last = 'key'): Record<string, string> => {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const own = isItemPath(path) ? names.at(-1) : undefined;
  return Object.fromEntries(names.map((name, i) => [name, name === own ? last : `parent${i + 1}`]));
};

/** ` of shop {{parent1}}`: what stands above the object that is asked for. */
export function scopeOf(path: string): string {
  const segments = withoutEnding(path).split('/');
  const parents = segments.flatMap((segment, i) => {
    const isOwn = i === segments.length - 1;
    return /^\{.+\}$/.test(segment) && !isOwn ? [segment.slice(1, -1)] : [];
  });
  const slots = slotsOf(path);
  return parents.map((name) => `, ${spoken(name)} {{${slots[name]}}}`).join('');
}
