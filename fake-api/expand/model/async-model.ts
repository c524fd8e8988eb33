/** `async:` and `stage:` of `platform.yaml`: work that goes on after the answer, and changes that wait to take effect. */
import { readFields } from './definitions.ts';
import type { Field } from './field-line.ts';
import type { Spot } from './model-file.ts';
import type { ResourceModel } from './resource-model.ts';
import { readQuestions } from './task-model.ts';

export const taskMeanings = ['id', 'status', 'start', 'end', 'progress', 'reason', 'output', 'location'] as const;
export type TaskMeaning = (typeof taskMeanings)[number];

export interface AsyncModel {
  readonly spot: Spot;
  /** Objects of platform.yaml: what a start answers, what a poll answers. */
  readonly started: string;
  readonly polled: string;
  readonly param: Field;
  readonly states: readonly string[];
  readonly terminal: readonly string[];
  readonly field: string;
  /** Path template of the poll; one without `{action}` is a single operation for all tasks of the platform. */
  readonly poll: string;
  readonly status: number;
  /** Property of the started or polled object → what it tells; empty where the names are the usual ones. */
  readonly values: ReadonlyMap<string, TaskMeaning>;
  /** Words of the single poll operation. */
  readonly shared: SharedPoll | null;
}

/** The one operation that reads every task, worded as a resource is. */
export type SharedPoll = Pick<ResourceModel, 'singular' | 'plural' | 'noun' | 'aliases' | 'questions' | 'distinguish'>;

export function readAsync(spot: Spot): AsyncModel {
  const at = spot.mapping([
    'started',
    'polled',
    'parameter',
    'states',
    'terminal',
    'field',
    'poll',
    'id',
    'noun',
    'aliases',
    'questions',
    'distinguish',
    'status',
    'values',
  ]);
  const need = (key: string): Spot => at.get(key) ?? spot.fail(`the key ${key}`, 'none');
  const [param] = readFields(need('parameter'));
  if (!param) need('parameter').fail('one field line');
  const poll = at.get('poll')?.text() ?? `{action}/async-operations/{${param!.name}}`;
  if (!poll.includes(`{${param!.name}}`)) need('poll').fail(`a path that holds {${param!.name}}`);
  return {
    spot,
    started: need('started').text(),
    polled: need('polled').text(),
    param: param!,
    states: need('states').texts(),
    terminal: need('terminal').texts(),
    field: need('field').text(),
    poll,
    status: at.get('status')?.whole() ?? 202,
    values: new Map([...(at.get('values')?.mapping() ?? [])].map(([name, value]) => [name, value.oneOf(taskMeanings)])),
    shared: poll.includes('{action}') ? null : readSharedPoll(need, at),
  };
}

function readSharedPoll(need: (key: string) => Spot, at: ReadonlyMap<string, Spot>): SharedPoll {
  const pair = (key: string): [string, string] => {
    const words = need(key).texts();
    if (words.length !== 2 || words[0] === words[1]) need(key).fail('a pair of different words [one, many]');
    return [words[0]!, words[1]!];
  };
  const [singular, plural] = pair('id');
  return {
    singular,
    plural,
    noun: pair('noun'),
    aliases: at.get('aliases')?.texts() ?? [],
    questions: readQuestions(at.get('questions')) ?? [],
    distinguish: at.get('distinguish')?.text() ?? 'one poll for every task of the platform, whatever started it',
  };
}

/** Changes that land in a stage first. */
export interface StageModel {
  /** Parameter that says which stage a call means; null for one stage of the whole platform. */
  readonly key: string | null;
  /** Query parameter of every read of a staged resource; null where a read always shows the edited state. */
  readonly view: { readonly parameter: string; readonly edited: string; readonly committed: string } | null;
}

export function readStage(spot: Spot): StageModel {
  const at = spot.mapping(['key', 'view']);
  const key = at.get('key');
  const view = at.get('view');
  const words = view?.mapping(['parameter', 'edited', 'committed']);
  const need = (name: string): string => (words?.get(name) ?? view!.fail(`the key ${name}`, 'none')).text();
  return {
    key: key === undefined || key.value === null ? null : key.text(),
    view: view ? { parameter: need('parameter'), edited: need('edited'), committed: need('committed') } : null,
  };
}
