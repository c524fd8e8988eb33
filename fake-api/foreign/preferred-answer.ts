/**
 * `Prefer: code=404` and `Prefer: example=name` (RFC 7240): the caller picks a declared answer, and nothing is done. A preference
 * that the document cannot serve is ignored, as the RFC says.
 */
import { headerOf } from '../engine/http/auth.ts';
import type { AccessRequest } from '../engine/http/conventions.ts';
import { isJson } from '../engine/http/media-type.ts';
import { type Answer, type Done, done } from '../engine/http/platform-answer.ts';
import { type Outcome, outcomeOf, successOf } from '../engine/openapi/declared-outcome.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { State } from '../engine/state/state.ts';
import { examplesOf, namedExample } from './declared-outcomes.ts';
import { drawFitting } from './drawn-values.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import { checkOf } from './foreign-schema-checks.ts';

export function preferredAnswer(
  platform: ForeignPlatform,
  operation: Operation,
  state: State,
  request: Pick<AccessRequest, 'headers' | 'path'>,
): Answer | null {
  const wanted = preferencesOf(headerOf(request, 'prefer'));
  const code = wanted.get('code');
  const outcome = code === undefined ? successOf(operation) : declaredFor(operation, code);
  if (outcome === null) return null;
  const name = wanted.get('example');
  const named = name === undefined ? undefined : namedExample(operation.document, outcome, name);
  if (code === undefined && named === undefined) return null;
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(named === undefined ? [] : [`example=${name}`]),
  ];
  const headers = { 'preference-applied': applied.join(', ') };
  const body = named === undefined ? bodyFor(platform, operation, state, request.path, outcome) : named.value;
  const answer: Done = done(outcome.status, body, headers);
  return outcome.media === null || body === undefined ? answer : { ...answer, media: outcome.media };
}

/** By name, in small letters. A value may be quoted. */
function preferencesOf(header: string): Map<string, string> {
  const found = header.matchAll(/(?:^|[,;])\s*([A-Za-z][\w-]*)\s*=\s*(?:"([^"]*)"|([^,;\s]+))/g);
  return new Map([...found].map(([, name, quoted, plain]) => [String(name).toLowerCase(), quoted ?? plain ?? '']));
}

/** Null where the operation declares neither the status, nor its range, nor a default. */
function declaredFor(operation: Operation, code: string): Outcome | null {
  if (!/^[1-5]\d\d$/.test(code)) return null;
  const names = Object.keys(operation.responses);
  const declared = [code, `${code.charAt(0)}XX`, 'default'].find((wanted) =>
    names.some((name) => name.toUpperCase() === wanted.toUpperCase()),
  );
  const name = names.find((entry) => entry.toUpperCase() === declared?.toUpperCase());
  return name === undefined ? null : outcomeOf(operation, name, Number(code));
}

function bodyFor(
  platform: ForeignPlatform,
  { document, id }: Operation,
  state: State,
  path: string,
  outcome: Outcome,
): unknown {
  const { schema, media, status } = outcome;
  if (schema === null || media === null || status === 204 || status === 304) return undefined;
  const check = checkOf(document, schema, 'response');
  const example = examplesOf(document, outcome).find((entry) => !isJson(media) || check(entry) === null);
  if (example !== undefined) return example;
  const origin = [state.seed, platform.id, id, path, status];
  return drawFitting({ document, origin, nowMs: state.clock.startMs, direction: 'response' }, schema).value;
}
