/** How a caller proves who it is, as security schemes, and which of them an operation asks for. */
import type { Platform } from '../model/platform-folder-model.ts';
import type { Schema } from './schema-object.ts';

export function securitySchemes(platform: Platform): Record<string, Schema> {
  const { auth } = platform.model;
  const header = (name: string, description: string, more: Schema = {}): Schema => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
    ...more,
  });
  switch (auth.kind) {
    case 'oauth2-client-credentials':
      return {
        oauth2: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: auth.token, scopes: {} } } },
        ...(auth.workspaceHeader === null
          ? {}
          : { workspace: header(auth.workspaceHeader, 'Id of the workspace that a call is about') }),
      };
    case 'bearer':
      return { bearer: { type: 'http', scheme: 'bearer' } };
    case 'token-header':
      return {
        token: header(
          auth.header,
          auth.prefix === '' ? 'API token' : `API token after the word "${auth.prefix.trim()}"`,
          auth.prefix === '' ? {} : { 'x-svc-prefix': auth.prefix },
        ),
      };
    case 'login-token':
      return { login: header(auth.header, 'Token that the login answered with') };
    case 'session':
      return {
        session: {
          type: 'apiKey',
          in: 'query',
          name: auth.query,
          description: 'Session id that the login answered with',
        },
        csrf: header(auth.header, 'CSRF token of the session, on everything that is not a read'),
      };
  }
}

/** What an operation with this method asks for; a CSRF token guards writes alone. */
export function securityRequirement(platform: Platform, method = 'get'): Schema[] {
  const names = Object.keys(securitySchemes(platform)).filter((name) => name !== 'csrf' || method !== 'get');
  return [Object.fromEntries(names.map((name) => [name, []]))];
}
