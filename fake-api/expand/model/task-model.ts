/** What a resource can do beside being stored: actions, diagnostics, trends, rankings. */
import { readFields } from './definitions.ts';
import type { Field } from './field-line.ts';
import type { Spot } from './model-file.ts';

export const capabilities = ['read', 'diagnostic', 'write', 'destructive'] as const;
export type Capability = (typeof capabilities)[number];

/** Words and switches that any operation may carry; `overrides:` sets the same keys for a standard operation. */
export interface Wording {
  readonly capability?: Capability;
  readonly audience?: readonly string[];
  readonly aliases?: readonly string[];
  readonly questions?: readonly string[];
  readonly distinguish?: string;
  readonly impact?: string;
  readonly id?: string;
  readonly path?: string;
  readonly method?: string;
  readonly status?: number;
  readonly deprecated?: boolean;
  /** Formula data for the fake, passed through untouched. */
  readonly derive?: unknown;
}

export const wordingKeys = [
  'capability',
  'audience',
  'aliases',
  'questions',
  'distinguish',
  'impact',
  'id',
  'path',
  'method',
  'status',
  'deprecated',
  'derive',
] as const;

export function readWording(at: ReadonlyMap<string, Spot>): Wording {
  const text = (key: string) => at.get(key)?.text();
  return {
    ...present('capability', at.get('capability')?.oneOf(capabilities)),
    ...present('audience', at.get('audience')?.texts()),
    ...present('aliases', at.get('aliases')?.texts()),
    ...present('questions', readQuestions(at.get('questions'))),
    ...present('distinguish', text('distinguish')),
    ...present('impact', text('impact')),
    ...present('id', text('id')),
    ...present('path', text('path')),
    ...present('method', at.get('method')?.oneOf(['get', 'post', 'put', 'patch', 'delete'] as const)),
    ...present('status', at.get('status')?.whole()),
    ...present('deprecated', at.get('deprecated')?.flag()),
    ...present('derive', at.get('derive')?.value),
  };
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

export function readQuestions(spot: Spot | undefined): string[] | undefined {
  const questions = spot?.texts();
  if (spot && questions && (questions.length === 0 || questions.length > 3)) spot.fail('one to three questions');
  return questions;
}

export interface Task extends Wording {
  readonly name: string;
  readonly spot: Spot;
  readonly kind: 'action' | 'diagnostic';
  readonly async: boolean;
  readonly at: 'item' | 'collection';
  /** Noun phrase of the task ("authentication test"); names both halves of an asynchronous one. */
  readonly title: string;
  /** Verb phrase that begins the description of a synchronous task and explains an asynchronous one. */
  readonly does: string;
  readonly input: readonly Field[];
  readonly result: readonly Field[];
  /** Query groups of platform.yaml that this task takes, beside those of its style. */
  readonly queries: readonly string[];
}

export function readTasks(kind: Task['kind'], spot: Spot | undefined): Task[] {
  return [...(spot?.mapping() ?? [])].map(([name, task]) => {
    const at = task.mapping(['async', 'at', 'title', 'does', 'input', 'result', 'queries', ...wordingKeys]);
    const input = at.get('input');
    const result = at.get('result');
    return {
      ...readWording(at),
      name,
      spot: task,
      kind,
      async: at.get('async')?.flag() ?? false,
      at: at.get('at')?.oneOf(['item', 'collection'] as const) ?? 'item',
      title: at.get('title')?.text() ?? name.replaceAll('-', ' '),
      does: at.get('does')?.text() ?? task.fail('the key does: a verb phrase saying what the task does', 'none'),
      input: input ? readFields(input) : [],
      result: result ? readFields(result) : [],
      queries: at.get('queries')?.texts() ?? [],
    };
  });
}

/** A time series (`trends`) or a ranking (`top`) computed from state. */
export interface Measure extends Wording {
  readonly name: string;
  readonly spot: Spot;
  readonly title: string;
  readonly at: 'item' | 'collection';
  readonly fields: readonly Field[];
}

export function readMeasures(spot: Spot | undefined): Measure[] {
  return [...(spot?.mapping() ?? [])].map(([name, measure]) => {
    const at = measure.mapping(['title', 'at', 'fields', ...wordingKeys]);
    return {
      ...readWording(at),
      name,
      spot: measure,
      title: (at.get('title') ?? measure.fail('the key title: what is measured, as a noun phrase', 'none'))
        .text()
        .replace(/^the /, ''),
      at: at.get('at')?.oneOf(['item', 'collection'] as const) ?? 'item',
      fields: readFields(at.get('fields') ?? measure.fail('the key fields', 'none')),
    };
  });
}
