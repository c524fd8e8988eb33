/** How a request to a foreign document is read and answered: as the document says, and no stricter. */
import type { Conventions } from '../engine/http/conventions.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { answer } from './inferred-behaviour.ts';
import { preferredAnswer } from './preferred-answer.ts';
import { rendered, renderedRefusal } from './rendered-answer.ts';
import { type AuthEndpoint, authEndpointAt } from './security/auth-endpoints.ts';
import { credentialParameters, credentialRefusal } from './security/credential-check.ts';
import { asDeclared, asksForClient } from './security/declared-token.ts';
import { sentCredentials } from './security/sent-credentials.ts';
import { answerAuthEndpoint, isTokenRequest } from './security/token-endpoint.ts';

export function foreignConventions(platform: ForeignPlatform): Conventions {
  const credentials = credentialParameters(platform.document);
  const endpointOf = (request: { method: string; path: string }) => authEndpointAt(platform.document, request);
  const check: Conventions['checkParameter'] = (document, schema) => checkOf(document, schema, 'request');
  return {
    access: {
      refusal: (_platform, state, operation, call) =>
        operation === null ? null : credentialRefusal(platform, state, operation, call),
      credentialParameters: () => credentials,
      issues: (_platform, operation, request) => {
        const endpoint = endpointOf(request);
        // A document may describe its token endpoint, with requests that are not those of OAuth2.
        return endpoint !== undefined && (operation === null || endpoint.kind !== 'token' || isTokenRequest(request));
      },
      issue: (_platform, state, operation, request) => {
        const isOpen =
          operation !== null &&
          !asksForClient(operation) &&
          credentialRefusal(platform, state, operation, request) === null;
        const call = { platform: platform.id, state, request, isOpen };
        return asDeclared(answerAuthEndpoint(endpointOf(request) as AuthEndpoint, call), operation, state);
      },
      sent: (_platform, request) => sentCredentials(platform, request),
    },
    checkParameter: check,
    body: { check, isLenient: true },
    undecodablePath: 400,
    behaviourOf: () => (call) => answer(platform, call),
    preferred: (operation, state, request) => preferredAnswer(platform, operation, state, request),
    impliesMethods: true,
    render: rendered,
    renderRefusal: renderedRefusal,
  };
}
