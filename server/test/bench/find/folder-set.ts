/**
 * Anybody's question set as a folder of `tools.jsonl` and `queries.jsonl`. Its tools go through the texts and classes that
 * documents go through, with what they have: where there is no method, the verb of the name stands for it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CAPABILITIES, type Capability } from '../../../access/access-policy.ts';
import { classify } from '../../../catalog/classify.ts';
import { describe, paramNames } from '../../../catalog/describe.ts';
import { snake } from '../../../catalog/name.ts';
import type { Query, QuestionSet } from './question-set.ts';
import type { Entry } from './tool-corpus.ts';

export interface BareTool {
  name: string;
  description: string;
  params?: { name: string; description?: string; required?: boolean; in?: string }[];
  method?: string;
  path?: string;
  server?: string;
  tags?: string[];
  /** Names of the fields of its answer. */
  returns?: string[];
}

interface BareQuery {
  id: string;
  query: string;
  gold: string[];
  gold_any?: string[][];
}

/** The first of these words in a name decides; a name without any is taken to read. */
const VERBS: readonly [RegExp, string][] = [
  [/^(get|list|show|find|search|fetch|query|read|check|describe|count|view|lookup|retrieve)$/, 'GET'],
  [/^(delete|remove|cancel|clear|drop|destroy|erase|revoke|purge)$/, 'DELETE'],
  [/^(update|edit|modify|change|rename|patch)$/, 'PATCH'],
  [/^(set|replace|put)$/, 'PUT'],
  [/^(create|add|new|insert|post|send|upload|register|book|order|make|start|run|deploy|import|play|pay|buy)$/, 'POST'],
];

/** The folder itself if it holds a set, else every folder in it that does. */
export function setFolders(folder: string): string[] {
  const holdsSet = (path: string) => existsSync(join(path, 'queries.jsonl'));
  if (holdsSet(folder)) return [folder];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter(holdsSet);
}

export function readFolderSet(folder: string): QuestionSet {
  const lines = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown);
  const id = basename(resolve(folder));
  const tools = (lines('tools.jsonl') as BareTool[]).map((bare) => entryOf(bare, id));
  const capabilities = new Map(tools.map(({ tool }) => [tool.name, tool.capability]));
  const queries = (lines('queries.jsonl') as BareQuery[]).map(({ id: own, query, gold, gold_any: any }): Query => {
    const groups = any ?? gold.map((name) => [name]);
    return {
      id: own,
      text: query,
      gold: groups,
      part: 'dev',
      platform: id,
      wording: 'explicit',
      style: 'short',
      capability: mostDangerous(groups.map((group) => capabilities.get(group[0] as string) ?? 'read')),
    };
  });
  return { id, box: { tools, words: {} }, queries };
}

export const mostDangerous = (capabilities: readonly Capability[]): Capability =>
  CAPABILITIES[Math.max(0, ...capabilities.map((capability) => CAPABILITIES.indexOf(capability)))] as Capability;

export function entryOf(bare: BareTool, platform: string): Entry {
  const { name, description, params = [], server = platform, tags = [], returns = [] } = bare;
  const method = bare.method ?? methodOf(name);
  const path = bare.path ?? `/${name}`;
  const operationId = bare.method === undefined ? name : (name.split('.').at(-1) as string);
  const { capability, evidence } = classify({ foreign: false, method, path, operationId });
  return {
    tool: {
      name,
      platform: server,
      backend: server,
      document: platform,
      operationId,
      method,
      path,
      capability,
      evidence,
      ...describe({ method, path, summary: '', description }),
      params: paramNames(
        params.map((param) => ({
          argument: param.name,
          name: param.name,
          in: 'query' as const,
          required: param.required === true,
          style: 'form',
          explode: true,
        })),
        null,
      ),
      parameters: [],
      body: null,
      secrets: [],
      deprecated: false,
    },
    text: {
      kind: '',
      aliases: [],
      questions: [],
      distinguish: '',
      fields: params.map((param) => param.name),
      details: [...params.flatMap((param) => param.description ?? []), ...returns],
      scope: '',
      tag: tags.join(' '),
    },
  };
}

function methodOf(name: string): string {
  const words = snake(name).split(/[_\W]+/);
  for (const word of words) {
    const found = VERBS.find(([pattern]) => pattern.test(word));
    if (found) return found[1];
  }
  return 'GET';
}
