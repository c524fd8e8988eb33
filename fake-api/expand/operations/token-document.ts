/** The document of the requests that hand out credentials, worked out from `auth:` of platform.yaml. */
import type { AuthModel } from '../model/auth-model.ts';
import type { Platform } from '../model/platform-folder-model.ts';
import { securitySchemes } from '../schema/model-security-schemes.ts';
import type { Schema } from '../schema/schema-object.ts';
import { type AuthOperations, loginOperations } from './login-operations.ts';

export const tokenDocument = 'token';
const tokenTag = 'Access tokens';

/** What opens and closes the platform is served like everything else but belongs to no catalog: it is internal. */
export function tokenDocumentOf(platform: Platform): Schema | null {
  const { auth, id, title, version, description } = platform.model;
  const { paths, schemas } =
    auth.kind === 'oauth2-client-credentials'
      ? tokenRequest(platform, auth)
      : 'login' in auth
        ? loginOperations(platform, auth)
        : { paths: {}, schemas: {} };
  if (Object.keys(paths).length === 0) return null;
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
    tags: [{ name: tokenTag }],
    security: [],
    paths,
    components: { schemas, securitySchemes: securitySchemes(platform) },
  };
}

function tokenRequest(
  platform: Platform,
  auth: Extract<AuthModel, { kind: 'oauth2-client-credentials' }>,
): AuthOperations {
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
    schemas: { Token: token, TokenError: problem, TokenRequest: form },
    paths: {
      [auth.token]: {
        post: {
          operationId: 'createAccessToken',
          summary: 'Get an access token',
          description: `Get an access token for the ${platform.model.phrase} from a client id and secret, sent as form fields or as basic authentication. The token goes into the Authorization header of every other request.`,
          tags: [tokenTag],
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
          'x-svc-lifetime': auth.lifetime,
        },
      },
    },
  };
}
