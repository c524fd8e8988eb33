/** Login and logout of platforms that know a user name and a password: the first hands out a credential, the second ends it. */
import type { AuthModel } from '../model/auth-model.ts';
import { ExpandError } from '../model/expand-errors.ts';
import type { Platform } from '../model/platform-folder-model.ts';
import { securityRequirement } from '../schema/model-security-schemes.ts';
import { reachable } from '../schema/reachable.ts';
import { missing, SchemaBook } from '../schema/schema-book.ts';
import type { Schema } from '../schema/schema-object.ts';

type LoginAuth = Extract<AuthModel, { login: string }>;

const tag = 'Access tokens';

/** Operations that open and close a platform, with the schemas they name. */
export interface AuthOperations {
  readonly paths: Schema;
  readonly schemas: Schema;
}

export function loginOperations(platform: Platform, auth: LoginAuth): AuthOperations {
  const [view] = platform.documents;
  if (!view) throw new ExpandError('MODEL_SHAPE', { expected: 'a document beside platform.yaml', got: 'none' });
  const { errors, phrase } = platform.model;
  const book = new SchemaBook(platform, view, missing);
  const error =
    errors.schema === null ? { type: 'string' } : book.shape('objects', errors.schema, 'read', view.model.spot.place);
  const refused = (description: string): Schema => ({ description, content: { [errors.media]: { schema: error } } });
  const isSession = auth.kind === 'session';
  const name = isSession ? 'Session' : 'LoginToken';
  const media = isSession ? 'application/x-www-form-urlencoded' : 'application/json';
  const own: Record<string, Schema> = { LoginRequest: request, [name]: isSession ? session(auth) : token(auth) };
  const paths: Record<string, Schema> = {
    [auth.login]: {
      post: {
        operationId: `create${name}`,
        summary: isSession ? 'Log in and open a session' : 'Log in and get a token',
        description: isSession
          ? `Open a session of the ${phrase} with a user name and a password, sent as form fields. Every other call carries the session id as the query parameter ${auth.query}, and every change its CSRF token in the header ${auth.header}.`
          : `Get a token of the ${phrase} for a user name and a password. Every other call carries it in the header ${auth.header}.`,
        tags: [tag],
        parameters: [],
        requestBody: {
          required: true,
          content: { [media]: { schema: { $ref: '#/components/schemas/LoginRequest' } } },
        },
        responses: {
          200: {
            description: isSession ? 'A session' : 'A token',
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
          },
          400: refused('The request is not a login'),
          401: refused('The user name or the password is wrong'),
        },
        'x-svc-capability': 'read',
        'x-svc-kind': 'login',
        'x-svc-audience': ['internal'],
        'x-svc-lifetime': auth.lifetime,
      },
    },
  };
  paths[auth.logout] = {
    ...paths[auth.logout],
    [auth.logout === auth.login ? 'delete' : 'post']: {
      operationId: `delete${name}`,
      summary: isSession ? 'Log out and end the session' : 'Log out and give the token back',
      description: `End what the login of the ${phrase} opened: the credential of this call is refused from now on.`,
      tags: [tag],
      parameters: [],
      security: securityRequirement(platform, 'post'),
      responses: { 204: { description: 'Logged out' }, 401: refused('The credential is missing, wrong or expired') },
      'x-svc-capability': 'write',
      'x-svc-kind': 'logout',
      'x-svc-audience': ['internal'],
    },
  };
  return { paths, schemas: { ...own, ...Object.fromEntries(reachable([paths], book.schemas)) } };
}

const request: Schema = {
  type: 'object',
  properties: {
    username: { type: 'string', minLength: 1, description: 'Name of the account' },
    password: {
      type: 'string',
      format: 'password',
      writeOnly: true,
      minLength: 1,
      description: 'Password of the account',
    },
  },
  required: ['username', 'password'],
};

function token(auth: LoginAuth): Schema {
  return {
    type: 'object',
    properties: {
      token: { type: 'string', description: `Value of the header ${auth.header} in every other call` },
      expires_in: lifetimeOf(auth),
    },
    required: ['token', 'expires_in'],
  };
}

function session(auth: LoginAuth): Schema {
  return {
    type: 'object',
    properties: {
      session_id: { type: 'string', description: 'Session that the following calls belong to' },
      csrf_token: { type: 'string', description: `Value of the header ${auth.header} in every change` },
      expires_in: lifetimeOf(auth),
    },
    required: ['session_id', 'csrf_token', 'expires_in'],
  };
}

function lifetimeOf(auth: LoginAuth): Schema {
  return { type: 'integer', minimum: 1, maximum: auth.lifetime, description: 'Seconds until the login expires' };
}
