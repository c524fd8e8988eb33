/** How a request to a foreign document is read and answered: as the document says, and no stricter. */
import type { Conventions } from '../engine/http/conventions.ts';
import { refuse } from '../engine/http/platform-answer.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import { credentialParameters, missingCredential } from './foreign-security.ts';
import { answer } from './inferred-behaviour.ts';
import { rendered, renderedRefusal } from './rendered-answer.ts';
import { checkOf } from './schema-checks.ts';

export function foreignConventions(platform: ForeignPlatform): Conventions {
  const credentials = credentialParameters(platform.document);
  const check: Conventions['checkParameter'] = (document, schema) => checkOf(document, schema, 'request');
  return {
    access: {
      refusal: (_platform, _state, operation, call) => {
        const expected = operation === null ? null : missingCredential(platform, operation, call);
        return expected === null ? null : refuse(401, 'UNAUTHORIZED', `credentials: expected ${expected}, got none`);
      },
      credentialParameters: () => credentials,
      issues: () => false,
      issue: () => refuse(404, 'UNKNOWN_PATH', 'path: a document that a user brought has no logins of its own'),
    },
    checkParameter: check,
    body: { check, isLenient: true },
    undecodablePath: 400,
    behaviourOf: () => (call) => answer(platform, call),
    render: rendered,
    renderRefusal: renderedRefusal,
  };
}
