/** The answer of a token endpoint that the document describes as an operation of its own: in the media type and with the fields of there. */
import { isJson } from '../../engine/http/media-type.ts';
import type { Answer } from '../../engine/http/platform-answer.ts';
import { outcomeOf } from '../../engine/openapi/declared-outcome.ts';
import { propertiesOf } from '../../engine/openapi/flattened-schema.ts';
import type { Operation } from '../../engine/openapi/served-operation.ts';
import { isObject } from '../../engine/state/json-value.ts';
import type { State } from '../../engine/state/state.ts';
import { drawFitting } from '../drawn-values.ts';
import { checkOf } from '../foreign-schema-checks.ts';

/** Whether the described operation has a place for the credentials of a client in its body (RFC 6749, 2.3.1). */
export function asksForClient({ document, body }: Operation): boolean {
  return Object.values(body?.content ?? {}).some(
    ({ schema }) => schema !== undefined && Object.hasOwn(propertiesOf(document, schema), 'client_id'),
  );
}

/** What OAuth2 says stays, where the declared schema takes it; a field that the schema asks for beside it is drawn. */
export function asDeclared(answer: Answer, operation: Operation | null, state: State): Answer {
  if (answer.kind !== 'done' || operation === null || !isObject(answer.body)) return answer;
  if (operation.responses[String(answer.status)] === undefined) return answer;
  const { media, schema } = outcomeOf(operation, String(answer.status), answer.status);
  if (media === null || !isJson(media)) return answer;
  const { document, id } = operation;
  if (schema === null || checkOf(document, schema, 'response')(answer.body) === null) return { ...answer, media };
  const of = { document, origin: [state.seed, id, 'token'], nowMs: state.clock.ms, direction: 'response' as const };
  const { value, fits } = drawFitting({ ...of, sparse: true }, schema, answer.body);
  if (!fits || !isObject(value)) return { ...answer, media };
  const whole = { ...answer.body, ...value };
  return { ...answer, media, body: checkOf(document, schema, 'response')(whole) === null ? whole : value };
}
