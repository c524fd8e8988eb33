/** What `platform.yaml` fixes once for all documents of a platform: styles, query groups, errors, limits, tasks. */
import { type AsyncModel, readAsync, readStage, type StageModel } from './async-model.ts';
import { type AuthModel, readAuth } from './auth-model.ts';
import { type Definitions, definitionKeys, readDefinitions, readFields } from './definitions.ts';
import { type ErrorModel, readErrors } from './error-model.ts';
import type { Field } from './field-line.ts';
import type { Spot } from './model-file.ts';
import { type OperationKind, operationKinds } from './operation-kinds.ts';
import { readStyle, type Style } from './style-model.ts';

export interface QueryGroup {
  readonly name: string;
  readonly on: readonly OperationKind[];
  readonly scopes: readonly string[] | null;
  readonly in: 'query' | 'header';
  readonly fields: readonly Field[];
  /** What the group narrows an answer to, behind the noun of a description: `on one device`. */
  readonly phrase: string | null;
}

export interface RateLimit {
  readonly headers: ReadonlyMap<string, string>;
  readonly limit: number;
  readonly per: string;
}

export interface PlatformModel {
  readonly id: string;
  readonly title: string;
  readonly phrase: string;
  readonly version: string;
  readonly description: string;
  readonly gate: string | null;
  readonly auth: AuthModel;
  readonly styles: ReadonlyMap<string, Style>;
  readonly queries: ReadonlyMap<string, QueryGroup>;
  readonly errors: ErrorModel;
  readonly rateLimit: RateLimit | null;
  readonly async: AsyncModel | null;
  readonly stage: StageModel | null;
  readonly definitions: Definitions;
  readonly include: readonly string[];
}

export function readPlatformModel(root: Spot): PlatformModel {
  const at = root.mapping([
    'platform',
    'title',
    'phrase',
    'version',
    'description',
    'gate',
    'auth',
    'include',
    'styles',
    'queries',
    'errors',
    'rate-limit',
    'async',
    'stage',
    ...definitionKeys,
  ]);
  const need = (key: string): Spot => at.get(key) ?? root.fail(`the key ${key}`, 'none');
  const given = <T>(key: string, read: (spot: Spot) => T): T | null => {
    const spot = at.get(key);
    return spot ? read(spot) : null;
  };
  return {
    id: need('platform').text(),
    title: need('title').text(),
    phrase: need('phrase').text(),
    version: need('version').text(),
    description: need('description').text(),
    gate: given('gate', (spot) => (spot.value === null ? null : spot.text())),
    auth: readAuth(need('auth')),
    styles: new Map([...need('styles').mapping()].map(([name, spot]) => [name, readStyle(name, spot)])),
    queries: new Map(
      [...(at.get('queries')?.mapping() ?? [])].map(([name, spot]) => [name, readQueryGroup(name, spot)]),
    ),
    errors: readErrors(need('errors')),
    rateLimit: given('rate-limit', readRateLimit),
    async: given('async', readAsync),
    stage: given('stage', readStage),
    definitions: readDefinitions(at),
    include: at.get('include')?.texts() ?? [],
  };
}

function readRateLimit(spot: Spot): RateLimit {
  const at = spot.mapping(['headers', 'limit', 'per']);
  const need = (key: string): Spot => at.get(key) ?? spot.fail(`the key ${key}`, 'none');
  return {
    headers: new Map([...(at.get('headers')?.mapping() ?? [])].map(([name, text]) => [name, text.text()])),
    limit: need('limit').whole(),
    per: need('per').oneOf(['second', 'minute', 'hour', 'day']),
  };
}

function readQueryGroup(name: string, spot: Spot): QueryGroup {
  const at = spot.mapping(['on', 'scopes', 'in', 'fields', 'phrase']);
  return {
    name,
    on: (at.get('on') ?? spot.fail('the key on', 'none')).list().map((item) => item.oneOf(operationKinds)),
    scopes: at.get('scopes')?.texts() ?? null,
    in: at.get('in')?.oneOf(['query', 'header'] as const) ?? 'query',
    fields: readFields(at.get('fields') ?? spot.fail('the key fields', 'none')),
    phrase: at.get('phrase')?.text() ?? null,
  };
}
