/** The document of the token request, worked out from `auth:` of platform.yaml. */
import type { Platform } from './platform.ts';
import type { Schema } from './schema-book.ts';

export const tokenDocument = 'token';

/** How a caller proves who it is, as security schemes; every operation but those that log in requires them all. */
export function securitySchemes(platform: Platform): Record<string, Schema> {
  const { auth } = platform.model;
  switch (auth.kind) {
    case 'oauth2-client-credentials':
      return { oauth2: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: auth.token, scopes: {} } } } };
    case 'bearer':
      return { bearer: { type: 'http', scheme: 'bearer' } };
    case 'token-header':
    case 'login-token':
      return { token: { type: 'apiKey', in: 'header', name: auth.header } };
    case 'session':
      return {
        session: { type: 'apiKey', in: 'query', name: auth.query },
        csrf: { type: 'apiKey', in: 'header', name: auth.header },
      };
  }
}

export function securityRequirement(platform: Platform): Schema[] {
  return [Object.fromEntries(Object.keys(securitySchemes(platform)).map((name) => [name, []]))];
}

/** The token request is served like everything else but belongs to no catalog: its audience is internal. */
export function tokenDocumentOf(platform: Platform): Schema | null {
  const { auth, id, title, version, description } = platform.model;
  if (auth.kind !== 'oauth2-client-credentials') return null;
  const form = {
    type: 'object',
    properties: {
      grant_type: { type: 'string', enum: ['client_credentials'], description: 'The only grant this platform gives' },
      client_id: { type: 'string', minLength: 1, description: 'Public identifier of the API client' },
      client_secret: {
        type: 'string',
        format: 'password',
        writeOnly: true,
        minLength: 1,
        description: 'Secret of the API client',
      },
    },
    required: ['grant_type'],
  };
  const token = {
    type: 'object',
    properties: {
      access_token: { type: 'string', description: 'Bearer token for the other operations' },
      token_type: { type: 'string', enum: ['Bearer'], description: 'How the token is presented' },
      expires_in: {
        type: 'integer',
        minimum: 1,
        maximum: auth.lifetime,
        description: 'Seconds until the token expires',
      },
    },
    required: ['access_token', 'token_type', 'expires_in'],
  };
  const problem = {
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Code of the refusal, such as invalid_client' },
      error_description: { type: 'string', description: 'Reason of the refusal in words' },
    },
    required: ['error'],
  };
  const refused = {
    description: 'Refused',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenError' } } },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: access tokens`,
      version,
      description,
      'x-svc-platform': id,
      'x-svc-document': tokenDocument,
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Access tokens' }],
    security: [],
    paths: {
      [auth.token]: {
        post: {
          operationId: 'createAccessToken',
          summary: 'Get an access token',
          description: `Get an access token for the ${platform.model.phrase} from a client id and secret, sent as form fields or as basic authentication. The token goes into the Authorization header of every other request.`,
          tags: ['Access tokens'],
          parameters: [],
          requestBody: {
            required: true,
            content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/TokenRequest' } } },
          },
          responses: {
            200: {
              description: 'A token',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Token' } } },
            },
            400: refused,
            401: refused,
          },
          'x-svc-capability': 'read',
          'x-svc-kind': 'token',
          'x-svc-audience': ['internal'],
        },
      },
    },
    components: {
      schemas: { Token: token, TokenError: problem, TokenRequest: form },
      securitySchemes: securitySchemes(platform),
    },
  };
}
